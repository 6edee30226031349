import { SEVERITIES } from '../scales.ts'
import type { Finding, RiskLevel, Severity, SeverityCounts } from '../types.ts'

const WEIGHTS: Readonly<Record<Severity, number>> = { CRITICAL: 40, HIGH: 15, MEDIUM: 5, LOW: 1, INFO: 0 }
const CAPS: Readonly<Record<Severity, number>> = { CRITICAL: 100, HIGH: 74, MEDIUM: 44, LOW: 19, INFO: 0 }

/** The rule whose findings a lock file would bring. */
const ADVISORIES = 'npm/known-vulnerability'

/**
 * The risk score, an integer from 0 to 100: per rule its worst weight times 2 - 2^(1-n) for n findings above INFO. Where no lock file tells which versions are
 * installed, the advisories that may apply count as if they did: a missing lock file must not make a project look safer.
 */
export function riskScore(findings: readonly Pick<Finding, 'ruleId' | 'severity' | 'assumes'>[]): number {
  const perRule = new Map<string, { weight: number; count: number }>()
  let worst: Severity = 'INFO'
  let assumed = 0
  for (const { ruleId, severity, assumes } of findings) {
    if (severity === 'INFO') continue
    const known = perRule.get(ruleId) ?? { weight: 0, count: 0 }
    perRule.set(ruleId, { weight: Math.max(known.weight, WEIGHTS[severity]), count: known.count + 1 })
    worst = worseOf(worst, severity)
    if (assumes === undefined) continue
    const { weight, count } = perRule.get(ADVISORIES) ?? { weight: 0, count: 0 }
    perRule.set(ADVISORIES, { weight: Math.max(weight, WEIGHTS[assumes.severity]), count })
    assumed += assumes.count
    worst = worseOf(worst, assumes.severity)
  }
  const told = perRule.get(ADVISORIES)
  // what a range can't avoid is found as well, and is among what is assumed
  if (told !== undefined) perRule.set(ADVISORIES, { ...told, count: Math.max(told.count, assumed) })
  let sum = 0
  for (const { weight, count } of perRule.values()) sum += weight * (2 - 2 ** (1 - count))
  return Math.min(Math.round(100 * (1 - Math.exp(-sum / 50))), CAPS[worst])
}

function worseOf(one: Severity, other: Severity): Severity {
  return SEVERITIES.indexOf(one) < SEVERITIES.indexOf(other) ? one : other
}

export function riskLevel(score: number): RiskLevel {
  if (score === 0) return 'NONE'
  if (score < 20) return 'LOW'
  if (score < 45) return 'MEDIUM'
  return score < 75 ? 'HIGH' : 'CRITICAL'
}

export function countSeverities(findings: readonly Pick<Finding, 'severity'>[]): SeverityCounts {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length
  return {
    critical: of('CRITICAL'),
    high: of('HIGH'),
    medium: of('MEDIUM'),
    low: of('LOW'),
    info: of('INFO'),
    total: findings.length,
  }
}
