import { createBundledAdvisories } from './advisories/bundled.ts'
import { createBundledCatalogue } from './catalogue/bundled.ts'
import { createEngine, type Engine } from './engine.ts'
import { Refusal } from './errors.ts'
import { describeFault, logFaults, type Log } from './log.ts'
import type { ScanPorts } from './phases/fetch.ts'
import type { FileReader } from './phases/read-file.ts'
import type { ReadingThreads } from './phases/reading-threads.ts'
import { openArchive } from './project/archive.ts'
import type { Inflater } from './project/inflate.ts'
import { RULES } from './rules/index.ts'
import { scan } from './scan.ts'
import type { Interruption, ProjectSource, ScanControl, ScanLimits, ScanOptions, ScanRunner, SourceData } from './types.ts'

/** Opens a directory as a source; a platform brings it. Throws a Refusal. */
export type DirectoryOpener = (path: string, limits: ScanLimits) => ProjectSource

/** What a platform brings to open sources with. */
export interface SourceTools {
  /** Without it directories can't be read: `directory-scan-unavailable`. */
  readonly openDirectory?: DirectoryOpener
  /** Without it archives are inflated by what runs everywhere. */
  readonly inflater?: Inflater
}

export interface InProcessOptions extends SourceTools {
  /** What is known of packages and UI5 versions; without it the bundled snapshots, and nobody is asked. */
  readonly ports?: ScanPorts
  /** Where faults of rules are told; the console by default. */
  readonly log?: Log
  /** How files become results, where some are known from another scan. */
  readonly readFile?: FileReader
  /** Threads that share the reading of a scan. */
  readonly threads?: ReadingThreads
}

/** Runs a scan in the caller's own thread; yields between files. Where the clock stands still (edge), the budgets in steps alone end it. */
export function createInProcessRunner({
  ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() },
  log = logFaults,
  readFile,
  threads,
  ...tools
}: InProcessOptions = {}): ScanRunner {
  let engine: Engine | undefined
  return async (source, options, control) => {
    engine ??= createEngine(RULES)
    const started = Date.now()
    const interruption = (): Interruption | undefined => {
      if (control.signal?.aborted === true) return 'cancelled'
      return control.interruption?.() ?? (Date.now() - started > options.limits.scanTime ? 'time' : undefined)
    }
    const pause = createPause()
    const watched: ScanControl = { onFault: (fault) => log(describeFault(fault)), ...control, interruption, pause }
    return scan(openSource(source, options, tools), options, engine, ports, watched, readFile, threads)
  }
}

/** An archive's or a directory's entries. Throws the refusals of the gate, and `directory-scan-unavailable`. */
export function openSource(source: SourceData, options: ScanOptions, { openDirectory, inflater }: SourceTools): ProjectSource {
  if (source.kind === 'archive') return openArchive(source.bytes, options.limits, inflater)
  if (openDirectory === undefined) throw new Refusal('directory-scan-unavailable')
  return openDirectory(source.path, options.limits)
}

/** Where the clock stands still. */
const FILES_PER_TURN = 256
/** Milliseconds: long enough that a timer, which takes one, costs little; short enough for whoever waits. */
const TURN = 10

/** Lets others have their turn after a while, large files one by one: a timer for each would cost more than files do whose results are kept. */
function createPause(): () => Promise<void> {
  let files = 0
  let begun = Date.now()
  return async () => {
    if (++files % FILES_PER_TURN !== 0 && Date.now() - begun < TURN) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    begun = Date.now()
  }
}
