import { valuesOf, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'

/** Values that something is made of, decided by, or given: not those that a statement computes and drops. */
export function usedValues(facts: ScriptFacts): ReadonlySet<Value> {
  const used = new Set<Value>()
  // `void check()` says that nobody waits for it
  for (const { value, parent } of valuesOf(facts))
    if (parent !== undefined && !(parent.kind === 'operation' && parent.operator === 'void')) used.add(value)
  for (const { test } of facts.guards) used.add(test)
  for (const { returns } of facts.functions) for (const value of returns) used.add(value)
  for (const { value } of facts.assignments) used.add(value)
  for (const { definitions } of facts.bindings) for (const { value } of definitions) if (value !== undefined) used.add(value)
  return used
}

/** Tells of calls whose result nobody takes, waits for or returns. */
export function createDropReader(
  text: string,
  facts: ScriptFacts,
  used: ReadonlySet<Value> = usedValues(facts),
): (call: CallValue) => boolean {
  const outerOf = new Map<Value, CallValue>()
  for (const call of facts.calls) if (call.callee.kind === 'member') outerOf.set(call.callee.object, call)
  return (call) => {
    let here = call
    for (let outer = outerOf.get(here); outer !== undefined; outer = outerOf.get(here)) here = outer
    return !used.has(here) && !/\b(?:await|return|yield)[\s(]{0,10}$/.test(text.slice(Math.max(0, here.start - 20), here.start))
  }
}
