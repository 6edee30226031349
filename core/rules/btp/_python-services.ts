import type { ProjectFile } from '../../files.ts'
import { append } from '../../lists.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { blankPythonComments, PYTHON_CHECK, PYTHON_DATA, PYTHON_SERVER } from '../../parse/python-text.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import type { Place } from '../../types.ts'
import type { Project } from '../subjects.ts'

/** A deployed folder with a web application of Python of which nothing looks at who calls. */
export interface OpenPythonService {
  /** Where the application is made: `FastAPI(`. */
  readonly at: Place
  readonly framework: string
  /** One that changes something, if there is any: `POST /rooms`. */
  readonly route: string
  /** Name of the deployed application, or its folder. */
  readonly name: string
  /** It reads or writes a database or a store. */
  readonly usesData: boolean
}

const RUNS_PYTHON = /\bpython(?:3|_buildpack)?\b|\b(?:uvicorn|gunicorn|hypercorn)\b|\bflask run\b/i
/** An image of Python, or what a container starts: others install it for their build. */
const PYTHON_IMAGE =
  /^[ \t]{0,10}FROM[ \t][^\n]{0,300}python|^[ \t]{0,10}(?:CMD|ENTRYPOINT)\b[^\n]{0,300}\b(?:python3?|uvicorn|gunicorn|hypercorn|flask)\b/im
const APPLICATION =
  /\b\w{1,60}[ \t]{0,5}(?::[ \t]{0,5}[\w.]{1,60}[ \t]{0,5})?=[ \t]{0,5}(?:\w{1,60}\.)?(FastAPI|Flask|Quart|Starlette|Sanic)\(/
const ROUTE =
  /^[ \t]{0,20}@\w{1,60}\.(get|post|put|patch|delete|route|websocket)\(\s{0,60}(?:path\s{0,5}=\s{0,5})?["']([^"'\n]{0,200})["']([^\n]{0,200})/gm
/** What everybody may ask. */
const HARMLESS = /^\/?$|health|ping|ready|live|version|metrics|favicon|docs|openapi|static/i

interface Source {
  readonly path: string
  readonly text: string
}

/** Yields one for each folder that a descriptor, an image or a Procfile starts as Python. */
export function* openPythonServices(project: Project): Generator<OpenPythonService> {
  const names = pythonFolders(project)
  if (names.size === 0) return
  const folders = new Set(names.keys())
  const services = new Map<string, Source[]>()
  for (const { path, kind, content } of project.files.values()) {
    if (kind.role !== 'python' || kind.test || content.as !== 'text' || content.text === undefined) continue
    const owner = ownerOf(path, folders)
    if (owner !== undefined) append(services, owner, { path, text: content.text })
  }
  for (const [folder, sources] of services) {
    if (!sources.some(({ text }) => PYTHON_SERVER.test(text))) continue
    const code = sources.map(({ path, text }) => {
      project.step(1 + (text.length >> 8))
      return { path, text: blankPythonComments(text) }
    })
    if (code.some(({ text }) => PYTHON_CHECK.test(text))) continue
    const route = routeOf(code)
    const made = applicationOf(code, project)
    if (route === undefined || made === undefined) continue
    yield { ...made, route, name: names.get(folder) || made.at.file, usesData: code.some(({ text }) => PYTHON_DATA.test(text)) }
  }
}

/** Folders that are deployed as Python, with the names of what runs. */
function pythonFolders({ files, deployment }: Project): ReadonlyMap<string, string> {
  const images = new Set<string>()
  for (const file of files.values()) if (startsPython(file)) images.add(folderOf(file.path))
  const found = new Map<string, string>()
  for (const { folder, name, type, node, isStopped } of deployment.applications) {
    if (folder === undefined || isStopped) continue
    const isPython =
      type === 'python' ||
      images.has(folder) ||
      textsBelow(type === '' ? node : at(node, 'parameters')).some(({ text }) => RUNS_PYTHON.test(text))
    if (isPython) found.set(folder, name ?? folder)
  }
  // what lies below an application is part of it
  const deployed = new Set([...found.keys()].filter((folder) => folder !== ''))
  for (const folder of images) if (!found.has(folder) && ownerOf(folder, deployed) === undefined) found.set(folder, folder)
  return found
}

function startsPython({ kind, content }: ProjectFile): boolean {
  if ((kind.role !== 'dockerfile' && kind.role !== 'procfile') || kind.test || content.as !== 'text') return false
  return (kind.role === 'dockerfile' ? PYTHON_IMAGE : RUNS_PYTHON).test(content.text ?? '')
}

function routeOf(code: readonly Source[]): string | undefined {
  let reads: string | undefined
  for (const { text } of code)
    for (const [, method = '', path = '', rest = ''] of text.matchAll(ROUTE)) {
      if (HARMLESS.test(path)) continue
      const verb = method === 'route' ? (/\b(POST|PUT|PATCH|DELETE)\b/.exec(rest)?.[1] ?? 'GET') : method.toUpperCase()
      if (/^P|^D/.test(verb)) return `${verb} ${path}`
      reads ??= `${verb === 'WEBSOCKET' ? 'WebSocket' : verb} ${path}`
    }
  return reads
}

function applicationOf(code: readonly Source[], { reach }: Project): Pick<OpenPythonService, 'at' | 'framework'> | undefined {
  for (const { path, text } of code) {
    const made = APPLICATION.exec(text)
    const [whole = '', framework = ''] = made ?? []
    if (made === null || reach.usageOf(path) === 'unused') continue
    const end = made.index + whole.length - 1
    return { at: { file: path, span: { start: end - framework.length, end } }, framework }
  }
  return undefined
}
