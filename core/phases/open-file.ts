import { StopSignal } from '../budget.ts'
import type { FileResult } from '../files.ts'
import type { FlowExtent } from '../flow/index.ts'
import { decodeText, type DecodedText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import type { ScanControl } from '../types.ts'
import type { FileContext } from './read-file.ts'
import type { ScanContext } from './scan-context.ts'

/** What became of a file that was opened: its text, and its result where that was made already. `faulty`: reading it ended a thread, twice. */
export type OpenedFile =
  | 'gone'
  | 'binary'
  | {
      /** Undefined: it is gone by now. */
      readonly decoded: () => DecodedText | undefined
      readonly isFaulty?: true
      readonly made?: { readonly result: FileResult; readonly flowExtent: FlowExtent }
    }

/** Throws the refusals of a damaged archive. */
export function openFile({ entry }: PlannedFile): OpenedFile {
  const raw = entry.read()
  if (raw === undefined) return 'gone'
  const decoded = decodeText(raw)
  return decoded === undefined ? 'binary' : { decoded: () => decoded }
}

/** Throws a StopSignal when the scan was cancelled. */
export function isOutOfTime(control: ScanControl): boolean {
  const interrupted = control.interruption?.()
  if (interrupted === 'cancelled') throw new StopSignal('cancelled')
  return interrupted === 'time'
}

/** What the result of a file depends on, in one scan. */
export function fileContextOf(
  { plan, engine, options, control, findings }: ScanContext,
  flowExtent: FlowExtent,
  path: string,
): FileContext {
  return {
    engine,
    limits: options.limits,
    suppressions: options.suppressions,
    ...(plan.config.flow !== undefined && { settings: plan.config.flow }),
    ...(plan.modules !== undefined && { modules: plan.modules }),
    date: options.scannedAt,
    flowExtent,
    interruption: control.interruption,
    onTimeUp: findings.outOfTime,
    onFault: (error, ruleId) =>
      control.onFault?.({ error, file: findings.secrets.maskPath(path), ...(ruleId !== undefined && { ruleId }) }),
  }
}
