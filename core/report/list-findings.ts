import { compareTexts } from '../lists.ts'
import { SEVERITIES } from '../scales.ts'
import type { Report, ReportFinding, ReportOccurrence } from './types.ts'

/** All findings of a report, the most severe first, then by place: every format tells this list. */
export function listFindings({ results }: Pick<Report, 'results'>): ReportFinding[] {
  const { ui5, cap, secrets, btp, npm, approuter } = results
  return [ui5.findings, cap.findings, secrets.findings, btp.issues, npm.findings, approuter.findings].flat().sort(compareFindings)
}

function compareFindings(a: ReportFinding, b: ReportFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareTexts(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareTexts(a.id, b.id)
  )
}

/** Where else a finding repeats, each file and line once: of several in one line a reader is told one, and none of the line that the finding itself names. */
export function listOtherPlaces({ file, line, occurrences = [] }: ReportFinding): readonly ReportOccurrence[] {
  const keyOf = (place: Pick<ReportFinding, 'file' | 'line'>): string => JSON.stringify([place.file, place.line])
  const places = new Map(occurrences.map((place) => [keyOf(place), place]))
  places.delete(keyOf({ file, line }))
  return [...places.values()]
}
