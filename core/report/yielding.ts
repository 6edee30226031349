import { SEVERITIES } from '../scales.ts'
import type { Finding } from '../types.ts'
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
 * Only what is not more severe gives way: what is, such as a rule that knows what a credential opens, tells the place alone.
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
      const isMore = (other: One): boolean => entries.includes(other) && isMoreSevere(best, other.best)
      const beside = ({ at }: Ordered): readonly One[] => ids.flatMap((id) => told.get(placeOf(id, at)) ?? [])
      if (beside(best).some((other) => !isMore(other))) left.add(entry)
      else
        for (const other of [best, ...others].flatMap(beside))
          if (!left.has(other) && isMore(other)) {
            left.add(other)
            others.push(...other.others)
          }
    }
  return lists.map((entries) => entries.filter((entry) => !left.has(entry)))
}

function isMoreSevere(a: Finding, b: Finding): boolean {
  return SEVERITIES.indexOf(a.severity) < SEVERITIES.indexOf(b.severity)
}

function placeOf(ruleId: string, at: Ordered['at']): string {
  return `${ruleId} ${at.file} ${toNumber({ at })}`
}
