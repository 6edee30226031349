import {
  constantOf,
  findPart,
  isOnTheWay,
  type Binding,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import { isCheck, mentionsUser } from '../_callers/asked-users.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import type { ScriptQuery } from '../_handlers/script-queries.ts'

/**
 * Tells whether an operation goes on with the row that a query finds: it refuses where there is none, and changes other rows behind that. The key alone lets the client
 * choose whose row that is. Silent where something between may compare the row with the user.
 */
export function createFollowReader(
  facts: ScriptFacts,
  text: string,
  queries: readonly ScriptQuery[],
  step: (count?: number) => void,
): (query: ScriptQuery) => boolean {
  const refuses = createRefusalReader(facts, text)
  const changesIn = createInnerIndex(queries.flatMap(({ base, kind }) => (kind === 'read' || kind === 'own' ? [] : [base])))
  const callsIn = createInnerIndex(facts.calls)
  return ({ last, base }) => {
    const row = rowOf(last, facts, step)
    if (row === undefined) return false
    step(facts.guards.length)
    const guard = facts.guards.find(
      (one) => one.function === base.function && one.start >= last.end && refuses(one) && isAbsence(one.test, row),
    )
    if (guard === undefined) return false
    const changes = changesIn(base.function).filter(
      ({ start, function: around }) => start >= guard.end && around === base.function,
    )
    if (changes.length === 0) return false
    const between = { start: last.end, end: Math.min(...changes.map(({ start }) => start)) }
    const isOfUser = (one: Guard): boolean =>
      one.function === base.function &&
      one.start >= between.start &&
      one.start < between.end &&
      (refuses(one) || isOnTheWay(one, between.end)) &&
      isMadeOf(one.test, mentionsUser, step)
    return !facts.guards.some(isOfUser) && !callsIn(between).some((call) => !isLogCall(call) && mayCompare(call, row, text, step))
  }
}

/** A function that gets the row, and the request or the user beside it or by itself. */
function mayCompare(call: CallValue, row: Binding, text: string, step: (count?: number) => void): boolean {
  const isRow = (part: Value): boolean => part.kind === 'reference' && part.binding === row
  const getsUser = call.args.some((one) => isContext(one) || isMadeOf(one, mentionsUser, step))
  if (!call.args.some((one) => isMadeOf(one, isRow, step))) return getsUser && isCheck(call)
  if (getsUser || isCheck(call)) return true
  const called = functionOf(call.callee)
  return called !== undefined && /\buser\b/.test(text.slice(called.start, called.end))
}

/** Something of it is such a value, by names too: `me.ID` of `const me = await SELECT.one.from(People).where({ email: req.user.id })`. */
function isMadeOf(value: Value, wanted: (part: Value) => boolean, step: (count?: number) => void): boolean {
  const seen = new Set<Value>()
  const isMade = (part: Value): boolean => {
    step()
    if (wanted(part)) return true
    if (part.kind !== 'reference') return false
    const definitions = part.binding?.definitions ?? []
    return definitions.some(({ value: given }) => {
      if (given === undefined || seen.has(given)) return false
      seen.add(given)
      return findPart(given, isMade) !== undefined
    })
  }
  return findPart(value, isMade) !== undefined
}

/** The name that holds what a query gives: `const file = await SELECT.one.from(Files).where(…)`. */
function rowOf(query: CallValue, { bindings }: ScriptFacts, step: (count?: number) => void): Binding | undefined {
  step(bindings.length)
  return bindings.find(({ definitions: [definition, another] }) => {
    const given = definition?.value
    if (definition === undefined || given === undefined || another !== undefined || definition.path.length > 0) return false
    return isAnswerOf(given, query)
  })
}

/** `await SELECT…`, `await cds.run(SELECT…)`. */
function isAnswerOf(value: Value, query: CallValue): boolean {
  const given = awaited(value)
  if (given.start === query.start && given.end === query.end) return true
  const [run] = given.kind === 'call' && lastNameOf(given.callee) === 'run' ? given.args : []
  return run !== undefined && isAnswerOf(run, query)
}

/** `!file`, `files.length === 0`, `!files?.length`: it holds where there is none, whatever the row has. */
function isAbsence(test: Value, row: Binding): boolean {
  if (test.kind === 'choice')
    return test.test === undefined && test.isAnd !== true && test.options.some((one) => isAbsence(one, row))
  if (test.kind !== 'operation') return false
  const isRow = (part: Value | undefined): boolean => part?.kind === 'reference' && part.binding === row
  const isCount = (part: Value | undefined): boolean => part?.kind === 'member' && part.name === 'length' && isRow(part.object)
  const isThere = (part: Value): boolean =>
    isRow(part) || isCount(part) || (part.kind === 'choice' && part.isAnd === true && part.options.some(isThere))
  const [first, second] = test.operands
  if (first === undefined) return false
  if (test.operator === '!') return isThere(first)
  if (second === undefined) return false
  const isEqual = /^===?$/.test(test.operator)
  if (isEqual && isRow(first)) return isNothing(second)
  if (!isCount(first)) return false
  const limit = constantOf(second)
  return (isEqual && limit === 0) || (test.operator === '<' && limit === 1) || (test.operator === '<=' && limit === 0)
}
