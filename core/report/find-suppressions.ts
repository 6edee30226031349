import { createGlobMatcher } from '../project/glob.ts'
import type { ConfiguredSuppression } from '../project/config.ts'
import type { Rule } from '../rules/rule.ts'
import type { Finding } from '../types.ts'

/** What is asked of rules: ids that they had before, and which others say more of one place. */
export type RuleRelations = ReadonlyMap<string, Pick<Rule, 'formerIds' | 'yieldsTo'> & Partial<Pick<Rule, 'checks'>>>

/** For the paths of all suppressions: they come from the scanned project. */
const GLOB_STEPS = 50_000_000

/** What is asked of a finding; one that is not finished yet has no id. */
export type Suppressible = Pick<Finding, 'ruleId' | 'at'> & Partial<Pick<Finding, 'id' | 'formerIds' | 'replaces'>>

/** The suppressions of a project's configuration, by what they name. */
export interface SuppressionIndex {
  /** Those that match, in their order; of equal ones the first. */
  find(finding: Suppressible): readonly ConfiguredSuppression[]
  /** The first one that is equal. */
  firstEqual(suppression: ConfiguredSuppression): ConfiguredSuppression
  /** Those that name a part of a finding alone. */
  readonly partial: ReadonlySet<ConfiguredSuppression>
  /** Patterns cost too much: those that were not compared hide nothing. */
  readonly isSpent: boolean
}

/** Those with and those without a path, which costs something to compare. */
interface Named {
  readonly anywhere: ConfiguredSuppression[]
  readonly somewhere: ConfiguredSuppression[]
}

const NONE: readonly ConfiguredSuppression[] = []

export function indexSuppressions(suppressions: readonly ConfiguredSuppression[], rules: RuleRelations): SuppressionIndex {
  const globs = createGlobMatcher(GLOB_STEPS)
  const first = new Map<string, ConfiguredSuppression>()
  const partial = new Set<ConfiguredSuppression>()
  const order = new Map<ConfiguredSuppression, number>()
  const byId = new Map<string, Named>()
  const byRule = new Map<string, Named>()
  const keyOf = ({ id, rule, path }: ConfiguredSuppression): string => JSON.stringify([id, rule, path])
  for (const suppression of suppressions) {
    const key = keyOf(suppression)
    if (first.has(key)) continue
    first.set(key, suppression)
    order.set(suppression, order.size)
    const [index, name] = suppression.id === undefined ? [byRule, suppression.rule ?? ''] : [byId, suppression.id]
    const named = index.get(name) ?? { anywhere: [], somewhere: [] }
    index.set(name, named)
    const list = suppression.path === undefined ? named.anywhere : named.somewhere
    list.push(suppression)
  }
  const namedBy = (index: ReadonlyMap<string, Named>, names: readonly string[]): readonly Named[] =>
    names.flatMap((name) => index.get(name) ?? [])

  return {
    partial,
    find({ id, formerIds = [], replaces = [], ruleId, at }) {
      if (suppressions.length === 0) return NONE
      const ruleIds = [ruleId, ...(rules.get(ruleId)?.formerIds ?? [])]
      const named = [...namedBy(byId, id === undefined ? [] : [id, ...formerIds]), ...namedBy(byRule, ruleIds)]
      const found: ConfiguredSuppression[] = []
      for (const { anywhere, somewhere } of named) {
        for (const one of anywhere) if (one.rule === undefined || ruleIds.includes(one.rule)) found.push(one)
        for (const one of somewhere) {
          if (globs.isSpent) break
          if (one.rule !== undefined && !ruleIds.includes(one.rule)) continue
          if (globs.matches(one.path ?? '', at.file)) found.push(one)
        }
      }
      const inOrder = (list: ConfiguredSuppression[]): ConfiguredSuppression[] =>
        list.length < 2 ? list : list.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
      if (replaces.length === 0) return inOrder(found)
      // one finding now stands for several: what hid each of them hides it; what hid some must not hide the others
      const parts = replaces.map((part) => byId.get(part)).map((named) => named && [...named.anywhere, ...named.somewhere])
      const all = parts.flatMap((list) => list ?? [])
      if (!parts.includes(undefined)) return [...inOrder(found), ...inOrder(all)]
      for (const one of all) partial.add(one)
      return inOrder(found)
    },
    firstEqual: (suppression) => first.get(keyOf(suppression)) ?? suppression,
    get isSpent() {
      return globs.isSpent
    },
  }
}
