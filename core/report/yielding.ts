import { SEVERITIES } from '../scales.ts'
import type { Finding, Severity } from '../types.ts'
import type { Ordered } from './compare-findings.ts'
import type { RuleRelations } from './find-suppressions.ts'

/** A finding with its other places. */
interface Told {
  readonly best: Finding
  readonly others: Ordered[]
}

/** Rules that tell credentials by what they look like: they know one file, and nothing of what a credential opens. */
export function isOfCredentials(ruleId: string): boolean {
  return ruleId.startsWith('secrets/')
}

export function ruleAndFile({ ruleId, at }: Ordered): string {
  return `${ruleId} ${at.file}`
}

/** A place within a file. */
export function toNumber({ at: { line = 0, column = 0 } }: Pick<Ordered, 'at'>): number {
  return line * 2 ** 20 + column
}

/**
 * Leaves out what gives way to the finding of another rule at the very same place, shown or hidden: flow is followed long after a file was read.
 * What is two levels more severe stays, and to a rule that tells credentials by their looks only what is not more severe gives way: then that one gives way, since what knows that a credential opens more tells it alone.
 */
export function withoutYielding<One extends Told>(lists: readonly (readonly One[])[], rules: RuleRelations): One[][] {
  const told = new Map(lists.flatMap((entries) => entries.map((entry) => [placeOf(entry.best.ruleId, entry.best.at), entry])))
  const left = new Set<Told>()
  for (const entries of lists)
    for (const entry of entries) {
      const { best, others } = entry
      const ids = rules.get(best.ruleId)?.yieldsTo ?? []
      if (ids.length === 0) continue
      // what the project hides stays hidden
      const isMore = (id: string, other: One): boolean =>
        entries.includes(other) && outranks(best.severity, other.best.severity, id)
      const beside = ({ at }: Ordered): readonly (readonly [string, One])[] =>
        ids.flatMap((id) => {
          const other = told.get(placeOf(id, at))
          return other === undefined ? [] : [[id, other] as const]
        })
      if (beside(best).some(([id, other]) => !isMore(id, other))) left.add(entry)
      else
        for (const [id, other] of [best, ...others].flatMap(beside))
          if (isOfCredentials(id) && !left.has(other) && isMore(id, other)) {
            left.add(other)
            others.push(...other.others)
          }
    }
  return lists.map((entries) => entries.filter((entry) => !left.has(entry)))
}

/**
 * Whether a finding is so much more severe than one of a rule that it yields to that it stays: a rule that knows more may well say one level less, and what credentials look like says little.
 */
export function outranks(severity: Severity, other: Severity, otherRule: string): boolean {
  const further = SEVERITIES.indexOf(other) - SEVERITIES.indexOf(severity)
  return further > (isOfCredentials(otherRule) ? 0 : 1)
}

/** The place of the gravest of severities in their scale; behind its end where there are none. */
export function gravestOf(severities: readonly Severity[]): number {
  return Math.min(SEVERITIES.length, ...severities.map((severity) => SEVERITIES.indexOf(severity)))
}

function placeOf(ruleId: string, at: Ordered['at']): string {
  return `${ruleId} ${at.file} ${toNumber({ at })}`
}
