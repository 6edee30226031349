import { stringConstantOf, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'

/** In place of names: all that the rows hold may be taken out, nothing tells what. */
const ALL = '*'

/** What another file has, and is called so, takes out or overwrites what it finds. */
const MASKS = /mask|redact|anonymi[sz]e|pseudonymi[sz]e|obfuscate|saniti[sz]e|scrub|strip/i

/** Whether an element of a row is taken out of it, or overwritten. */
export function isRemoved(name: string, removed: ReadonlySet<string>): boolean {
  return removed.has(name) || removed.has(ALL)
}

/** Names of what a function deletes or assigns, also with `Object.assign`; so may functions of the file that it calls or hands to a call, `users.map(withoutPassword)`. */
export function createRemovalReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (fact: FunctionFact) => ReadonlySet<string> {
  const changedIn = createInnerIndex(changesOf(facts))
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
    const removed = new Set<string>(named.some((name) => MASKS.test(name) && !byName.has(name)) ? [ALL] : [])
    for (const one of functions) {
      const changed = changedIn(one)
      step(changed.length + 1)
      for (const { name } of changed) removed.add(name)
    }
    known.set(fact, removed)
    return removed
  }
}

interface Change extends Span {
  readonly name: string
}

function changesOf({ deletions, assignments, calls }: ScriptFacts): readonly Change[] {
  const named = ({ start, end }: Span, name: string): Change => ({ start, end, name })
  return [
    // for (const name of HIDDEN) delete row[name]
    ...deletions.map((one) => named(one, one.name ?? ALL)),
    ...assignments.flatMap(({ target, value }) => {
      const name = target.name ?? (stringConstantOf(value) === undefined ? undefined : ALL)
      return name === undefined ? [] : named(target, name)
    }),
    // Object.assign(row, { iban: '***' })
    ...calls.flatMap((call) =>
      lastNameOf(call.callee) === 'assign'
        ? call.args.flatMap((given) =>
            'fields' in given ? given.fields.flatMap(({ key }) => (key === undefined ? [] : named(call, key))) : [],
          )
        : [],
    ),
  ]
}
