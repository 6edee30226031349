import { asks } from './asked-values.ts'
import { constantOf } from './constants.ts'
import { negatedBy, unwrap } from './conditions.ts'
import { keyOf } from './keys.ts'
import { patternOf } from './regular-expressions.ts'
import type { CallValue, Value } from './types.ts'
import { isConstant } from './is-constant.ts'

const MAX_NESTED = 4

/** `\.example\.com$`: the end of a host is enough for some, which other readers know. */
const OF_HOSTS = /^(?:\(\?:|\()?(?:\^\|)?\\\./

/**
 * Whether the body of a predicate keeps less than its name promises: all that it asks about a value is whether some part of it fits, of which type it is, how long
 * it is, or whether it is one of a few that are refused. What else it may ask is not known, and its name is believed.
 * @param holding on which side of the answer the value is let through
 */
export function saysLittle(answers: readonly Value[], key: string, holding: boolean): boolean {
  const judged = new Set(answers.map((answer) => judge(answer, key, holding, 0)))
  return judged.has('little') && !judged.has(undefined)
}

/** The same of one condition. */
export function asksLittle(test: Value, key: string, holding: boolean): boolean {
  return judge(test, key, holding, 0) === 'little'
}

/** `nothing`: it lets nothing through, or everything whatever the value is. Undefined: nobody can tell. */
function judge(given: Value, key: string, holding: boolean, depth: number): 'little' | 'nothing' | undefined {
  if (depth > MAX_NESTED) return undefined
  if (given.kind === 'literal') return Boolean(given.value) === holding ? undefined : 'nothing'
  const inner = negatedBy(given)
  if (inner !== undefined) return judge(inner, key, !holding, depth + 1)
  if (given.kind === 'choice') {
    if (given.test !== undefined) return undefined
    const judged = new Set(given.options.map((option) => judge(option, key, holding, depth + 1)))
    return judged.has(undefined) ? undefined : judged.has('little') ? 'little' : 'nothing'
  }
  const { test, holds } = unwrap(given)
  if (test.kind === 'operation') return test.operands.every((operand) => isOfForm(operand, key)) ? 'little' : undefined
  if (test.kind !== 'call') return keyOf(test) === key ? 'little' : undefined
  const pattern = patternOf(test)
  if (pattern !== undefined) return holds === holding && asks(test, key) && !OF_HOSTS.test(pattern) ? 'little' : undefined
  const isLittle = holds === holding ? isPartOf(test, key) : isOneOfList(test, key)
  return isLittle ? 'little' : undefined
}

/** The value, its type, its length, or what it is compared with. */
function isOfForm(operand: Value, key: string): boolean {
  if (operand.kind === 'operation') return operand.operator === 'typeof' && operand.operands.some((one) => keyOf(one) === key)
  if (operand.kind === 'member' && operand.name === 'length') return keyOf(operand.object) === key
  return operand.kind === 'literal' || keyOf(operand) === key || (operand.kind === 'reference' && isConstant(operand))
}

/** `address.includes('example.com')` */
function isPartOf({ callee, args: [part] }: CallValue, key: string): boolean {
  return (
    callee.kind === 'member' &&
    callee.name === 'includes' &&
    keyOf(callee.object) === key &&
    part !== undefined &&
    typeof constantOf(part) === 'string'
  )
}

/** `REFUSED.includes(name)`, `REFUSED.has(name)` */
function isOneOfList(test: CallValue, key: string): boolean {
  const { callee, args } = test
  return (
    callee.kind === 'member' &&
    /^(?:includes|has)$/.test(callee.name ?? '') &&
    isConstant(callee.object) &&
    args.length === 1 &&
    args.some((argument) => keyOf(argument) === key)
  )
}
