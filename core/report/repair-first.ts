import { SEVERITIES } from '../scales.ts'
import type { ReportFinding } from './types.ts'

/** Where a reader should begin, and how much that ends. */
export interface FirstRepair {
  readonly finding: ReportFinding
  /** Findings of the same rule with the same fix, this one among them: one repair, done in all their places, ends them. */
  readonly alike: number
}

const MAX_FIRST = 3
const LEAST = SEVERITIES.indexOf('MEDIUM')

/** The worst findings, one of each rule and of each package, where there are too many to see at a glance. `findings`: the most severe first. */
export function listFirstRepairs(findings: readonly ReportFinding[]): readonly FirstRepair[] {
  if (findings.length <= MAX_FIRST) return []
  const first: ReportFinding[] = []
  for (const finding of findings) {
    if (first.length === MAX_FIRST || SEVERITIES.indexOf(finding.severity) > LEAST) break
    if (!first.some((told) => told.ruleId === finding.ruleId || isSamePackage(told, finding))) first.push(finding)
  }
  // a fix that names its package, entity or setting repairs no other one
  const isAlike = (finding: ReportFinding, other: ReportFinding): boolean =>
    other.ruleId === finding.ruleId && other.fix === finding.fix
  return first.map((finding) => ({ finding, alike: findings.filter((other) => isAlike(finding, other)).length }))
}

function isSamePackage(a: ReportFinding, b: ReportFinding): boolean {
  return a.file === b.file && a.package !== undefined && a.package.name === b.package?.name
}
