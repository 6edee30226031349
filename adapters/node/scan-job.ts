import { Refusal, type Outcome, type ScanControl, type ScanOptions } from '../../core/index.ts'
import type { Finding, Notice } from '../../core/host.ts'
import { FLAGS, type SharedSource } from './worker-protocol.ts'

/** A scan that waits for a worker or has one. */
export interface ScanJob {
  readonly source: SharedSource
  readonly options: ScanOptions
  readonly control: ScanControl
  readonly flag: Int32Array
  /** What its worker handed over so far: should it have to be ended, the report is made of these. */
  readonly findings: Finding[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

export function allocateShared(bytes: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(bytes))
}

/** Puts an archive's bytes into shared memory, where they aren't there already, and gives its old memory back. The runner owns what it was handed. */
export function shareSource(source: SharedSource): SharedSource {
  if (source.kind !== 'archive' || source.bytes.buffer instanceof SharedArrayBuffer) return source
  const shared = allocateShared(source.bytes.byteLength)
  shared.set(source.bytes)
  const { buffer } = source.bytes
  // a transfer to nobody detaches the upload's memory now, not when the request's last reference goes
  if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] })
  return { kind: 'archive', name: source.name, bytes: shared }
}

export function createFlag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4))
}

export function raise(job: ScanJob, why: 'cancelled' | 'time'): void {
  Atomics.compareExchange(job.flag, 0, FLAGS.run, FLAGS[why])
}

/** The same scan once more, without rules: the rest is read, so that damage is still a refusal, and what was found is reported. */
export function resumeJob(job: ScanJob, notice: Notice): ScanJob {
  return { ...job, flag: createFlag(), findings: [], options: { ...job.options, resume: { findings: job.findings, notice } } }
}

export function abortError(): DOMException {
  return new DOMException('the scan was cancelled', 'AbortError')
}

export function busy(): Refusal {
  return new Refusal('busy', { retryAfter: 5 })
}
