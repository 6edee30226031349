import { constantOf, resolveValue, type Guarded, type Value } from '../../facts/index.ts'
import { isMadeOf, nameOf } from './address-names.ts'
import { beginningIn } from './origin-checks.ts'
import { decides, isDecided, type Question } from './decisions.ts'

/** Whether the scheme of an address was asked for on the way: `if (!/^https?:/.test(address)) return`, `if (new URL(address).protocol !== 'https:') return`. */
export function isSchemeChecked(guarded: Guarded, value: Value, offset: number): boolean {
  const question = questionOf(value)
  return question !== undefined && isDecided(guarded, offset, question)
}

/** The same of a condition that chooses an address: `/^https?:/.test(address) ? address : ''`. */
export function isSchemeTested(test: Value, value: Value, holding: boolean): boolean {
  const question = questionOf(value)
  return question !== undefined && decides(test, holding, question)
}

function questionOf(value: Value): Question | undefined {
  const key = nameOf(value)
  return key === undefined ? undefined : { key, wanted: true, asks: asksForScheme }
}

/** What runs no code: the beginning of a web address, of a mail or a number, of a path. */
const HARMLESS = /^(?:https?|mailto|tel|sms|ftp|\/|#|\?)/i
/** The same of a pattern: `^https?:`, `^(?:https?|mailto):`, `^\/`, `^#`. */
const HARMLESS_PATTERN =
  /^\^(?:\(?(?:\?:)?(?:https?\??|mailto|tel|sms|ftps?)(?:\|(?:https?\??|mailto|tel|sms|ftps?|#|\\?\/)){0,8}\)?:|\\?\/|#)/i

function asksForScheme(test: Value, key: string, isCompared: boolean): boolean {
  const found = beginningIn(test)
  if (found !== undefined) return nameOf(found.of) === key && HARMLESS.test(found.text)
  if (test.kind === 'operation') {
    if (!/^[!=]==?$/.test(test.operator)) return false
    const [left, right] = test.operands
    if (left === undefined || right === undefined) return false
    return [
      [left, right],
      [right, left],
    ].some(([one, other]) => one !== undefined && other !== undefined && isScheme(one, key) && isHarmless(other))
  }
  if (test.kind !== 'call' || test.callee.kind !== 'member') return false
  const { object, name } = test.callee
  const [first] = test.args
  if (first === undefined) return false
  if (name === 'test') return isHarmlessPattern(object) && (nameOf(first) === key || isScheme(first, key))
  if (name === 'match') return isHarmlessPattern(first) && nameOf(object) === key
  return /^(?:includes|has|indexOf)$/.test(name ?? '') && (name !== 'indexOf' || isCompared) && isScheme(first, key)
}

/** `new URL(address).protocol`, also taken out of it. */
function isScheme(value: Value, key: string): boolean {
  const here = resolveValue(value)
  if (here.kind === 'member') return here.name === 'protocol' && isMadeOf(here.object, key)
  const [only, other] = here.kind === 'reference' ? (here.binding?.definitions ?? []) : []
  return (
    only?.value !== undefined &&
    other === undefined &&
    only.path.length === 1 &&
    only.path[0] === 'protocol' &&
    isMadeOf(only.value, key)
  )
}

function isHarmless(value: Value): boolean {
  const text = constantOf(value)
  return typeof text === 'string' && HARMLESS.test(text)
}

function isHarmlessPattern(value: Value): boolean {
  const pattern = resolveValue(value)
  return pattern.kind === 'regex' && !pattern.flags.includes('m') && HARMLESS_PATTERN.test(pattern.pattern)
}
