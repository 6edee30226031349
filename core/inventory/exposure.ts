import { positionAt, type LineTable } from '../parse/position.ts'
import type { ReportExposure } from '../report/types.ts'
import type { Exposure } from '../types.ts'

/** Who reaches something as the report tells it, with the line of what says so. */
export function toReportExposure(
  { reach, evidence, isDemo, by }: Exposure,
  linesOf: (file: string) => LineTable | undefined,
): ReportExposure {
  const lines = by?.span === undefined ? undefined : linesOf(by.file)
  const line = lines === undefined || by?.span === undefined ? undefined : positionAt(lines, by.span.start).line
  return {
    reach,
    ...(evidence !== undefined && { assumed: true as const }),
    ...(isDemo === true && { demo: true as const }),
    ...(by !== undefined && { by: { file: by.file, ...(line !== undefined && { line }) } }),
  }
}
