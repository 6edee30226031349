import type { Severity } from '../types.ts'

/** Weights of the base metrics (CVSS 3.1 specification, 7.4); 3.0 has the same. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
}
const PRIVILEGES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
}

/** Base score 0.0 to 10.0 of a CVSS 3.0 or 3.1 vector (specification of 3.1, 7.1); undefined: not such a vector. */
export function scoreOf(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\/[A-Z:/]{10,200}$/.test(vector)) return undefined
  const metrics = new Map(vector.split('/').map((part): [string, string] => [part.split(':')[0] ?? '', part.split(':')[1] ?? '']))
  const weigh = (metric: string): number => WEIGHTS[metric]?.[metrics.get(metric) ?? ''] ?? Number.NaN
  const scope = metrics.get('S') ?? ''
  const privileges = PRIVILEGES[scope]?.[metrics.get('PR') ?? ''] ?? Number.NaN
  const loss = 1 - (1 - weigh('C')) * (1 - weigh('I')) * (1 - weigh('A'))
  const impact = scope === 'C' ? 7.52 * (loss - 0.029) - 3.25 * (loss - 0.02) ** 15 : 6.42 * loss
  const exploitability = 8.22 * weigh('AV') * weigh('AC') * privileges * weigh('UI')
  if (Number.isNaN(impact) || Number.isNaN(exploitability)) return undefined
  if (impact <= 0) return 0
  return roundUp(Math.min(scope === 'C' ? 1.08 * (impact + exploitability) : impact + exploitability, 10))
}

/** Up to one decimal, in integers as the specification asks for (3.1, appendix A). */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}

/** The class of a base score (CVSS 3.1, 5); an advisory that scores zero is still one: LOW. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'CRITICAL'
  if (score >= 7) return 'HIGH'
  return score >= 4 ? 'MEDIUM' : 'LOW'
}
