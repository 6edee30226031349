import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { Refusal } from '../../core/index.ts'

/** Stores of keys below anybody's home, as the segments of their path. */
const KEY_STORES: readonly (readonly string[])[] = [
  ['.ssh'],
  ['.gnupg'],
  ['.aws'],
  ['.azure'],
  ['.kube'],
  ['.docker'],
  ['.config', 'gcloud'],
  ['.password-store'],
  ['.local', 'share', 'keyrings'],
]

/** Those that a project may have as its own, committed with it: `.aws` beside package.json, `.docker` with the files of images. */
const OF_PROJECTS: ReadonlySet<string> = new Set(['.ssh', '.aws', '.azure', '.kube', '.docker'])
const DESCRIPTORS: ReadonlySet<string> = new Set(['package.json', 'mta.yaml', 'pom.xml', 'manifest.yml'])
/** What a home has and a project has not. */
const OF_HOMES =
  /^(?:\.(?:bash(?:rc|_history|_profile)|zsh(?:rc|_history)|profile|local|cache|config|gnupg|npm|nvm)|Library|AppData|NTUSER\.DAT)$/i

const KERNEL: readonly string[] = ['/proc', '/sys', '/dev', '/run', '/boot']

const MAX_PATH = 4096

/** Whether a path (links resolved) is, or lies within, a store of keys or a file system of the kernel. */
export function isKeyStore(path: string): boolean {
  if (KERNEL.some((root) => isWithin(root, path))) return true
  const segments = path.split(/[/\\]/)
  return KEY_STORES.some((store) => segments.some((_, start) => store.every((name, index) => segments[start + index] === name)))
}

/** Whether a folder of such a name belongs to the project that it lies in, by the names beside it: a home is never one, whatever else is in it. */
export function isOwnStore(path: string, beside: readonly string[]): boolean {
  const folder = dirname(path)
  return (
    OF_PROJECTS.has(basename(path)) &&
    !isKeyStore(folder) &&
    resolve(folder) !== resolve(homedir()) &&
    beside.some((name) => DESCRIPTORS.has(name)) &&
    !beside.some((name) => OF_HOMES.test(name))
  )
}

/** By segments: `/data/project-secret` is not within `/data/project`. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Decides which directories may be scanned: within `roots`, or any where `roots` is undefined, but never a store of keys. Decided on the path with
 * its links resolved, before it is looked at: outside, a missing path and an existing one answer the same.
 */
export function createDirectoryPolicy(
  roots: readonly string[] | undefined,
): (dirPath: string) => Promise<{ path: string; name: string }> {
  return async (dirPath) => {
    if (dirPath.length > MAX_PATH || dirPath.includes('\0') || !isAbsolute(dirPath)) {
      throw new Refusal('invalid-request', { errors: [{ path: 'dirPath', message: 'absolute path' }] })
    }
    if (process.platform === 'win32' && /^\\\\|^\/\//.test(dirPath)) throw new Refusal('directory-not-allowed')
    const wanted = resolve(dirPath)
    const { path, exists } = await resolveLinks(wanted)
    if (isKeyStore(path) || isKeyStore(wanted)) throw new Refusal('directory-not-allowed')
    if (roots !== undefined) {
      const real = await Promise.all(roots.map(async (root) => (await resolveLinks(resolve(root))).path))
      if (!real.some((root) => isWithin(root, path))) throw new Refusal('directory-not-allowed')
    }
    if (!exists) throw new Refusal('directory-not-found')
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory() !== true) throw new Refusal('directory-not-found')
    return { path, name: basename(path) || 'root' }
  }
}

/** Links resolved; of what does not exist, those of its nearest existing parent. What can't be looked up counts as not allowed. */
async function resolveLinks(path: string): Promise<{ path: string; exists: boolean }> {
  try {
    return { path: await realpath(path), exists: true }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new Refusal('directory-not-allowed')
    const parent = dirname(path)
    if (parent === path) return { path, exists: false }
    const above = await resolveLinks(parent)
    return { path: resolve(above.path, basename(path)), exists: false }
  }
}
