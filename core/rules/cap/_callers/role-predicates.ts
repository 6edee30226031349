import { valuesOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { asksForRole } from '../../../model/cap/index.ts'

/** `user.is('Auditor')` of a user that is handed over. */
function asksUser({ callee, args }: CallValue): boolean {
  return (
    callee.kind === 'member' &&
    callee.name === 'is' &&
    args.length === 1 &&
    callee.object.kind === 'reference' &&
    callee.object.binding?.kind === 'parameter' &&
    /^_?(?:user|caller)$/.test(callee.object.name)
  )
}

/** Functions of the file that answer whether the caller has a role, and do no more: `(req) => req.user.is('Auditor')`. */
export function predicatesOf({ functions, calls }: ScriptFacts): ReadonlySet<FunctionFact> {
  const asking = new Set<Value>(calls.filter((call) => asksForRole(call) || asksUser(call)))
  const isAnswered = (value: Value): boolean =>
    asking.has(value) ||
    (value.kind === 'operation' && value.operator === '!' && value.operands.some(isAnswered)) ||
    (value.kind === 'choice' &&
      value.options.some(isAnswered) &&
      value.options.every((option) => isAnswered(option) || option.kind === 'operation'))
  return new Set(asking.size === 0 ? [] : functions.filter(({ returns }) => returns.length > 0 && returns.every(isAnswered)))
}

/** Values that something is made of, decided by, or given: not those that a statement computes and drops, nor what a name is given that nobody reads. */
export function usedValues(facts: ScriptFacts, text: string): ReadonlySet<Value> {
  const used = new Set<Value>()
  // `void check()` says that nobody waits for it
  for (const { value, parent } of valuesOf(facts))
    if (parent !== undefined && !(parent.kind === 'operation' && parent.operator === 'void')) used.add(value)
  for (const { test } of facts.guards) used.add(test)
  for (const { returns } of facts.functions) for (const value of returns) used.add(value)
  for (const { value } of facts.assignments) used.add(value)
  for (const { definitions, name, function: within } of facts.bindings) {
    const [only] = definitions
    const isOfRole = definitions.length === 1 && only?.value?.kind === 'call' && asksForRole(only.value)
    if (isOfRole && isNamedOnce(text.slice(within.start, within.end), name)) continue
    for (const { value } of definitions) if (value !== undefined) used.add(value)
  }
  return used
}

function isNamedOnce(text: string, name: string): boolean {
  return text.split(name).length === 2
}

/** Tells calls whose result a statement drops, without a wait for it. */
export function isDroppedIn(
  facts: ScriptFacts,
  text: string,
  used: ReadonlySet<Value> = usedValues(facts, text),
): (call: CallValue) => boolean {
  const outerOf = new Map<Value, CallValue>()
  for (const call of facts.calls) if (call.callee.kind === 'member') outerOf.set(call.callee.object, call)
  return (call) => {
    let here = call
    for (let outer = outerOf.get(here); outer !== undefined; outer = outerOf.get(here)) here = outer
    return !used.has(here) && !/\b(?:await|return|yield)[\s(]{0,10}$/.test(text.slice(Math.max(0, here.start - 20), here.start))
  }
}
