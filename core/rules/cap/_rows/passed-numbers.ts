import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  createCodeReader,
  createSpanIndex,
  findPart,
  importedNames,
  isNullish,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type OperationValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { isComparing } from '../../../facts/values.ts'
import { handlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { REFUSES } from './decided-states.ts'

type Step = (count?: number) => void

/** What is asked of the calls of a script that get a number. */
export interface PassedNumbers {
  /** Nothing in what is called keeps a number out. */
  readonly letsPass: (call: CallValue) => boolean
}

/** Functions that call each other, looked through in a row. */
const MAX_HOPS = 6

/** @param orders the comparisons of the script that put numbers in an order */
export function createPassedNumbers(
  facts: ScriptFacts,
  text: string,
  orders: readonly OperationValue[],
  step: Step,
): PassedNumbers {
  const ordersIn = createInnerIndex(orders)
  const callsIn = createInnerIndex(facts.calls)
  const testsAt = createSpanIndex(facts.guards, ({ test }) => test)
  const ordersAt = createSpanIndex(orders, (one) => one)
  const refuses = createCodeReader(text, (code) => REFUSES.test(code))
  let looks: ((around: Span) => readonly Value[]) | undefined
  let used: ReadonlySet<Value> | undefined
  const passing = new Map<FunctionFact, boolean>()
  /** It compares nothing with its arguments, refuses nothing and hands them to nothing else: it formats or notes them. */
  const isPassing = (fact: FunctionFact, depth: number): boolean => {
    const before = passing.get(fact)
    if (before !== undefined) return before
    if (depth > MAX_HOPS) return false
    const calls = callsIn(fact)
    step(1 + calls.length)
    // what calls itself is not looked at again
    passing.set(fact, false)
    looks ??= createInnerIndex(comparingValues(facts, step))
    const found =
      !refuses(fact) &&
      ordersIn(fact).length === 0 &&
      !looks(fact).some((one) => comparesParameter(one, fact)) &&
      calls.every((call) => letsPass(call, depth + 1))
    passing.set(fact, found)
    return found
  }
  /** `if (isNone(pieces))` asks whether the number is allowed; `stock < countOf(pieces)` compares what the function gives. */
  const isAsked = (call: CallValue): boolean =>
    testsAt(call.start).some(({ test }) => isWithin(call, test)) && !ordersAt(call.start).some((one) => isWithin(call, one))
  const letsPass = (call: CallValue, depth: number): boolean => {
    const fact = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    if (fact !== undefined) return !isAsked(call) && isPassing(fact, depth)
    if (!isHarmless(call)) return false
    if (importedNames(call.callee).length === 0) return true
    // what only gives a text is not called for its own sake
    used ??= usedValues(facts, step)
    return !isAsked(call) && (NOTES.test(lastNameOf(call.callee) ?? '') || used.has(call))
  }
  return { letsPass: (call) => letsPass(call, 0) }
}

/** What may look at a number without putting it in an order: `n === 1`, `n in ALLOWED`, `ALLOWED[n]`. */
function comparingValues(facts: ScriptFacts, step: Step): readonly Value[] {
  const isLook = (value: Value): boolean =>
    value.kind === 'operation'
      ? value.operator === 'in' || isComparing(value.operator)
      : value.kind === 'member' && value.property !== undefined
  const tests = facts.guards.map(({ test }) => test)
  step(tests.length)
  const held = valuesOf(facts).flatMap(({ value }) => {
    step()
    return isLook(value) ? [value] : []
  })
  return [...held, ...tests.filter(isLook)]
}

/** Whether it holds a parameter of the function; its type, and that it is there, say nothing of what is below 0. */
function comparesParameter(look: Value, { parameters }: FunctionFact): boolean {
  const asked =
    look.kind === 'operation' ? look.operands : look.kind === 'member' && look.property !== undefined ? [look.property] : []
  if (asked.some(isType) || asked.some(isNullish)) return false
  const isParameter = (part: Value): boolean =>
    part.kind === 'reference' && part.binding !== undefined && parameters.includes(part.binding)
  return asked.some((one) => findPart(one, isParameter) !== undefined)
}

function isType(value: Value): boolean {
  return value.kind === 'operation' && value.operator === 'typeof'
}

/** What a statement does something with: parts of other values, and what names, fields and callers get. */
function usedValues(facts: ScriptFacts, step: Step): ReadonlySet<Value> {
  const held = valuesOf(facts)
  step(held.length + facts.bindings.length + facts.assignments.length + facts.functions.length + facts.guards.length)
  return new Set([
    ...held.flatMap(({ value, parent }) => (parent === undefined ? [] : value)),
    ...facts.bindings.flatMap(({ definitions }) => definitions.flatMap(({ value }) => value ?? [])),
    ...facts.assignments.map(({ value }) => value),
    ...facts.functions.flatMap(({ returns }) => returns),
    ...facts.guards.map(({ test }) => test),
  ])
}

/** `Math.abs` and `Math.max` make another number of it. */
export function isHarmless({ callee }: CallValue): boolean {
  const owner = callee.kind === 'member' ? lastNameOf(callee.object) : undefined
  const name = lastNameOf(callee) ?? ''
  return owner === 'console' || (owner === 'Math' && ROUNDS.test(name)) || HARMLESS.test(name)
}

const ROUNDS = /^(?:floor|ceil|round|trunc|min)$/

/** Calls that let any number pass. */
const HARMLESS =
  /^(?:Number|parseInt|parseFloat|BigInt|String|isNaN|isFinite|isInteger|isSafeInteger|where|and|having|set|with|data|entries|run|emit|send|next|push|log|info|debug|warn|error|reject|notify|stringify|tx|transaction|toFixed|toString|toLocaleString|padStart|format(?:[A-Z_]\w{0,40})?)$/
/** Those of them that do something with it. */
const NOTES = /^(?:emit|send|next|push|log|info|debug|warn|error|reject|notify|run)$/
