import { bindingOf } from '../../facts/asked-values.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { findPart, type Binding, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import { append, groupBy } from '../../lists.ts'
import { RESPONSE_NAME } from '../tables/requests.ts'
import type { EffectReader } from './route-effects.ts'

/**
 * Functions that keep their response in a list, to all of which another function of the file later writes stored data: `clients.push(res)`, and
 * `clients.forEach((client) => client.write(text))` in a function that is called with rows. Fact: HTML standard, "Server-sent events" (a response that stays open).
 */
export function createKeptResponseReader(
  facts: ScriptFacts,
  effects: EffectReader,
  step: (count?: number) => void,
): (fact: FunctionFact) => boolean {
  const kept = new Map<Binding, FunctionFact[]>()
  for (const { callee, args, function: around } of facts.calls) {
    const list = 'object' in callee && KEEPS.test(callee.name ?? '') ? bindingOf(callee.object) : undefined
    if (list?.isCaptured !== true || !args.some(isResponse)) continue
    append(kept, list, around)
  }
  const found = new Set<FunctionFact>()
  if (kept.size === 0) return () => false
  const calledBy = groupBy(facts.calls, ({ callee }) => functionOf(callee))
  for (const [list, keepers] of kept) {
    step(facts.calls.length + facts.bindings.length)
    const writers = writersTo(list, facts, step)
    if (writers.some((writer) => getsRows(writer, calledBy.get(writer) ?? [], effects, step)))
      for (const one of keepers) found.add(one)
  }
  return (fact) => found.has(fact)
}

const KEEPS = /^(?:push|add|set|unshift)$/
const WRITES = /^(?:write|send|json|end)$/

function isResponse(value: Value): boolean {
  const binding = bindingOf(value)
  return binding !== undefined && RESPONSE_NAME.test(binding.name)
}

/** Functions that write to each item of a list. */
function writersTo(list: Binding, { calls, bindings }: ScriptFacts, step: (count?: number) => void): readonly FunctionFact[] {
  const writes = calls.filter(({ callee }) => 'object' in callee && WRITES.test(callee.name ?? ''))
  const each = calls.flatMap((call) => {
    const { callee, args } = call
    if (!('object' in callee) || callee.name !== 'forEach' || bindingOf(callee.object) !== list) return []
    const item = functionOf(args[0])
    step(writes.length)
    return item !== undefined && writes.some((write) => isWithin(write, item)) ? [call.function] : []
  })
  // for (const client of clients) client.write(text)
  const items = new Set(
    bindings.filter(({ definitions }) =>
      definitions.some(({ kind, value }) => kind === 'each' && value && bindingOf(value) === list),
    ),
  )
  const looped = writes.flatMap(({ callee, function: around }) => {
    const item = 'object' in callee ? bindingOf(callee.object) : undefined
    return item !== undefined && items.has(item) ? [around] : []
  })
  return [...new Set([...each, ...looped])]
}

/** It is called with rows, or reads them itself. */
function getsRows(
  writer: FunctionFact,
  calls: readonly CallValue[],
  effects: EffectReader,
  step: (count?: number) => void,
): boolean {
  if (effects.usesOf(writer) === 'stored') return true
  return calls.some(({ args, function: around }) => {
    const inside = effects.within(around)
    step(inside.length)
    const stored = new Set(inside.flatMap(({ usesData, start }) => (usesData === 'stored' ? [start] : [])))
    return args.some((given) => findPart(given, (part) => 'callee' in part && stored.has(part.start)) !== undefined)
  })
}
