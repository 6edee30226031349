import { randomUUID } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  createCatalogueClient,
  createInProcessRunner,
  DEFAULT_LIMITS,
  Refusal,
  type AdvisoryPort,
  type Locale,
  type Log,
  type Report,
  type ScanProgress,
  type SourceData,
} from '../../core/index.ts'
import { createAdvisories } from '../node/advisories.ts'
import { openDirectory } from '../node/directory.ts'
import type { KeptResults } from '../node/kept-results/index.ts'
import type { Settings } from '../node/settings.ts'

export interface ScannedPath {
  /** The report as JSON text, as the service would send it. */
  readonly text: string
  readonly parsed: Report
}

export interface PathOptions {
  readonly advisories?: AdvisoryPort
  /** Opens the results that are kept of what is scanned, by its real path. */
  readonly openKept?: (project: string) => KeptResults | undefined
}

const silent: Log = () => {}

/** Scans a folder or a ZIP in this process. The user of the command line may read what he may read: no policy on folders. */
export async function scanPath(
  target: string,
  locale: Locale,
  settings: Settings,
  onProgress?: (progress: ScanProgress) => void,
  { advisories = createAdvisories(settings, silent), openKept }: PathOptions = {},
): Promise<ScannedPath> {
  const ports = {
    advisories,
    catalogue: createCatalogueClient({ url: settings.catalogueUrl, log: silent }),
  }
  const path = await realpath(target).catch(() => undefined)
  if (path === undefined) throw new Refusal('directory-not-found')
  const source = await readSource(path, settings.limits.upload)
  const kept = openKept?.(path)
  const run = createInProcessRunner({ ports, openDirectory, ...(kept !== undefined && { readFile: kept.readFile }) })
  const options = {
    scanId: randomUUID(),
    scannedAt: new Date().toISOString(),
    projectName: source.name,
    limits: { ...DEFAULT_LIMITS, ...settings.limits },
    suppressions: settings.suppressions,
    ...(settings.fingerprintKey !== undefined && { fingerprintKey: settings.fingerprintKey }),
  }
  const { records } = await run(source, options, { onProgress })
  kept?.finish()
  const text = new TextDecoder().decode(records[locale])
  const parsed: Report = JSON.parse(text)
  return { text, parsed }
}

async function readSource(path: string, limit: number): Promise<SourceData> {
  const found = await stat(path)
  const name = basename(path)
  if (found.isDirectory()) return { kind: 'directory', path, name }
  if (found.size > limit) throw new Refusal('upload-too-large', { limit })
  return { kind: 'archive', bytes: new Uint8Array(await readFile(path)), name: name.replace(/\.(?:zip|mtar)$/i, '') }
}
