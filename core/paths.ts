/** The folder of a file; '' is the project itself. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`
}

/** A loop, since an expression for it tries again at each of many slashes. */
export function withoutSlashesBehind(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Whether a path lies in a folder, at whatever depth; the project itself is the empty one. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** The folders around a path, nearest first, the project itself last. */
export function* foldersAround(path: string): Generator<string> {
  let folder = path
  while (folder !== '') {
    folder = folderOf(folder)
    yield folder
  }
}

/** The nearest of these folders around a path. */
export function ownerOf(path: string, folders: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  for (const folder of foldersAround(path)) if (folders.has(folder)) return folder
  return undefined
}

/** A relative address in a file to a path in the project; undefined where it leads out of it or to a host. */
export function resolvePath(from: string, address: string): string | undefined {
  const plain = address.replace(/[?#].*$/su, '')
  if (plain === '' || plain.startsWith('/') || /^[a-z][a-z\d+.-]{0,30}:/iu.test(plain)) return undefined
  const segments = folderOf(from)
    .split('/')
    .filter((segment) => segment !== '')
  for (const segment of plain.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}

/** The name of a file: what stands behind the last slash, `index.html` of `webapp/index.html`. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether a path is one of the ends, or ends with one behind a slash. */
export function endsWithAny(path: string, ends: ReadonlySet<string>): boolean {
  if (ends.size === 0) return false
  for (let at = 0; at !== -1; at = path.indexOf('/', at + 1)) if (ends.has(at === 0 ? path : path.slice(at + 1))) return true
  return false
}

/** `Orders` of `shop.catalog.Orders`, `onInit` of `Main.onInit`: what stands behind the last dot. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
