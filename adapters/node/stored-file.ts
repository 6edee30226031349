import { randomBytes } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** No record of ours comes near; what is larger is none. */
export const MAX_RECORD: number = 512 * 1024 * 1024
export const MAX_TEXT: number = 1024 * 1024

/** A temporary file is this old before it is taken for left behind: a record is written in seconds. */
const LEFT_BEHIND_MS = 10 * 60 * 1000

/**
 * Reads a whole file: null where there is none, nothing where something else stands in its place, or more than it may have. Neither a link is followed nor a pipe waited for:
 * a reader that blocks would take one of the process's few threads for files with it.
 */
export async function readStored(path: string, most: number): Promise<Buffer | null> {
  let handle
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    // a link, a socket, a folder on Windows
    if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') return Buffer.alloc(0)
    throw error
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size > most) return Buffer.alloc(0)
    const bytes = Buffer.allocUnsafeSlow(stat.size)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) return Buffer.alloc(0)
      length += bytesRead
    }
    return bytes
  } finally {
    await handle.close()
  }
}

/** Whether a file stands there. Throws where that can't be known. */
export async function hasStored(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Writes a file so that no reader sees half of one, and so that it outlives a crash of the machine: in the folder for temporary ones, flushed, then
 * moved to its place. What fails leaves nothing behind.
 */
export async function writeStored(temporaries: string, path: string, value: string | Uint8Array): Promise<void> {
  await place(temporaries, path, value, rename)
}

/** The same only where no file stands yet, whoever else writes: false where one does. */
export async function createStored(temporaries: string, path: string, value: string): Promise<boolean> {
  try {
    // unlike a move, a second name takes nobody's place
    await place(temporaries, path, value, link)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function place(
  temporaries: string,
  path: string,
  value: string | Uint8Array,
  moveTo: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const temporary = join(temporaries, randomBytes(8).toString('hex'))
  const handle = await open(temporary, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(value)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await moveTo(temporary, path)
    await rm(temporary, { force: true })
    await syncFolders(dirname(path), created === undefined ? dirname(path) : dirname(created))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Removes what a process left behind when it was killed in the middle of a write: temporary files, and folders in which nothing stands yet. */
export async function sweepLeftBehind(folder: string, temporaries: string, now: number): Promise<void> {
  for (const entry of await listFolder(folder)) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    for (const inner of await listFolder(path)) {
      if (path === temporaries) await removeOld(join(path, inner.name), now, (file) => rm(file, { force: true, recursive: true }))
      else if (inner.isDirectory()) await removeOld(join(path, inner.name), now, removeEmpty)
    }
  }
}

async function removeOld(path: string, now: number, remove: (path: string) => Promise<void>): Promise<void> {
  try {
    const { mtimeMs } = await lstat(path)
    if (now - mtimeMs > LEFT_BEHIND_MS) await remove(path)
  } catch (error) {
    // another process may sweep too
    if (!isMissing(error)) throw error
  }
}

/** Removes a folder in which nothing stands. */
export async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!isMissing(error) && codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
}

/** Nothing where there is no such folder. */
export async function listFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** A move itself, and a new folder, must outlive a loss of power. Windows can't open folders. */
async function syncFolders(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (folder === to || folder === dirname(folder)) return
  }
}
