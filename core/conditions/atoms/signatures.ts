import { directParts, findPart, keyOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { equalIn, methodOf, type Asked } from '../asked.ts'
import { type Constraint, toConstraints } from '../constraint.ts'

const MAX_DEPTH = 4
const COMPARES = /^(?:timingSafeEqual|verify|equals)$/

/** A script that makes such digests at all. */
export const MAKES_DIGESTS: RegExp = /create(?:Hmac|Verify)/

/**
 * Values that the owner of a key has signed: `timingSafeEqual(expected, given)` with `const expected = createHmac('sha256', key).update(body).digest()`. Facts: Node.js,
 * "crypto.createHmac", "crypto.createVerify", "crypto.timingSafeEqual".
 */
export function signatures(asked: Asked): readonly Constraint[] {
  const { test, holds } = asked
  const isCompared = test.kind === 'call' ? holds && COMPARES.test(lastNameOf(test.callee) ?? '') : equalIn(asked).length > 0
  return isCompared ? toConstraints('signed', [...new Set(signedIn(test))]) : []
}

/** What a digest is made of that is compared: `createHmac('sha256', key).update(body)`. */
function signedIn(comparison: Value): readonly string[] {
  const found: string[] = []
  const collect = (part: Value): boolean => {
    if (part.kind === 'call' && lastNameOf(part.callee) === 'update' && findPart(part.callee, isMaker) !== undefined)
      found.push(...part.args.flatMap((given) => madeOf(given, 0)))
    return false
  }
  for (const part of directParts(comparison)) findPart(part, collect)
  return found
}

/** `body`, `body.toString()`, `${time}.${body}`: a field of it says nothing of the rest. */
function madeOf(value: Value, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return []
  if (value.kind === 'member' || value.kind === 'reference') return [keyOf(value) ?? []].flat()
  const method = methodOf(value)
  const parts = method === undefined ? directParts(value) : [method.object, ...method.args]
  return parts.flatMap((part) => madeOf(part, depth + 1))
}

function isMaker(part: Value): boolean {
  return part.kind === 'call' && /^create(?:Hmac|Verify)$/.test(lastNameOf(part.callee) ?? '')
}
