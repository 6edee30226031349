import { constantOf, resolveValue, type Value } from '../facts/index.ts'
import { nameOfCallee } from '../facts/asked-values.ts'
import { awaited, PLACES } from '../facts/conditions.ts'
import { isNothing } from '../facts/values.ts'

/** A call or a comparison that a condition comes down to, without the negations around it. */
export interface Asked {
  readonly test: Value
  /** Whether it gives something true, or its comparison holds. */
  readonly holds: boolean
  /** `place`: `holds` says whether the place that it gives was found; `front`: whether that is the beginning. */
  readonly isCompared?: 'place' | 'front'
  readonly isAwaited: boolean
}

/** `x`, `await x`, `x === false`, `x != null`, `x.indexOf(y) >= 0`, `~x.indexOf(y)`; undefined: it says nothing. */
export function askedIn(given: Value, holds: boolean): Asked | undefined {
  const test = awaited(given)
  // a place is true for each but the first
  if (isPlace(test)) return undefined
  if (test.kind !== 'operation') return { test, holds, isAwaited: test !== given }
  const [written, second] = test.operands
  const first = written && awaited(written)
  if (first === undefined) return undefined
  const isAwaited = first !== written
  // const at = text.indexOf('<')
  const asked = first.kind === 'reference' ? resolveValue(first) : first
  if (isPlace(asked)) {
    const side = second === undefined && test.operator === '~' ? holds : placeSide(test.operator, second, holds)
    if (typeof side === 'object') return { test: asked, holds: side.isFront, isCompared: 'front', isAwaited }
    if (side !== undefined) return { test: asked, holds: side, isCompared: 'place', isAwaited }
    return { test, holds, isAwaited }
  }
  const side = asked.kind === 'call' && second !== undefined ? truthSide(test.operator, second, holds) : undefined
  return side === undefined ? { test, holds, isAwaited } : { test: asked, holds: side, isAwaited }
}

function isPlace(value: Value): boolean {
  return value.kind === 'call' && PLACES.test(nameOfCallee(value.callee) ?? '')
}

/** Whether a place was found, which is -1 where there is none; or whether it is the beginning. */
function placeSide(
  operator: string,
  second: Value | undefined,
  holds: boolean,
): boolean | { readonly isFront: boolean } | undefined {
  const number = second && constantOf(second)
  if (number === 0) {
    if (isEquality(operator)) return { isFront: operator.startsWith('=') === holds }
    if (operator === '<' || operator === '>=') return (operator === '>=') === holds
    return operator === '>' && holds ? true : undefined
  }
  if (number !== -1) return undefined
  if (isEquality(operator)) return operator.startsWith('!') === holds
  if (operator === '>') return holds
  return operator === '<=' ? !holds : undefined
}

/** `isIt(x) === true`, `text.match(/x/) !== null`. */
function truthSide(operator: string, second: Value, holds: boolean): boolean | undefined {
  if (!isEquality(operator)) return undefined
  const isEqual = operator.startsWith('=') === holds
  if (isNothing(second)) return !isEqual
  const constant = constantOf(second)
  if (typeof constant !== 'boolean') return undefined
  return constant === isEqual
}

/** A call of a method: `text.includes('<')`. */
export interface MethodCall {
  readonly name: string
  readonly object: Value
  readonly args: readonly Value[]
}

export function methodOf(value: Value): MethodCall | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member') return undefined
  const { name = '', object } = value.callee
  return { name, object, args: value.args }
}

/** The operands of a comparison of two, where both are the same: `a === b` that holds. */
export function equalIn({ test, holds }: Asked): readonly (readonly [Value, Value])[] {
  if (test.kind !== 'operation' || !isEquality(test.operator) || test.operator.startsWith('=') !== holds) return NO_PAIRS
  const [left, right] = test.operands
  if (left === undefined || right === undefined) return NO_PAIRS
  return [
    [left, right],
    [right, left],
  ]
}

const NO_PAIRS: ReturnType<typeof equalIn> = []

export function isEquality(operator: string): boolean {
  return operator === '===' || operator === '!==' || operator === '==' || operator === '!='
}
