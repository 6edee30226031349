import { stringConstantOf, resolveValue, type Value } from '../../facts/index.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import { beginningIn, nameOf, addressesOfPart } from '../addresses.ts'
import { equalIn, methodOf, type Asked } from '../asked.ts'
import { type Constraint, toConstraints } from '../constraint.ts'

/** What runs no code: the beginning of a web address, of a mail or a number, of a path. */
const HARMLESS = /^(?:https?|mailto|tel|sms|ftp|\/|#|\?)/i
/** The same of a pattern: `^https?:`, `^(?:https?|mailto):`, `^\/`, `^#`. */
const HARMLESS_PATTERN =
  /^\^(?:\(?(?:\?:)?(?:https?\??|mailto|tel|sms|ftps?)(?:\|(?:https?\??|mailto|tel|sms|ftps?|#|\\?\/)){0,8}\)?:|\\?\/|#)/i

/** Addresses of a scheme that runs no code: `/^https?:/.test(address)`, `new URL(address).protocol === 'https:'`, `address.startsWith('/')`. */
export function schemes(asked: Asked): readonly Constraint[] {
  const begins = beginningIn(asked)
  const ofComparison = equalIn(asked).flatMap(([one, other]) => (isHarmless(other) ? namesOfScheme(one) : []))
  const names = [
    ...(begins !== undefined && HARMLESS.test(begins.text) ? [nameOf(begins.of)] : []),
    ...ofComparison,
    ...namesInCall(asked),
  ]
  return toConstraints('scheme', names)
}

function namesInCall({ test, holds, isCompared }: Asked): readonly (string | undefined)[] {
  const method = methodOf(test)
  const [first] = method?.args ?? []
  if (!holds || method === undefined || first === undefined || isCompared === 'front') return []
  const { object, name } = method
  if (name === 'test') return isHarmlessPattern(object) ? [nameOf(first), ...namesOfScheme(first)] : []
  if (name === 'match') return isHarmlessPattern(first) ? [nameOf(object)] : []
  return /^(?:includes|has|indexOf)$/.test(name) ? namesOfScheme(first) : []
}

/** The addresses whose scheme a value is: `new URL(address).protocol`, also taken out of it. */
function namesOfScheme(value: Value): readonly string[] {
  return addressesOfPart(resolveValue(value), PROTOCOL)
}

const PROTOCOL: ReadonlySet<string | undefined> = new Set(['protocol'])

function isHarmless(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && HARMLESS.test(text)
}

function isHarmlessPattern(value: Value): boolean {
  const pattern = regexOf(value)
  return pattern !== undefined && !pattern.flags.includes('m') && HARMLESS_PATTERN.test(pattern.pattern)
}
