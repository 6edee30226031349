import { relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isUnreadFolder } from '../../core/host.ts'

/** The path of a document on the disk. Undefined for one that lies nowhere, as in `untitled:` and `git:`. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    // of another machine, or malformed
    return undefined
  }
}

/** A folder of the workspace, as the client names it. */
export interface NamedFolder {
  readonly uri: string
  readonly path: string
}

/** The path in the folder, as a report has it. Undefined for what lies elsewhere. */
export function pathWithin({ path: root }: NamedFolder, path: string): string | undefined {
  const within = relative(root, path)
  if (within === '' || within === '..' || within.startsWith(`..${sep}`) || /^[A-Za-z]:/.test(within)) return undefined
  return within.split(sep).join('/').normalize('NFC')
}

export function uriWithin({ path: root }: NamedFolder, file: string): string {
  return pathToFileURL(`${root}${sep}${file.split('/').join(sep)}`).href
}

/** Of folders that lie in each other, the one that answers for a path. */
export function innermost<Folder extends NamedFolder>(folders: Iterable<Folder>, path: string): Folder | undefined {
  let found: Folder | undefined
  for (const folder of folders)
    if (pathWithin(folder, path) !== undefined && (found === undefined || folder.path.length > found.path.length)) found = folder
  return found
}

/** In a folder that no scan looks into, though a file of it may be open. */
export function isUnread(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  return folders.some((_, depth) => isUnreadFolder(folders.slice(0, depth + 1).join('/')))
}
