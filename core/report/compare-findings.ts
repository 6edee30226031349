import { compareTexts } from '../lists.ts'
import { SEVERITIES } from '../scales.ts'
import type { Finding } from '../types.ts'

/** What orders findings. One that is not finished yet has no id. */
export type Ordered = Pick<Finding, 'severity' | 'ruleId' | 'at'> & Partial<Pick<Finding, 'id'>>

/** The most severe first, then by place. */
export function compareFindings(a: Ordered, b: Ordered): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareTexts(a.at.file, b.at.file) ||
    (a.at.line ?? 0) - (b.at.line ?? 0) ||
    (a.at.column ?? 0) - (b.at.column ?? 0) ||
    compareTexts(a.ruleId, b.ruleId) ||
    compareTexts(a.id ?? '', b.id ?? '')
  )
}
