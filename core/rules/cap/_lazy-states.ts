import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accessesOf,
  findPart,
  keyOf,
  resolveValue,
  type Assignment,
  type Definition,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A place where rows are read once and kept for all that ask later: where tenants share the process, those of the tenant that came first. */
export interface LazyState extends Span {
  readonly name: string
}

const MAX_FOUND = 50

export const lazyStates: Extract<LazyState> = defineExtract({
  name: 'cap-lazy-states',
  keywords: ['SELECT'],
  prefilter: (text) => /\?\?=|\|\|=|\bif\s{0,4}\(/.test(text) && /\b(?:let|var)\b|\bthis\./.test(text),
  *collect({ path, facts, step }) {
    if (isDeveloperFile(path) || isToolFile(path) || /(?:^|\/)webapp\//.test(path)) return
    step(facts.assignments.length + facts.bindings.length)
    let left = MAX_FOUND
    for (const state of findStates(facts, step)) if (left-- > 0) yield state
  },
})

function* findStates(facts: ScriptFacts, step: (count?: number) => void): Generator<LazyState> {
  for (const assignment of facts.assignments) {
    const { target, start, end } = assignment
    if (target.object.kind !== 'this' || target.name === undefined || !isOfService(assignment, facts)) continue
    if (isKeptOnce(assignment, target, facts, step)) yield { start, end, name: `this.${target.name}` }
  }
  for (const { kind, function: scope, definitions, name } of facts.bindings) {
    if ((kind !== 'let' && kind !== 'var') || scope.kind !== 'file') continue
    for (const definition of definitions) {
      const { start, end, value, path, operator, function: within } = definition
      if (definition.kind !== 'assign' || value === undefined || path.length > 0 || within.kind === 'file') continue
      if (isKeptOnce({ value, operator, start, end, function: within }, name, facts, step)) yield { start, end, name }
    }
  }
}

type Write = Pick<Definition & Assignment, 'operator' | 'value' | 'function'> & Span

/** `this.rates ??= await SELECT…`, `if (!rates) rates = await load()`. */
function isKeptOnce(write: Write, kept: Value | string, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const { operator, value, start, end, function: within } = write
  if (operator !== '??=' && operator !== '||=' && operator !== '=') return false
  if (!readsRows(value, within, facts, step)) return false
  if (operator !== '=') return true
  const key = typeof kept === 'string' ? undefined : keyOf(kept)
  const isKept = (part: Value): boolean =>
    typeof kept === 'string' ? part.kind === 'reference' && part.name === kept : key !== undefined && keyOf(part) === key
  step(facts.guards.length)
  return facts.guards.some(
    ({ test, inside, exits, function: around }) =>
      around === within &&
      ((inside.start <= start && end <= inside.end) || (exits && inside.end <= start)) &&
      findPart(test, isKept) !== undefined,
  )
}

/** The object of a service lives as long as the process. */
function isOfService({ start }: Span, { classes }: ScriptFacts): boolean {
  return classes.some(
    (fact) =>
      fact.start <= start &&
      start < fact.end &&
      fact.parent !== undefined &&
      lastNameOf(fact.parent)?.endsWith('Service') === true,
  )
}

/** Rows of the tenant that the request is for: no query of a tenant that is named. */
function readsRows(value: Value, within: FunctionFact, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const given = resolveValue(value)
  const names = (one: Value): boolean =>
    findPart(one, (part) => (part.kind === 'member' || part.kind === 'reference') && /^(?:tx|tenant)$/.test(part.name ?? '')) !==
    undefined
  if (names(given)) return false
  if (findPart(given, isQuery) !== undefined) return true
  const call = findPart(given, (part) => part.kind === 'call' && calledBy(part, within) !== undefined)
  const called = call && calledBy(call, within)
  if (called === undefined) return false
  step(facts.calls.length)
  const own = facts.calls.filter((one) => called.start <= one.start && one.end <= called.end)
  return own.some(isQuery) && !own.some(names)
}

function isQuery(value: Value): boolean {
  return value.kind === 'call' && accessesOf(value.callee).some(({ root }) => root === 'global:SELECT')
}

/** `load()` of the file, `this.load()` of the class. */
function calledBy(value: Value, within: FunctionFact): FunctionFact | undefined {
  if (value.kind !== 'call') return undefined
  const { callee } = value
  if (callee.kind === 'reference') return functionOf(callee)
  if (callee.kind !== 'member' || callee.object.kind !== 'this') return undefined
  let owner = within
  while (owner.owner === undefined && owner.parent !== undefined) owner = owner.parent
  const members = owner.owner !== undefined && 'members' in owner.owner ? owner.owner.members : []
  return functionOf(members.find(({ name }) => name === callee.name)?.value)
}
