import type { RefusalCode, RefusalDetails } from '../errors.ts'
import type { ScanOptions, ScanPhase, ScanProgress, SourceData } from '../types.ts'

/** What becomes of a scan that somebody handed in and does not wait for. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Why there is no report; `requestId` is that of the request that handed it in, as the log has it. */
export interface JobFailure {
  readonly code: RefusalCode
  readonly details: RefusalDetails
  readonly requestId: string
}

/** A scan that was handed in: plain data. Its id is also that of its report. */
export interface Job {
  readonly id: string
  readonly state: JobState
  /** The last progress that was told. */
  readonly phase: ScanPhase
  readonly done: number
  readonly total: number
  /** 1: the next one; 0: it does not wait. */
  readonly position: number
  /** ISO 8601 UTC with milliseconds. */
  readonly submittedAt: string
  readonly failure?: JobFailure
}

/** A scan with everything that it needs, wherever it runs. `options.scanId` is the id of the job. */
export interface JobOrder {
  readonly space: string
  readonly requestId: string
  readonly source: SourceData
  readonly options: ScanOptions
  /** A name that the client gave to this request, and a hash of what it asks for. */
  readonly key?: { readonly name: string; readonly hash: string }
}

/** Whoever let the request in, and counts the bytes of its body. */
export interface JobHold {
  /** Aborted when the process shuts down; its reason is what becomes of the job. */
  readonly signal: AbortSignal
  /** Whether the scan waits for its turn in this process. */
  wait(waiting: boolean): void
  /** This process holds the body no longer. */
  release(): void
  /** This process does nothing any more for the job. */
  end(): void
}

export interface JobQuery {
  readonly state?: JobState
  readonly limit?: number
  readonly offset?: number
}

/** Scans that run without anybody waiting for them. Each name space has its own. */
export interface Jobs {
  /** Whether they outlive this process. */
  readonly place: 'process' | 'queue'
  /**
   * Takes a scan, or gives the job that the same key began. From then on `hold` is told of what becomes of the body, also where this throws: the refusals
   * `busy`, `queue-unavailable`, `idempotency-mismatch`, and those of the scan that show at once.
   */
  submit(order: JobOrder, hold: JobHold): Promise<Job>
  /** Throws the refusals `job-not-found` and `queue-unavailable`, as all that follow. */
  find(space: string, id: string): Promise<Job>
  /** Newest first. */
  list(space: string, query: JobQuery): Promise<readonly Job[]>
  /** One that ended stays as it is; so does one whose report is being stored. */
  cancel(space: string, id: string): Promise<void>
  /** Resolves with the job when it has ended, or rejects with the reason of the signal. */
  watch(space: string, id: string, onProgress: (progress: ScanProgress) => void, signal: AbortSignal): Promise<Job>
  /** Resolves where jobs can be taken. */
  check(): Promise<void>
}
