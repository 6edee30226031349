import { Refusal, type Outcome, type ScanControl, type ScanOptions } from '../../core/index.ts'
import type { LeftOut, Notice } from '../../core/host.ts'
import type { HandedFindings } from './handed-findings.ts'
import type { SharedSource } from './worker-protocol.ts'

/** A scan that waits for a worker or has one. */
export interface ScanJob {
  readonly source: SharedSource
  readonly options: ScanOptions
  readonly control: ScanControl
  /** 1 for the first run, more for those that were resumed. */
  readonly attempt: number
  /** What its worker handed over so far: should it have to be ended, the report is made of these. */
  readonly findings: HandedFindings
  /** What its worker counted so far, instead of handing it over. */
  leftOut: LeftOut
  /** How many files its worker has read. */
  filesRead: number
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

/** With these a report is made in any heap that holds the rules. */
const FEW_FINDINGS = 200

/**
 * The same scan once more, without rules: the rest is read, so that damage is still a refusal, and what was found is reported. Where that was tried before,
 * the most severe findings alone are.
 */
export function resumeJob(job: ScanJob, notice: Notice): ScanJob {
  const { findings, leftOut } = job.findings.kept()
  const kept = job.options.resume === undefined ? findings : findings.slice(0, FEW_FINDINGS)
  const cut = findings.slice(kept.length)
  const suppressed = cut.filter((finding) => finding.suppressed !== undefined).length
  const resume = {
    findings: kept,
    leftOut: {
      findings: leftOut.findings + job.leftOut.findings + cut.length - suppressed,
      suppressed: leftOut.suppressed + job.leftOut.suppressed + suppressed,
      places: leftOut.places + job.leftOut.places,
    },
    notice,
    // where that was tried before, not even descriptors are read again
    filesRead: job.options.resume === undefined ? job.filesRead : 0,
  }
  return { ...job, attempt: job.attempt + 1, options: { ...job.options, resume } }
}

export function abortError(): DOMException {
  return new DOMException('the scan was cancelled', 'AbortError')
}

export function busy(): Refusal {
  return new Refusal('busy', { retryAfter: 5 })
}
