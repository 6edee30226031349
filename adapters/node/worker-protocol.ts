import type {
  AdvisoryAnswer,
  AdvisoryLookup,
  AdvisorySource,
  AskedPackage,
  CatalogueAnswer,
  LoadedRecords,
  LogEntry,
  Outcome,
  PackageVersion,
  RefusalCode,
  RefusalDetails,
  ScanOptions,
  ScanProgress,
} from '../../core/index.ts'
import type { Interruption, LeftOut } from '../../core/host.ts'
import type { FindingBatch } from './handed-findings.ts'

/** An archive's bytes in shared memory: the main side keeps them without a copy, should the worker have to be ended. */
export type SharedSource =
  | { readonly kind: 'archive'; readonly bytes: Uint8Array; readonly name: string }
  | { readonly kind: 'directory'; readonly path: string; readonly name: string }

/** Bytes of an archive; a directory has none of its own. */
export function archiveSize(source: SharedSource): number {
  return source.kind === 'archive' ? source.bytes.byteLength : 0
}

/** Bytes of a report in both languages. */
export function reportSize({ records }: Outcome): number {
  return records.en.byteLength + records.fr.byteLength
}

/** What a worker is started with. */
export interface WorkerFacts {
  readonly ownsProcess: boolean
}

/** Who matches packages with advisories: the worker, with what such a source knows, or the main side, where a host has a port of its own. */
export type AdvisoryPlace = AdvisorySource['kind'] | 'main'

/** Main side to worker. `flag` is one Int32 in shared memory: see `FLAGS`. */
export type ToWorker =
  | {
      readonly type: 'scan'
      readonly source: SharedSource
      readonly options: ScanOptions
      readonly flag: Int32Array
      readonly advisories: AdvisoryPlace
    }
  | { readonly type: 'advisories'; readonly answer: AdvisoryAnswer }
  | { readonly type: 'advisories-found'; readonly lookup: AdvisoryLookup }
  | { readonly type: 'advisories-loaded'; readonly records: LoadedRecords | undefined }
  | { readonly type: 'catalogue'; readonly answer: CatalogueAnswer }

/** What a worker answers the asking one with. */
export type AnswerToWorker = Exclude<ToWorker, { readonly type: 'scan' }>

/** Worker to main side. */
export type FromWorker =
  /** It has its rules and waits for a scan, or begins the one that it was handed meanwhile. */
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ScanProgress }
  | { readonly type: 'findings'; readonly batch: FindingBatch; readonly leftOut: LeftOut }
  | { readonly type: 'fault'; readonly entry: LogEntry }
  | { readonly type: 'ask-advisories'; readonly packages: readonly PackageVersion[] }
  | { readonly type: 'find-advisories'; readonly packages: readonly AskedPackage[] }
  | { readonly type: 'load-advisories'; readonly ids: readonly string[]; readonly within: number }
  | { readonly type: 'ask-catalogue'; readonly needed: boolean }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'refused'; readonly code: RefusalCode; readonly details: RefusalDetails }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'out-of-memory'; readonly message: string }
  /** Behind the end of a scan: what it let go of is given back. */
  | { readonly type: 'settled' }

/** One that carries out scans, one at a time, wherever it runs. */
export interface ScanWorker {
  scan(source: SharedSource, options: ScanOptions, advisories: AdvisoryPlace): void
  answer(message: AnswerToWorker): void
  /** Raises the flag of the scan that runs; what was raised before stays. */
  raise(why: Interruption): void
  /** Ends it whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

export interface WorkerEvents {
  message(message: FromWorker): void
  /** It ended, by itself or not. May be told twice. */
  lost(error: unknown, isOutOfMemory: boolean): void
  /** Another one is to take its place, behind the scan that runs. */
  worn(): void
}

export type StartWorker = (events: WorkerEvents) => ScanWorker

/** What the shared flag says; the step counter reads it. */
export const FLAGS: { readonly run: 0; readonly cancelled: 1; readonly time: 2 } = { run: 0, cancelled: 1, time: 2 }

export function raiseFlag(flag: Int32Array, why: Interruption): void {
  Atomics.compareExchange(flag, 0, FLAGS.run, FLAGS[why])
}

export function readFlag(flag: Int32Array): Interruption | undefined {
  const value = Atomics.load(flag, 0)
  if (value === FLAGS.cancelled) return 'cancelled'
  return value === FLAGS.time ? 'time' : undefined
}
