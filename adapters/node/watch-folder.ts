import { watch } from 'chokidar'
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

/**
 * Tells of every change below a folder that a scan could see. Resolves once it does: what changes from then on is told.
 * Fact: chokidar 5.0 opens itself again where it finds, after it was closed, that the last thing it watched is gone (`_remove`, `add`). It leaves alone what is ignored.
 */
export async function watchFolder(root: string, { onChange, onFault }: WatchOptions): Promise<FolderWatch> {
  let isClosed = false
  const watcher = watch(root, {
    ignoreInitial: true,
    // as a scan does
    followSymlinks: false,
    ignored: (path) => isClosed || isUnread(root, path),
  })
  watcher.on('all', onChange)
  watcher.on('error', (error) =>
    onFault(error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'),
  )
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return {
    close() {
      isClosed = true
      return watcher.close()
    },
  }
}

function isUnread(root: string, path: string): boolean {
  const below = relative(root, path)
  return below !== '' && (isUnreadFolder(below.replaceAll(sep, '/')) || isKeyStore(join(root, below)))
}
