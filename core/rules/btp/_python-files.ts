import type { ProjectFile } from '../../files.ts'
import { readPython, type PythonSource } from '../../parse/python-source.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { folderOf, ownerOf } from '../../paths.ts'
import type { Project } from '../subjects.ts'

const RUNS_PYTHON = /\bpython(?:3|_buildpack)?\b|\b(?:uvicorn|gunicorn|hypercorn)\b|\bflask run\b/i
/** An image of Python, or what a container starts: others install it for their build. */
const PYTHON_IMAGE =
  /^[ \t]{0,10}FROM[ \t][^\n]{0,300}python|^[ \t]{0,10}(?:CMD|ENTRYPOINT)\b[^\n]{0,300}\b(?:python3?|uvicorn|gunicorn|hypercorn|flask)\b/im

/** A file of Python in a folder that is deployed. */
export interface DeployedPython {
  readonly path: string
  readonly folder: string
  readonly text: string
}

/** Folders that are deployed as Python, with the names of what runs. */
export function pythonFolders({ files, deployment }: Project): ReadonlyMap<string, string> {
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

/** Yields the files of Python of deployed folders, without tests. */
export function* deployedPython(
  project: Project,
  names: ReadonlyMap<string, string> = pythonFolders(project),
): Generator<DeployedPython> {
  if (names.size === 0) return
  const folders = new Set(names.keys())
  for (const { path, kind, content } of project.files.values()) {
    if (kind.role !== 'python' || kind.test || content.as !== 'text' || content.text === undefined) continue
    const folder = ownerOf(path, folders)
    if (folder !== undefined) yield { path, folder, text: content.text }
  }
}

/** The same of those alone in which an expression finds something, read. */
export function* readDeployedPython(
  project: Project,
  asked: RegExp,
): Generator<DeployedPython & { readonly source: PythonSource }> {
  for (const file of deployedPython(project)) {
    if (!asked.test(file.text)) continue
    project.step(1 + (file.text.length >> 7))
    yield { ...file, source: readPython(file.text) }
  }
}
