import type { Engine } from '../engine.ts'
import type { FileKind } from '../files.ts'
import type { FlowExtent } from '../flow/index.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { readTelling } from './kept-results.ts'
import { toFileResult, type FileContext, type KeptResult } from './read-file.ts'

/** What results of files depend on beside their files: plain data, for a thread that has the rules. */
export type SharedContext = Pick<FileContext, 'limits' | 'suppressions' | 'settings' | 'modules' | 'date'>

/** A file on its way to another thread, which gets its bytes. */
export interface HandedFile {
  /** Its place in the plan of the scan. */
  readonly index: number
  readonly path: string
  readonly kind: FileKind
  readonly scope: 'all' | 'secrets'
  readonly bytes: Uint8Array
}

export interface HandedBatch {
  readonly files: readonly HandedFile[]
  readonly flowExtent: FlowExtent
}

/** `isWhole`: no budget cut it short, so that it may be kept. */
export interface MadeResult {
  readonly kept: KeptResult
  readonly isWhole: boolean
}

export interface FileAnswer {
  readonly index: number
  /** Undefined where something was thrown: whoever asked reads the file itself, and tells of it. */
  readonly made: MadeResult | 'binary' | undefined
}

/** A thread that makes results of files beside that of the scan. */
export interface ReadingThread {
  hand(batch: HandedBatch): void
  /** What it has answered since it was asked last. Never waits. */
  take(): readonly FileAnswer[]
  /** It was started and has its rules. */
  readonly isReady: boolean
  /** It ended by itself: what it was handed and has not answered is lost. */
  readonly isLost: boolean
  end(): void
}

/** Threads for the phase *read*; what a platform brings that has them. */
export interface ReadingThreads {
  /** How many a scan may have now, beside its own. */
  most(): number
  /** Bytes that are read in the time that one takes to start and to compile what it runs: with less to read there would be nothing left for it. */
  readonly cost: number
  /** Bytes of a project beyond which none is started, where what each of them holds counts. */
  readonly upTo?: number
  start(context: SharedContext): ReadingThread
  /** Resolves once any of them has answered or is lost, or after a moment. */
  arrival(): Promise<void>
}

/** What such a thread does with a file. It is never interrupted: who has no use for it any more ends the thread. */
export function readHanded(
  { index, path, kind, scope, bytes }: HandedFile,
  flowExtent: FlowExtent,
  shared: SharedContext,
  engine: Engine,
): FileAnswer {
  const decoded = decodeText(bytes)
  if (decoded === undefined) return { index, made: 'binary' }
  const planned: PlannedFile = { path, kind, scope, entry: { path, size: bytes.length, read: () => bytes } }
  let isFaulty = false
  try {
    const made = readTelling(toFileResult, planned, decoded, {
      ...shared,
      engine,
      flowExtent,
      interruption: undefined,
      onTimeUp: () => (isFaulty = true),
      onFault: () => (isFaulty = true),
    })
    return { index, made: isFaulty ? undefined : made }
  } catch {
    return { index, made: undefined }
  }
}
