import { awaited } from '../../../facts/conditions.ts'
import { valuesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'

/**
 * Tells calls whose result is kept, though nothing would notice that there is none: no plain member or pattern reads it, `me.ID`, which throws, nothing stands for it,
 * `me ?? req.reject(403)`, and nothing looks at it where it was put, `if (!req.profile)`. What is looked at is found once, for the first call.
 */
export function createTrustReader(facts: ScriptFacts, step: (count: number) => void): (call: CallValue) => boolean {
  let found: { readonly kept: ReadonlySet<Value>; readonly noticed: ReadonlySet<Value> } | undefined
  return (call) => {
    found ??= { kept: keptIn(facts), noticed: noticedIn(facts, step) }
    return found.kept.has(call) && !found.noticed.has(call)
  }
}

/** Calls whose result something is made of, or that are the value of a name. */
function keptIn(facts: ScriptFacts): ReadonlySet<Value> {
  const kept = new Set<Value>()
  const keep = (value: Value | undefined): void => {
    if (value !== undefined) kept.add(awaited(value))
  }
  for (const { value, parent } of valuesOf(facts)) if (parent !== undefined && parent.kind !== 'await') keep(value)
  for (const { value } of facts.assignments) keep(value)
  for (const { definitions } of facts.bindings) for (const { value } of definitions) keep(value)
  for (const { returns } of facts.functions) for (const value of returns) keep(value)
  return kept
}

/** Calls of whose result something notices that it is nothing; what it was assigned to counts by its name, in other handlers too. */
function noticedIn(facts: ScriptFacts, step: (count: number) => void): ReadonlySet<Value> {
  const noticed = new Set<Value>()
  const names = new Set<string>()
  const notice = (value: Value | undefined): void => {
    const here = value && awaited(value)
    if (here === undefined) return
    if (here.kind === 'member' && here.name !== undefined) names.add(here.name)
    else for (const one of callsBehind(here)) noticed.add(one)
  }
  for (const { value } of valuesOf(facts)) {
    step(1)
    if (value.kind === 'member' && !value.isOptional) notice(value.object)
    else if (value.kind === 'operation') value.operands.forEach(notice)
    else if (value.kind === 'choice') (value.test === undefined ? value.options.slice(0, -1) : [value.test]).forEach(notice)
  }
  for (const { test } of facts.guards) notice(test)
  for (const { definitions } of facts.bindings) for (const { value, path } of definitions) if (path.length > 0) notice(value)
  for (const { target, value } of facts.assignments)
    if (target.name !== undefined && names.has(target.name)) for (const one of callsBehind(awaited(value))) noticed.add(one)
  return noticed
}

function callsBehind(value: Value): readonly Value[] {
  if (value.kind === 'call') return [value]
  if (value.kind !== 'reference') return []
  const given = value.binding?.definitions.flatMap((one) => one.value ?? []) ?? []
  return given.map(awaited).filter(({ kind }) => kind === 'call')
}
