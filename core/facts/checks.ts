import { groupBy } from '../lists.ts'
import { ANSWERS, asks, CHECKS, holdsKey, isOf, isTypeOf, nameOfCallee } from './asked-values.ts'
import { negatedBy, PLACES, unwrap } from './conditions.ts'
import { keyOf, keyOfName } from './keys.ts'
import { answersOf, givesPromise, selfAnswersOf } from './own-answers.ts'
import { isLoose, isWhole, patternOf } from './regular-expressions.ts'
import type { CallValue, Guard, ScriptFacts, Value } from './types.ts'
import { findPart, resolveValue } from './values.ts'
import { saysLittle } from './weak-answers.ts'

export type Guarded = Pick<ScriptFacts, 'guards'>

/** Whether a value was checked on the way to an offset: it stands inside `if (list.includes(value))`, or behind `if (!list.includes(value)) return`.
 *  Known by the shape of the condition alone. */
export function isChecked({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  return key !== undefined && guards.some((guard) => isOnTheWay(guard, offset) && checks(guard, key, offset))
}

/** Checks within checks, each in a function of the file: a function may check by calling itself. */
const MAX_NESTED = 4

/** Whether a condition decides about what stands at an offset. */
export function isOnTheWay(guard: Guard, offset: number): boolean {
  if (guard.inside.start <= offset && offset < guard.inside.end) return true
  return guard.exits && offset >= guard.inside.end && offset < (guard.caughtAt ?? guard.function.end)
}

/** Tells which conditions decide about what stands at an offset; worked out once for each stretch in which they are the same. `step` counts. */
export function createGuardReader(
  guards: readonly Guard[],
  step: (count?: number) => void,
): (offset: number) => readonly Guard[] {
  const bounds = Int32Array.from(new Set(guards.flatMap((guard) => [guard.inside.start, guard.inside.end, endOf(guard)]))).sort()
  const startsAt = groupBy(guards, ({ inside }) => inside.start)
  const stretches: (readonly Guard[])[] = [[]]
  let open: readonly Guard[] = []
  for (const bound of bounds) {
    step(open.length)
    open = [...open.filter((guard) => endOf(guard) > bound), ...(startsAt.get(bound) ?? [])]
    stretches.push(open)
  }
  return (offset) => {
    let [low, high] = [0, bounds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bounds[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return stretches[low] ?? []
  }
}

/** Where a condition has no more to say: behind what it guards, or behind all that its function does then. */
function endOf({ exits, inside, caughtAt, function: around }: Guard): number {
  return exits ? Math.max(inside.end, caughtAt ?? around.end) : inside.end
}

export function checks(guard: Guard, key: string, offset: number): boolean {
  const isInside = offset < guard.inside.end
  // what leaves for an item of a list lets the list pass where all items may
  return isHeldBy(guard.test, key, isInside) || (!isInside && isHeldBy(guard.test, `${key} []`, isInside))
}

/** Whether a condition decides about a place, or is what stands there. */
export function isConditional(guards: readonly Guard[], at: number): boolean {
  return guards.some(({ inside, test }) => (inside.start <= at && at < inside.end) || (test.start <= at && at < test.end))
}

/** Whether a condition checks a value, on the side where it holds or where it does not: `list.includes(x) ? x : 'a'`. */
export function isCheckedBy(test: Value, value: Value, holds: boolean): boolean {
  const key = keyOf(value)
  return key !== undefined && isHeldBy(test, key, holds)
}

/** Whether a value is a list of which a check lets some items through, or one of them: `names.filter((name) => list.includes(name))`. */
export function isFilteredByGuard(value: Value): boolean {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || !/^(?:filter|find|findLast)$/.test(value.callee.name ?? ''))
    return false
  return checksItems(value.args[0], true, 0)
}

/** The fields of items that a list is filtered by: `name` of `rows.filter((row) => NAMES.has(row.name))`. */
export function fieldsFiltered({ args: [callback] }: CallValue): readonly string[] {
  const fact = callback?.kind === 'function' ? callback.function : undefined
  const [item] = fact?.parameters ?? []
  const key = item && keyOfName(item)
  if (fact === undefined || item === undefined || key === undefined || fact.returns.length === 0) return []
  const names = new Set<string>()
  for (const answer of fact.returns)
    findPart(answer, (part) => {
      if (part.kind === 'member' && part.name !== undefined && part.object.kind === 'reference' && part.object.binding === item)
        names.add(part.name)
      return false
    })
  return [...names].filter((name) => fact.returns.every((answer) => isHeldBy(answer, `${key} ${name}`, true)))
}

/** Predicates that tell of which kind a value is, not whether it is allowed. */
export const OF_KINDS: RegExp =
  /^is_?(?:string|text|array|object|plainobject|nil|null|undefined|defined|empty|notempty|blank|present|function|nan|date|error|promise|buffer|stream|directory|file|absolute|truthy|falsy|url|uri|set|map|length|bytelength|ascii|lowercase|uppercase|json|multibyte|fullwidth|printable|admin|authenticated|production)$/i

function tellsByName(name: string): boolean {
  return ANSWERS.test(name) || CHECKS.has(name) || (/^_?is[A-Z]/.test(name) && !OF_KINDS.test(name))
}

/** A callback that checks its item. */
function checksItems(callback: Value | undefined, holds: boolean, depth: number): boolean {
  // `names.every(isValid)`, `ids.every(Number.isInteger)`
  if (callback?.kind === 'reference' || callback?.kind === 'member') {
    const given = resolveValue(callback)
    if (given.kind !== 'function') return holds && tellsByName(callback.name ?? '')
    callback = given
  }
  if (callback?.kind !== 'function' || depth > MAX_NESTED) return false
  const { returns, parameters } = callback.function
  const [item] = parameters
  if (item === undefined || returns.length === 0) return false
  const key = keyOfName(item)
  return key !== undefined && returns.every((value) => isHeldBy(value, key, holds, depth + 1))
}

export function isHeldBy(test: Value, key: string, holding: boolean, depth = 0): boolean {
  const inner = negatedBy(test)
  if (inner !== undefined) return isHeldBy(inner, key, !holding, depth)
  // `a && !b`, `!a || !b`: any part will do, since code that asks at all asks the right way round
  const parts = test.kind === 'choice' ? test.options : [test]
  const isHeld = (part: Value): boolean => {
    const { test: positive, holds, isAwaited, isCompared } = unwrap(part)
    const resolved =
      positive.kind === 'reference' ? unwrap(resolveValue(positive)) : { test: positive, holds: true, isAwaited, isCompared }
    // a promise is true, whatever it will give, and so is each place in a list but the first
    if (resolved.test.kind === 'call' && !isAwaited && !resolved.isAwaited && givesPromise(resolved.test)) return false
    if (resolved.test.kind === 'call' && !resolved.isCompared && PLACES.test(nameOfCallee(resolved.test.callee) ?? ''))
      return false
    // const isKnown = typeof name === 'string' && NAMES.has(name)
    if (resolved.test.kind === 'choice' && positive.kind === 'reference' && depth < MAX_NESTED)
      return isHeldBy(resolved.test, key, holding === (holds === resolved.holds), depth + 1)
    return isCheckOf(resolved.test, key, holds === resolved.holds, holding, depth)
  }
  const isEither = test.kind === 'choice' && test.test === undefined && (test.isAnd !== true) === holding
  // what is let in for another reason as well was not checked
  return parts.some(isHeld) && (!isEither || parts.every((part) => isHeld(part) || isAbout(part, key) || asksForStage(part)))
}

/** `process.env.NODE_ENV === 'production'`: whoever develops the program may do as they like. */
function asksForStage(part: Value): boolean {
  return findPart(part, (one) => one.kind === 'literal' && STAGES.has(one.value)) !== undefined
}

const STAGES: ReadonlySet<unknown> = new Set(['production', 'development', 'test'])

/** `!name`, `name === undefined`, `input` of `input.name`: what is not there needs no check. */
function isAbout(part: Value, key: string): boolean {
  const { test } = unwrap(part)
  const own = keyOf(test)
  if (own !== undefined && key.startsWith(`${own} `)) return true
  if (test.kind === 'call') return [...test.args, test.callee].some((one) => keyOf(one) === key)
  return (
    keyOf(test) === key ||
    (test.kind === 'operation' && test.operands.some((operand) => keyOf(operand) === key || isTypeOf(operand, key)))
  )
}

/** @param holds whether the check stands there as it is, not negated; @param holding on which side of the condition the value stands */
function isCheckOf(test: Value, key: string, holds: boolean, holding: boolean, depth: number): boolean {
  if (test.kind === 'call' && test.callee.kind === 'member' && keyOf(test.callee.object) === key) {
    // every item is checked, or some item is not
    if (test.callee.name === 'every') return holds === holding && checksItems(test.args[0], true, depth)
    if (test.callee.name === 'some') return holds !== holding && checksItems(test.args[0], false, depth)
  }
  const found = foundItems(test, holds)
  if (found !== undefined && keyOf(found.list) === key)
    return found.isAny !== holding && checksItems(found.callback, false, depth)
  // NAMES.filter((one) => one === name).length > 0
  if (found?.isCounted === true && holdsKey(found.callback, key)) return found.isAny === holding
  const own = depth < MAX_NESTED ? (answersOf(test, key) ?? selfAnswersOf(test, key)) : undefined
  if (own !== undefined && own.answers.every((answer) => answersBy(answer, own.key, holds === holding, depth + 1))) return true
  if (own !== undefined && saysLittle(own.answers, own.key, holds === holding)) return false
  // what is not a number is the one that is refused
  if (test.kind === 'call' && nameOfCallee(test.callee) === 'isNaN')
    return holds !== holding && test.args.some((one) => isOf(one, key))
  // `/[^a-z]/.test(x)` finds what must not be there
  const pattern = patternOf(test)
  if (pattern !== undefined && /^\[\^[^\]]+\][+*]?$|^\\W[+*]?$/.test(pattern)) return holds !== holding && asks(test, key)
  // what a pattern finds somewhere in a text says nothing about the rest of it, nor does one that takes any rest
  if (pattern !== undefined && holds === holding && (!isWhole(pattern) || isLoose(pattern))) return false
  return holds === holding && asks(test, key)
}

/** `const unknown = names.filter((name) => !NAMES.has(name))` in `if (unknown.length > 0)`; `names.find(…)` that gives one. `isAny`: some were found where the condition holds. */
function foundItems(
  test: Value,
  holds: boolean,
):
  | { readonly list: Value; readonly callback: Value | undefined; readonly isAny: boolean; readonly isCounted: boolean }
  | undefined {
  const isNumber = test.kind === 'operation' && (test.operator === '>' || /^[!=]==?$/.test(test.operator))
  const number = isNumber ? test.operands[1] : undefined
  if (isNumber && (number?.kind !== 'literal' || number.value !== 0)) return undefined
  const asked = (isNumber ? test.operands[0] : undefined) ?? test
  const isCounted = asked.kind === 'member' && asked.name === 'length'
  const found = isCounted ? resolveValue(asked.object) : asked
  if (found.kind !== 'call' || found.callee.kind !== 'member') return undefined
  if (found.callee.name !== (isCounted ? 'filter' : 'find')) return undefined
  const isAny = isNumber && test.operator !== '>' ? !holds : holds
  return { list: found.callee.object, callback: found.args[0], isAny, isCounted }
}

/** `return false` lets nothing through. */
export function answersBy(answer: Value, key: string, holding: boolean, depth: number): boolean {
  if (answer.kind === 'literal') return Boolean(answer.value) !== holding
  // `NAMES.has(name) ? TABLE[name] : undefined`
  return isHeldBy(answer.kind === 'choice' && answer.test !== undefined ? answer.test : answer, key, holding, depth)
}
