import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** Files of a folder that is the user's alone. Whatever is wrong with it: nothing is kept, and nobody is stopped. */
export interface CacheFolder {
  /** Undefined where there is no such file, or it is none of ours. */
  read(name: string): Uint8Array | undefined
  /** In one step: who reads meanwhile reads what was there before. */
  write(name: string, bytes: Uint8Array): void
  /** Says that it was of use: what was not for longest goes first. */
  touch(name: string): void
}

const ENDING = '.pack'
const TEMPORARY = '.tmp'
/** What a process left that ended while it wrote. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

/**
 * Where the user keeps what may be thrown away. Undefined for a process that has no home.
 * Facts: XDG Base Directory Specification 0.8 (relative paths are ignored); Apple, "File System Programming Guide"; Microsoft, "KNOWNFOLDERID" (LocalAppData).
 */
export function userCacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = environment
  if (platform === 'win32') return local === undefined || !isAbsolute(local) ? undefined : join(local, 'parapet', 'Cache')
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'parapet')
  if (home === undefined || !isAbsolute(home)) return undefined
  return platform === 'darwin' ? join(homedir(), 'Library', 'Caches', 'parapet') : join(homedir(), '.cache', 'parapet')
}

/** Opens the folder within `parent`, made where it is missing. Undefined where it is not the user's alone. `most`: bytes of all files together. */
export function openCacheFolder(parent: string, most: number): CacheFolder | undefined {
  const folder = join(parent, 'results')
  try {
    makeFolder(folder)
    if (!isOwn(folder)) return undefined
    chmodSync(folder, 0o700)
  } catch {
    return undefined
  }
  const pathOf = (name: string): string => join(folder, `${name}${ENDING}`)
  return {
    read: (name) => attempt(() => readOwn(pathOf(name), most)),
    write(name, bytes) {
      const temporary = `${pathOf(name)}.${process.pid}${TEMPORARY}`
      const done = attempt(() => {
        writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' })
        renameSync(temporary, pathOf(name))
        return true
      })
      if (done === undefined) attempt(() => rmSync(temporary, { force: true }))
      attempt(() => prune(folder, most))
    },
    touch: (name) => void attempt(() => utimesSync(pathOf(name), new Date(), new Date())),
  }
}

/** With those above it. Node.js's own way never comes back from a place like /proc, where nothing can be made (20.20). */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Where a folder really is, or will be once it is made: to be compared with what is scanned. */
export function realFolder(path: string): string {
  const whole = resolve(path)
  const real = attempt(() => realpathSync(whole))
  if (real !== undefined || dirname(whole) === whole) return real ?? whole
  return join(realFolder(dirname(whole)), basename(whole))
}

/** Not a link, and of nobody else: others could read along, or write results of theirs. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder)
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())
}

function readOwn(path: string, most: number): Uint8Array | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const { size, uid } = fstatSync(handle)
    const isOurs = fstatSync(handle).isFile() && (process.getuid === undefined || uid === process.getuid())
    return isOurs && size <= most ? readFileSync(handle) : undefined
  } finally {
    closeSync(handle)
  }
}

/** Removes what was of no use for longest until the rest has room, and what was left behind. */
function prune(folder: string, most: number): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const found = attempt(() => statSync(path))
    return found === undefined ? [] : [{ path, size: found.size, used: found.mtimeMs, isTemporary: name.endsWith(TEMPORARY) }]
  })
  let room = most
  for (const { path, size, used, isTemporary } of files.toSorted((a, b) => b.used - a.used)) {
    if (isTemporary ? Date.now() - used < LEFT_BEHIND_MS : size <= room) room -= size
    else attempt(() => rmSync(path, { force: true }))
  }
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
