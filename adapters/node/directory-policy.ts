import { realpathSync } from 'node:fs'
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

/** Those that a project may have as its own. `.docker` holds the files of images; the others are committed with the project, which a file of its repository tells from a home. */
const OF_PROJECTS: ReadonlySet<string> = new Set(['.docker', '.ssh', '.aws', '.azure', '.kube'])
const NEEDING_NO_REPOSITORY = '.docker'
const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  '.git',
  '.gitignore',
  '.gitattributes',
  '.github',
  '.gitlab-ci.yml',
  'README.md',
])
const DESCRIPTORS: ReadonlySet<string> = new Set(['package.json', 'mta.yaml', 'pom.xml', 'manifest.yml'])
/** What a home has and a project has not. */
const OF_HOMES =
  /^(?:\.(?:bash(?:rc|_history|_profile|_logout|_aliases)|zsh(?:rc|env|_history)|profile|viminfo|gitconfig|local|cache|config|gnupg|npm|nvm|vscode-server)|Desktop|Documents|Downloads|Library|AppData|NTUSER\.DAT)$/i
/** Where systems keep the homes of their users. */
const HOME = /^(?:(?:\/var)?\/home|\/Users|[A-Z]:\\Users)[/\\][^/\\]+$/i

const KERNEL: readonly string[] = ['/proc', '/sys', '/dev', '/run', '/boot']

const MAX_PATH = 4096

/** Whether a path (links resolved) is, or lies within, a store of keys or a file system of the kernel. */
export function isKeyStore(path: string): boolean {
  if (KERNEL.some((root) => isWithin(root, path))) return true
  const segments = path.split(/[/\\]/)
  return KEY_STORES.some((store) => segments.some((_, start) => store.every((name, index) => segments[start + index] === name)))
}

/** Names of the stores in a folder that belong to the project there, by all names in it: a home is never one, whatever else is in it. */
export function ownStoresIn(folder: string, names: readonly string[]): ReadonlySet<string> {
  const stores = names.filter((name) => OF_PROJECTS.has(name))
  if (stores.length === 0 || isKeyStore(folder) || isHome(folder)) return new Set()
  if (!names.some((name) => DESCRIPTORS.has(name)) || names.some((name) => OF_HOMES.test(name))) return new Set()
  const isRepository = names.some((name) => OF_REPOSITORIES.has(name))
  return new Set(stores.filter((name) => isRepository || name === NEEDING_NO_REPOSITORY))
}

/** Links resolved: `$HOME` may be one. */
function isHome(folder: string): boolean {
  const real = realPathOf(folder)
  return real === undefined || HOME.test(real) || real === realPathOf(homedir())
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
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
