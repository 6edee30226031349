import { nameOfCallee } from './asked-values.ts'
import { isOnTheWay, type Guarded } from './checks.ts'
import { negatedBy, unwrap } from './conditions.ts'
import { keyOf } from './keys.ts'
import { answersOf, selfAnswersOf } from './own-answers.ts'
import { patternOf } from './regular-expressions.ts'
import type { Value } from './types.ts'
import { findPart, resolveValue } from './values.ts'

/** Names of functions that know the form of a text, and no list of what is allowed. */
const FORMS =
  /^(?:test|match|is_?(?:uuid|guid|numeric|alpha\w*|integer|safeinteger|finite|nan|hex\w*|email)|isUUID|isInteger|isSafeInteger|isFinite|isNumeric|isNaN)$/i
const MAX_NESTED = 4

/** Whether all that was asked about a value is its form: a well-formed name of a tenant or user may be that of any other. */
export function isOfFormAlone({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  const asked = guards.filter((guard) => isOnTheWay(guard, offset)).flatMap(({ test }) => formsIn(test, key, 0))
  return asked.length > 0 && asked.every(Boolean)
}

/** Whether a pattern that a value was held against names a character that it may have: `%` of `/^[\w%-]+$/`. */
export function isOfFormWith({ guards }: Guarded, value: Value, offset: number, character: string): boolean {
  const key = keyOf(value)
  const names = (part: Value): boolean =>
    part.kind === 'call' &&
    [...part.args, part.callee].some((one) => keyOf(one) === key || (one.kind === 'member' && keyOf(one.object) === key)) &&
    (patternOf(part)?.includes(character) ?? false)
  return key !== undefined && guards.some((guard) => isOnTheWay(guard, offset) && findPart(guard.test, names) !== undefined)
}

/** For each part of a condition that asks about a value: whether that is its form. */
function formsIn(given: Value, key: string, depth: number): readonly boolean[] {
  if (depth > MAX_NESTED) return []
  const inner = negatedBy(given)
  if (inner !== undefined) return formsIn(inner, key, depth + 1)
  if (given.kind === 'choice') return given.options.flatMap((option) => formsIn(option, key, depth + 1))
  const test = unwrap(given).test
  const here = test.kind === 'reference' ? resolveValue(test) : test
  const self = selfAnswersOf(here, key)
  if (self !== undefined) return self.answers.flatMap((answer) => formsIn(answer, self.key, depth + 1))
  if (here.kind === 'choice') return formsIn(here, key, depth + 1)
  if (here.kind === 'operation') {
    const [first] = here.operands
    if (first?.kind === 'operation' && first.operator === 'typeof') return []
    return /^[!=]==?$|^in$/.test(here.operator) && here.operands.some((operand) => keyOf(operand) === key)
      ? [isEmptiness(here)]
      : []
  }
  if (here.kind !== 'call')
    return here.kind === 'member' && here.property !== undefined && keyOf(here.property) === key ? [false] : []
  const isAbout = [...here.args, ...(here.callee.kind === 'member' ? [here.callee.object] : [])].some((one) => keyOf(one) === key)
  if (!isAbout) return []
  if (patternOf(here) !== undefined || FORMS.test(nameOfCallee(here.callee) ?? '')) return [true]
  const own = answersOf(here, key)
  return own === undefined ? [false] : own.answers.flatMap((answer) => formsIn(answer, own.key, depth + 1))
}

/** `name === ''`, `name == null`. */
function isEmptiness({ operands }: Value & { readonly kind: 'operation' }): boolean {
  return operands.some(
    (operand) =>
      (operand.kind === 'literal' && (operand.value === '' || operand.value === null)) ||
      (operand.kind === 'reference' && operand.name === 'undefined'),
  )
}
