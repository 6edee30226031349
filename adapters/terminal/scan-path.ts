import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { createCatalogueClient } from '../../core/host.ts'
import {
  DEFAULT_LIMITS,
  Refusal,
  type AdvisoryPort,
  type Ahead,
  type Locale,
  type Log,
  type Report,
  type ScanControl,
  type ScanOptions,
  type ScanPorts,
  type ScanProgress,
  type SourceData,
} from '../../core/index.ts'
import { createInProcessRunner, type DirectoryOpener } from '../../core/scanner.ts'
import { createAdvisories } from '../node/advisories.ts'
import { openDirectory as openOnDisk } from '../node/directory.ts'
import { inflate } from '../node/inflate.ts'
import type { KeptResults, Records, WholeScan } from '../node/kept-results/index.ts'
import { createReadingThreads, type ReadingOptions } from '../node/reading-threads.ts'
import type { Settings } from '../node/settings.ts'
import { realPathOf } from './path-not-found.ts'

export interface ScannedPath {
  /** The report as JSON text, as the service would send it. */
  readonly text: string
  readonly parsed: Report
}

export interface PathOptions {
  readonly advisories?: AdvisoryPort
  /** Opens the results that are kept of what is scanned, by its real path. */
  readonly openKept?: (project: string) => KeptResults | undefined
  /** Threads that share a scan, its own among them, and when they are worth it; without it that one alone. */
  readonly jobs?: number
  readonly worth?: Pick<ReadingOptions, 'cost' | 'upTo'>
  /** How a folder is read; without it as it lies on the disk. */
  readonly openDirectory?: DirectoryOpener
}

const silent: Log = () => {}

export interface PathControl {
  readonly onProgress?: (progress: ScanProgress) => void
  /** Ends the scan; what it was aborted with is thrown. */
  readonly signal?: AbortSignal
  /** Told before the whole is scanned. */
  readonly ahead?: {
    readonly paths: () => readonly string[]
    readonly tell: (report: Report, paths: readonly string[]) => void
  }
}

export type PathScanner = (target: string, locale: Locale, control?: PathControl) => Promise<ScannedPath>

/** Scans a folder or a ZIP in this process. The user of the command line may read what he may read: no policy on folders. */
export function scanPath(
  target: string,
  locale: Locale,
  settings: Settings,
  onProgress?: (progress: ScanProgress) => void,
  options: PathOptions = {},
): Promise<ScannedPath> {
  return createPathScanner(settings, options)(target, locale, { onProgress })
}

/** For one path, scanned once or again and again: rules are made ready once, and what was asked of others is known. */
export function createPathScanner(
  settings: Settings,
  { advisories = createAdvisories(settings, silent), openKept, openDirectory = openOnDisk, jobs = 1, worth }: PathOptions = {},
): PathScanner {
  const ports = { advisories, catalogue: createCatalogueClient({ url: settings.catalogueUrl, log: silent }) }
  let opened: OpenedPath | undefined
  return async (target, locale, control = {}) => {
    const path = await realPathOf(target)
    const source = await readSource(path, settings.limits.upload)
    if (opened?.path !== path) opened = openPath(path, ports, { openDirectory, kept: openKept?.(path), jobs, worth })
    const options = toOptions(source.name, settings)
    const { ahead, ...watched } = control
    const tell: Ahead['tell'] = ({ records }, paths) => ahead?.tell(toScannedPath(records, locale).parsed, paths)
    const records = await opened.scan(source, options, { ...watched, ...(ahead && { ahead: { paths: ahead.paths, tell } }) })
    return toScannedPath(records, locale)
  }
}

/** The report of a scan in a language. */
export function toScannedPath(records: Records, locale: Locale): ScannedPath {
  const text = new TextDecoder().decode(records[locale])
  const parsed: Report = JSON.parse(text)
  return { text, parsed }
}

/** MiB: the stack of a process's first thread, so that parsers that recurse come equally far in all of them. Fact: `--stack-size` of V8 is 984 kB, and Node.js leaves 192 kB of a thread's free. */
const MAIN_STACK = (984 + 192) / 1024

interface OpenedPath {
  readonly path: string
  scan(source: SourceData, options: ScanOptions, control: ScanControl): Promise<Records>
}

/** Scans a path with what is kept of it: of a folder the whole report, where nothing has changed, else the results of its files. */
function openPath(
  path: string,
  ports: ScanPorts,
  {
    openDirectory,
    kept,
    jobs,
    worth,
  }: {
    readonly openDirectory: DirectoryOpener
    readonly kept: KeptResults | undefined
    readonly jobs: number
    readonly worth: PathOptions['worth']
  },
): OpenedPath {
  let whole: WholeScan | undefined
  const run = createInProcessRunner({
    ports: {
      advisories: { query: (packages, signal) => (whole?.ports ?? ports).advisories.query(packages, signal) },
      catalogue: { overview: (needed, signal) => (whole?.ports ?? ports).catalogue.overview(needed, signal) },
    },
    openDirectory: (folder, limits) => whole?.source ?? openDirectory(folder, limits),
    inflater: inflate,
    ...(kept !== undefined && { readFile: kept.readFile }),
    ...(jobs > 1 && { threads: createReadingThreads({ most: () => jobs - 1, stack: MAIN_STACK, ...worth }) }),
  })
  return {
    path,
    async scan(source, options, control) {
      whole = source.kind === 'directory' ? kept?.whole?.(openDirectory(path, options.limits), options, ports) : undefined
      const known = await whole?.find()
      const records = known ?? (await run(source, options, control)).records
      if (known === undefined) whole?.keep(records)
      kept?.finish()
      return records
    },
  }
}

/** Of a scan of the command line. */
export function toOptions(projectName: string, { limits, suppressions, fingerprintKey }: Settings): ScanOptions {
  return {
    scanId: randomUUID(),
    scannedAt: new Date().toISOString(),
    projectName,
    limits: { ...DEFAULT_LIMITS, ...limits },
    suppressions,
    ...(fingerprintKey !== undefined && { fingerprintKey }),
  }
}

/** A folder, or the bytes of an archive. Throws `upload-too-large`. */
export async function readSource(path: string, limit: number): Promise<SourceData> {
  const found = await stat(path)
  const name = basename(path)
  if (found.isDirectory()) return { kind: 'directory', path, name }
  if (found.size > limit) throw new Refusal('upload-too-large', { limit })
  return { kind: 'archive', bytes: new Uint8Array(await readFile(path)), name: name.replace(/\.(?:zip|mtar)$/i, '') }
}
