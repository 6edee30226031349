import { readFileSync } from 'node:fs'
import { createAdvisoryClient, createBundledAdvisories, createFileAdvisories, readAdvisoryFile } from '../../core/host.ts'
import type { AdvisoryPort, Log } from '../../core/index.ts'
import { SettingsFault, type Settings } from './settings.ts'

/** The advisories that the settings ask for. Throws a SettingsFault where the file is none. */
export function createAdvisories({ advisories, advisoriesUrl }: Settings, log: Log): AdvisoryPort {
  if (advisories === 'bundled') return createBundledAdvisories()
  if (advisories === 'online') return createAdvisoryClient({ url: advisoriesUrl, log })
  const read = readAdvisoryFile(readText(advisories))
  if (typeof read === 'string')
    throw new SettingsFault(`PARAPET_ADVISORIES names no file of "parapet advisories fetch" (${read})`)
  return createFileAdvisories(read)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new SettingsFault('PARAPET_ADVISORIES names a file that cannot be read')
  }
}
