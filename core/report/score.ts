import { SEVERITIES } from '../scales.ts'
import type { Finding, RiskLevel, Severity, SeverityCounts } from '../types.ts'

const WEIGHTS: Readonly<Record<Severity, number>> = { CRITICAL: 40, HIGH: 15, MEDIUM: 5, LOW: 1, INFO: 0 }
const CAPS: Readonly<Record<Severity, number>> = { CRITICAL: 100, HIGH: 74, MEDIUM: 44, LOW: 19, INFO: 0 }

/** The risk score, an integer from 0 to 100 (api.md, "Vocabulary"): per rule its worst weight times 2 - 2^(1-n) for n findings above INFO. */
export function riskScore(findings: readonly Pick<Finding, 'ruleId' | 'severity'>[]): number {
  const perRule = new Map<string, { weight: number; count: number }>()
  let worst: Severity = 'INFO'
  for (const { ruleId, severity } of findings) {
    if (severity === 'INFO') continue
    if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(worst)) worst = severity
    const known = perRule.get(ruleId) ?? { weight: 0, count: 0 }
    perRule.set(ruleId, { weight: Math.max(known.weight, WEIGHTS[severity]), count: known.count + 1 })
  }
  let sum = 0
  for (const { weight, count } of perRule.values()) sum += weight * (2 - 2 ** (1 - count))
  return Math.min(Math.round(100 * (1 - Math.exp(-sum / 50))), CAPS[worst])
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
