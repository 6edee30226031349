import { nameOfCallee } from './asked-values.ts'
import type { Value } from './types.ts'
import { resolveValue } from './values.ts'

/** `a || b` of `!(a || b)`, which is what the other branch of a condition holds to. */
export function negatedBy(test: Value): Value | undefined {
  const inner = test.kind === 'operation' && test.operator === '!' ? test.operands[0] : undefined
  return inner?.kind === 'choice' || inner?.kind === 'operation' ? inner : undefined
}

/** Methods that tell a place, which is -1 where there is none. */
export const PLACES: RegExp = /^(?:indexOf|lastIndexOf|findIndex|findLastIndex|search)$/

/** A condition without what stands around what it asks. */
export interface Unwrapped {
  readonly test: Value
  readonly holds: boolean
  readonly isAwaited: boolean
  /** What it gives is held against something. */
  readonly isCompared: boolean
}

/** A condition without its negations: `!x`, `x === -1`, `x < 0`, `x === false`, `~x`, `await x`. */
export function unwrap(part: Value): Unwrapped {
  const asked = awaited(part)
  if (asked !== part) return { test: asked, holds: true, isAwaited: true, isCompared: false }
  if (part.kind !== 'operation') return { test: part, holds: true, isAwaited: false, isCompared: false }
  const [written, second] = part.operands
  const first = written && awaited(written)
  const isAwaited = first !== written
  if (part.operator === '!' && first !== undefined) return { test: first, holds: false, isAwaited, isCompared: false }
  // const at = list.indexOf(x)
  const compared = first?.kind === 'reference' ? resolveValue(first) : first
  const isPlace = compared?.kind === 'call' && PLACES.test(nameOfCallee(compared.callee) ?? '')
  if (part.operator === '~' && compared !== undefined && isPlace)
    return { test: compared, holds: true, isAwaited, isCompared: true }
  if ((first?.kind !== 'call' && !isPlace) || compared === undefined || second === undefined)
    return { test: part, holds: part.operator !== '!==' && part.operator !== '!=', isAwaited, isCompared: false }
  const isMissing = part.operator === '<' || part.operator === '===' || part.operator === '=='
  const isTrue = second.kind === 'literal' && second.value === true
  return { test: compared, holds: isTrue ? isMissing : !isMissing, isAwaited, isCompared: true }
}

/** What is waited for, or the value itself. */
export function awaited(value: Value): Value {
  return value.kind === 'await' ? value.value : value
}
