import type { FunctionFact, ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'

/** Names of what a function deletes or assigns; so may functions of the file that it calls or hands to a call, `users.map(withoutPassword)`. */
export function createRemovalReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (fact: FunctionFact) => ReadonlySet<string> {
  const changedIn = createInnerIndex([...facts.deletions, ...facts.assignments.map(({ target }) => target)])
  const callsIn = createInnerIndex(facts.calls)
  const byName = groupBy(facts.functions, ({ name }) => lastName(name))
  const known = new Map<FunctionFact, ReadonlySet<string>>()
  return (fact) => {
    const before = known.get(fact)
    if (before !== undefined) return before
    const calls = callsIn(fact)
    step(calls.length)
    const named = calls.flatMap(({ callee, args }) => [callee, ...args].flatMap((value) => lastNameOf(value) ?? []))
    const functions = [fact, ...[...new Set(named)].flatMap((name) => byName.get(name) ?? [])]
    const removed = new Set<string>()
    for (const one of functions) {
      const changed = changedIn(one)
      step(changed.length + 1)
      for (const { name } of changed) if (name !== undefined) removed.add(name)
    }
    known.set(fact, removed)
    return removed
  }
}
