import { isNearMiss } from '../near-miss.ts'
import type { RuleRelations } from './find-suppressions.ts'

/** Names for which the rule that was meant is looked for: each is compared with every rule, and all come from the scanned project. */
const MAX_COMPARED = 20

/** What is told of a rule that a project names. */
export interface NamedRule {
  readonly exists: boolean
  /** Of one that does not exist: the one that was most likely meant. */
  readonly meant?: string
}

/** Tells rules that exist, by an id of now or of before, from those that do not, and of these which one was meant. Of an area (`secrets/*`) nothing is said. */
export function createRuleNames(rules: RuleRelations): (name: string) => NamedRule {
  /** Most projects name no rule that would be looked for there. */
  let former: ReadonlySet<string> | undefined
  const isFormer = (name: string): boolean => {
    former ??= new Set([...rules.values()].flatMap(({ formerIds = [] }) => formerIds))
    return former.has(name)
  }
  let compared = 0
  return (name) => {
    if (rules.size === 0 || rules.has(name) || name === '' || name.endsWith('/*') || isFormer(name)) return { exists: true }
    if (compared++ >= MAX_COMPARED) return { exists: false }
    const meant = [...rules.keys()].find((one) => one.endsWith(`/${name}`) || isNearMiss(name, one))
    return { exists: false, ...(meant !== undefined && { meant }) }
  }
}
