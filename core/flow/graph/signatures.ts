import { directParts, findPart, isOnTheWay, keyOf, type Guard, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const MAX_DEPTH = 4

/**
 * Whether a value is known to be what the owner of a key has signed, where conditions let it through: `if (!timingSafeEqual(expected, given)) return`, with
 * `const expected = createHmac('sha256', key).update(body).digest()`. Facts: Node.js, "crypto.createHmac", "crypto.createVerify", "crypto.timingSafeEqual".
 */
export function isSigned(guards: readonly Guard[], value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  return guards.some((guard) => isOnTheWay(guard, offset) && isSignedBy(guard.test, key, offset < guard.inside.end))
}

/** The same of one condition that holds, or does not. */
export function isSignedBy(test: Value, key: string, holds: boolean, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const isProof = (part: Value): boolean => isSignedBy(part, key, holds, depth + 1)
  switch (test.kind) {
    case 'call':
      return holds && COMPARES.test(lastNameOf(test.callee) ?? '') && isOfDigest(test, key)
    case 'operation':
      if (test.operator === '!') return test.operands.some((part) => isSignedBy(part, key, !holds, depth + 1))
      return /^[!=]==?$/.test(test.operator) && test.operator.startsWith('=') === holds && isOfDigest(test, key)
    case 'choice':
      if (test.test !== undefined) return false
      return (test.isAnd === true) === holds ? test.options.some(isProof) : test.options.every(isProof)
    case 'reference': {
      const [definition, other] = test.binding?.definitions ?? []
      const given = other === undefined && definition?.path.length === 0 ? definition.value : undefined
      return given !== undefined && isProof(given)
    }
    default:
      return false
  }
}

const COMPARES = /^(?:timingSafeEqual|verify|equals)$/

/** A comparison with a digest that was made of the value: `createHmac('sha256', key).update(body)`. */
function isOfDigest(comparison: Value, key: string): boolean {
  const isOfValue = (part: Value): boolean =>
    part.kind === 'call' &&
    lastNameOf(part.callee) === 'update' &&
    findPart(part.callee, isMaker) !== undefined &&
    part.args.some((given) => isMadeOf(given, key))
  return directParts(comparison).some((part) => findPart(part, isOfValue) !== undefined)
}

/** `body`, `body.toString()`, `${time}.${body}`: a field of it says nothing of the rest. */
function isMadeOf(value: Value, key: string, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'member' || value.kind === 'reference') return keyOf(value) === key
  const parts =
    value.kind === 'call' && value.callee.kind === 'member' ? [value.callee.object, ...value.args] : directParts(value)
  return parts.some((part) => isMadeOf(part, key, depth + 1))
}

function isMaker(part: Value): boolean {
  return part.kind === 'call' && /^create(?:Hmac|Verify)$/.test(lastNameOf(part.callee) ?? '')
}

/** Whether a script makes such digests at all. */
export const MAKES_DIGESTS: RegExp = /create(?:Hmac|Verify)/
