import { append } from '../../lists.ts'
import type { ProjectFile } from '../../files.ts'
import { blankPythonComments, PYTHON_CHECK, PYTHON_DATA, PYTHON_SERVER } from '../../parse/python-text.ts'
import type { Place } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { isInUse, namesVariable } from '../cap/_routes/node-environment.ts'
import { deployedPython, pythonFolders } from './_python-files.ts'
import { findFixedUser } from './_python-fixed-users.ts'
import { findUnsetSecret, type UnsetPythonSecret } from './_python-unset-secrets.ts'

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
  /** Its one check is left out where a variable is missing, which nothing in the project sets. */
  readonly unset?: UnsetPythonSecret
  /** A user of the code calls where a variable is missing, which nothing in the project sets. */
  readonly fixed?: UnsetPythonSecret
}

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
  const services = new Map<string, Source[]>()
  for (const { path, folder, text } of deployedPython(project, names)) append(services, folder, { path, text })
  for (const [folder, sources] of services) {
    if (!sources.some(({ text }) => PYTHON_SERVER.test(text))) continue
    const code = sources.map(({ path, text }) => {
      project.step(1 + (text.length >> 8))
      return { path, text: blankPythonComments(text) }
    })
    const isChecked = code.some(({ text }) => PYTHON_CHECK.test(text))
    const unset = isChecked ? findUnsetSecret(code, project.step) : undefined
    const fixed = isChecked && unset === undefined ? findFixedUser(code, project.step) : undefined
    const missing = unset ?? fixed
    if (isChecked && (missing === undefined || namesVariable(missing.variable, project.files, maySet))) continue
    const route = routeOf(code)
    const made = applicationOf(code, project)
    if (route === undefined || made === undefined) continue
    yield {
      ...made,
      route,
      name: names.get(folder) || made.at.file,
      usesData: code.some(({ text }) => PYTHON_DATA.test(text)),
      ...(unset !== undefined && { unset }),
      ...(fixed !== undefined && { fixed }),
    }
  }
}

/** Code that reads a variable does not set it. */
function maySet(file: ProjectFile): boolean {
  return !/^(?:python|java|php)$/.test(file.kind.role ?? '') && isInUse(file)
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
