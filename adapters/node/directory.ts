import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Refusal, type ScanLimits } from '../../core/index.ts'
import {
  BINARY_SAMPLE,
  classifyPath,
  decodeText,
  isLeftOutFolder,
  type Notice,
  type ProjectSource,
  type SourceEntry,
} from '../../core/host.ts'
import { isKeyStore, ownStoresIn } from './directory-policy.ts'
import type { RememberedFiles } from './remembered-files.ts'

/** Files that are listed and never read (media, archives, output of builds) for each of those that the limit allows. */
const UNREAD_PER_READ = 10

/**
 * A directory as a source: its files, walked without following any link. `root` is a path with its links resolved that the policy has allowed.
 * Throws `archive-too-large` (`entries`, `path`) as archives do, and `directory-not-found` where it is gone by now.
 * `remembered`: what an earlier walk of the same folder has read.
 */
export function openDirectory(root: string, limits: ScanLimits, remembered?: RememberedFiles): ProjectSource {
  const entries: SourceEntry[] = []
  const notices: Notice[] = []
  const leftOut: string[] = []
  const device = deviceOf(root)
  const folders = ['']
  let read = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = list(join(root, folder))
    if (listed === 'moved' && folder !== '') {
      notices.push(skipped('link', folder))
      continue
    }
    if (listed === undefined || listed === 'moved') {
      if (folder === '') throw new Refusal('directory-not-allowed')
      notices.push(skipped('unreadable', folder))
      continue
    }
    const own = ownStoresIn(
      join(root, folder),
      listed.map(({ name }) => name),
    )
    for (const entry of listed) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const full = join(root, path)
      if (entry.isSymbolicLink())
        notices.push(leadsInside(root, full) ? { ...skipped('inner-link', path), partial: false } : skipped('link', path))
      else if (entry.isDirectory()) {
        if (isLeftOutFolder(entry.name)) leftOut.push(path)
        else if (deviceOf(full) !== device || (isKeyStore(full) && !own.has(entry.name))) notices.push(skipped('key-store', path))
        else folders.push(path)
      } else if (entry.isFile()) {
        entries.push(toEntry(root, path, full, device, remembered))
        if (classifyPath(path).class !== 'out') read++
        if (read > limits.entries || entries.length > limits.entries * UNREAD_PER_READ)
          throw new Refusal('archive-too-large', { reason: 'entries', limit: limits.entries })
      } else notices.push(skipped('special', path))
    }
  }
  return { entries, notices, leftOut }
}

function skipped(reason: string, file: string): Notice {
  return { code: 'file-skipped', reason, file, partial: true }
}

/** Names in a folder; `moved`: it was swapped for a link, or stands elsewhere now, and must not even give names away. */
function list(folder: string): Dirent[] | 'moved' | undefined {
  return process.platform === 'linux' ? listOpened(folder) : listByPath(folder)
}

/** The folder is opened once, asked where it is, and listed as it was opened: whatever is put in its place meanwhile is not looked at. Facts: open(2), proc(5). */
function listOpened(folder: string): Dirent[] | 'moved' | undefined {
  let handle: number | undefined
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const opened = `/proc/self/fd/${handle}`
    if (readlinkSync(opened) !== folder) return 'moved'
    return readdirSync(`${opened}/.`, { withFileTypes: true })
  } catch (error) {
    return isSwapped(error) ? 'moved' : undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** What was a folder is a link or a file now. */
function isSwapped(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ELOOP' || error.code === 'ENOTDIR')
}

function listByPath(folder: string): Dirent[] | 'moved' | undefined {
  try {
    const listed = readdirSync(folder, { withFileTypes: true })
    return realpathSync(folder) === folder ? listed : 'moved'
  } catch {
    return undefined
  }
}

function deviceOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.dev
}

function toEntry(
  root: string,
  path: string,
  full: string,
  device: number | undefined,
  remembered: RememberedFiles | undefined,
): SourceEntry {
  const stat: BigIntStats | undefined = lstatSync(full, { bigint: true, throwIfNoEntry: false })
  const size = Number(stat?.size ?? 0n)
  const read = (): Uint8Array | undefined => readFile(root, full, size, device)
  return {
    path: path.normalize('NFC'),
    size,
    read: () => (stat === undefined || remembered === undefined ? read() : remembered.bytesOf(full, stat, read)),
    startsBinary() {
      const start = readFile(root, full, size, device, BINARY_SAMPLE)
      return start !== undefined && decodeText(start) === undefined
    },
  }
}

/** Whether a link leads to something of the scanned folder; nothing is opened for it. */
function leadsInside(root: string, link: string): boolean {
  try {
    const target = realpathSync(link)
    return target === root || isInside(root, target)
  } catch {
    // it leads nowhere, or in a circle
    return false
  }
}

/** Reads a file, or its first `most` bytes, that is still what it was when the folder was walked: not a link, not moved outside, not grown. A pipe must not block. */
function readFile(
  root: string,
  full: string,
  size: number,
  device: number | undefined,
  most: number = size,
): Uint8Array | undefined {
  let handle: number | undefined
  try {
    handle = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(handle)
    if (!stat.isFile() || stat.dev !== device || stat.size !== size || !isInside(root, realPathOf(handle, full))) return undefined
    const bytes = new Uint8Array(Math.min(size, most))
    let length = 0
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, length)
      if (read === 0) return undefined
      length += read
    }
    return bytes
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** Where an open file really is: a folder above it may have been swapped for a link meanwhile. Only Linux tells. */
function realPathOf(handle: number, fallback: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${handle}`) : fallback
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`)
}
