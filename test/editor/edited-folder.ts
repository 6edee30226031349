import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { startClient, type ClientOptions, type EditorClient } from './client.ts'

/** A folder of its own for each test of a file, and the editor in which it is open. */
export interface EditedFolder {
  readonly root: () => string
  at(path: string): string
  /** Writes a file, and gives its whole path. */
  write(path: string, text: string): string
  /** Starts an editor with the folder open, unless it is told others. */
  start(options?: Partial<ClientOptions>): Promise<EditorClient>
  /** Forgets the editor that was started last: it ended by itself. */
  forget(): void
}

/** Makes it before each test, with what `fill` writes into it; behind the test editor and folder go. */
export function useEditedFolder(fill: (folder: EditedFolder) => void): EditedFolder {
  let root = ''
  let client: EditorClient | undefined
  const at = (path: string): string => join(root, path)
  const folder: EditedFolder = {
    root: () => root,
    at,
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
      return at(path)
    },
    start: async (options = {}) => (client = await startClient({ folders: [root], ...options })),
    forget: () => void (client = undefined),
  }
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-editor-')))
    fill(folder)
  })
  afterEach(async () => {
    await client?.stop()
    client = undefined
    rmSync(root, { recursive: true, force: true })
  })
  return folder
}

/** Rules of what is told of a file, in its order. */
export const codes = (it: EditorClient, path: string): unknown[] => it.diagnostics(path).map(({ code }) => code)
