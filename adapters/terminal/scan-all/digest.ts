import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DEFAULT_LIMITS } from '../../../core/index.ts'
import { openDirectory } from '../../node/directory.ts'
import type { Settings } from '../../node/settings.ts'
import type { FoundProject } from './find-projects.ts'

/** SHA-256 of what a scan of the project would read: paths and bytes of its files, and the names of what is left out. Throws refusals. */
export async function digestOf({ path, isFolder }: FoundProject, settings: Settings): Promise<string> {
  const hash = createHash('sha256')
  if (!isFolder) return hash.update(await readFile(path)).digest('hex')
  const { entries, notices, leftOut } = openDirectory(path, { ...DEFAULT_LIMITS, ...settings.limits })
  hash.update(JSON.stringify([notices, leftOut]))
  for (const entry of entries) {
    const bytes = entry.read()
    hash.update(`${JSON.stringify([entry.path, bytes?.byteLength])}\n`)
    if (bytes !== undefined) hash.update(bytes)
  }
  return hash.digest('hex')
}
