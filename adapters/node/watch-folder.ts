import { watch } from 'chokidar'
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isUnreadFolder } from '../../core/host.ts'
import { isKeyStore } from './directory-policy.ts'

export interface FolderWatch {
  close(): Promise<void>
}

export interface WatchOptions {
  /** Something within was made, changed, renamed or removed. */
  readonly onChange: () => void
  /** Not everything can be watched: the system has no more watches, or a folder may not be read. */
  readonly onFault: (code: string) => void
}

/** chokidar 5.0 drops a change of a file within 50 ms of another one (`_emit`): a branch that is switched and switched back, while a small folder is scanned in less. */
const LOOK_AGAIN_MS = 60

/**
 * Tells of every change below a folder that a scan could see. Resolves once it does: what changes from then on is told.
 * Fact: chokidar 5.0 opens itself again where it finds, after it was closed, that the last thing it watched is gone (`_remove`, `add`). It leaves alone what is ignored.
 */
export async function watchFolder(root: string, { onChange, onFault }: WatchOptions): Promise<FolderWatch> {
  let isClosed = false
  const looks = new Map<string, ReturnType<typeof setTimeout>>()
  const lookAgain = (path: string, seen: Stats | undefined): void => {
    clearTimeout(looks.get(path))
    const look = async (): Promise<void> => {
      looks.delete(path)
      // what is gone has an event of its own
      const now = await lstat(path).catch(() => undefined)
      if (!isClosed && now !== undefined && !isSameState(now, seen)) onChange()
    }
    looks.set(
      path,
      setTimeout(() => void look(), LOOK_AGAIN_MS),
    )
  }
  const watcher = watch(root, {
    ignoreInitial: true,
    // as a scan does
    followSymlinks: false,
    ignored: (path) => isClosed || isUnread(root, path),
  })
  watcher.on('all', (event, path, seen) => {
    onChange()
    if (event === 'change') lookAgain(path, seen)
  })
  watcher.on('error', (error) =>
    onFault(error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'),
  )
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return {
    close() {
      isClosed = true
      for (const timer of looks.values()) clearTimeout(timer)
      return watcher.close()
    },
  }
}

function isSameState(now: Stats, seen: Stats | undefined): boolean {
  return seen !== undefined && now.mtimeMs === seen.mtimeMs && now.size === seen.size && now.ino === seen.ino
}

function isUnread(root: string, path: string): boolean {
  const below = relative(root, path)
  return below !== '' && (isUnreadFolder(below.replaceAll(sep, '/')) || isKeyStore(join(root, below)))
}
