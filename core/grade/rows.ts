import type { Circumstance, Impact, Reach, Severity } from '../types.ts'
import { claimOf, levelOf, toGrade, type GradedRule } from './grade.ts'
import { levelsOf } from './table.ts'

/** A row of the table as one rule uses it: the severity by who can start it. A reach that the rule never has, or that makes no finding, is left out. */
export interface GradeRow {
  readonly impact: Impact
  readonly circumstance?: Circumstance
  readonly levels: Readonly<Partial<Record<Reach, Severity>>>
}

/**
 * The rows that the findings of a rule come from, one for each impact and circumstance that it and its variants declare, with what they say of the proof.
 * What has the level of an advisory has no row.
 */
export function rowsOf(rule: GradedRule): readonly GradeRow[] {
  const rows = new Map<string, GradeRow>()
  for (const variant of [undefined, ...Object.keys(rule.grades ?? {})]) {
    const claim = claimOf(rule, { ...(variant !== undefined && { variant }) })
    if (claim.advisory !== undefined) continue
    const { impact, circumstance } = claim
    const key = `${impact} ${circumstance ?? ''}`
    const levels: Partial<Record<Reach, Severity>> = { ...rows.get(key)?.levels }
    for (const [reach] of levelsOf(impact, circumstance)) {
      if (claim.reach !== undefined && claim.reach !== reach) continue
      const level = levelOf(toGrade({ ...claim, reach }, { reach }, 'deployed'))
      // a variant that the project proves better counts
      if (level !== 'none') levels[reach] = higher(level, levels[reach])
    }
    if (Object.keys(levels).length > 0) rows.set(key, { impact, ...(circumstance !== undefined && { circumstance }), levels })
  }
  return [...rows.values()]
}

const FROM_WORST: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']

function higher(one: Severity, other: Severity = 'INFO'): Severity {
  return FROM_WORST.indexOf(one) < FROM_WORST.indexOf(other) ? one : other
}
