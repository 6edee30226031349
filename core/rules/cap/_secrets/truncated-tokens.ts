import { awaited } from '../../../facts/conditions.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { findPart, pathOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'

/**
 * `bcrypt.hash(jwt.sign({ … }, key), 12)`: the header of a JWT takes 37 bytes, so that of its payload the first 26 bytes count, and nothing of its time or signature.
 * Facts: README of bcrypt 6 and bcryptjs 3: only the first 72 bytes of a string are used; RFC 7519, section 3.1 (header, payload, signature; base64url). Silent where each of
 * the tokens begins with a value of its own. After a single field, which may be a short number, the time may count as well: `isShort`.
 */
export function truncatedTokens(
  facts: ScriptFacts,
  step: (count?: number) => void,
): readonly { readonly call: CallValue; readonly isShort: boolean }[] {
  const found = facts.calls.flatMap((call) => {
    const [first] = call.args
    const signing = first !== undefined && isBcrypt(call) ? signIn(first, step) : undefined
    return signing === undefined ? [] : [{ call, signing }]
  })
  return found.every(({ signing }) => isFresh(signing))
    ? []
    : found.map(({ call, signing }) => ({ call, isShort: fieldsOf(signing).length === 1 }))
}

function isBcrypt({ callee }: CallValue): boolean {
  return /^module:(?:bcrypt|bcryptjs|@node-rs\/bcrypt|bcrypt-ts) (?:default )?hash(?:Sync)?$/.test(
    pathOf(callee)?.join(' ') ?? '',
  )
}

/** The call that makes the token, also in a function of the script that returns nothing else. */
function signIn(given: Value, step: (count?: number) => void, depth = 0): CallValue | undefined {
  step()
  const value = resolveValue(given)
  if (value.kind === 'await') return signIn(value.value, step, depth)
  if (value.kind !== 'call' || depth > MAX_HOPS) return undefined
  if (SIGNS.test(pathOf(value.callee)?.join(' ') ?? '')) return value
  let first: CallValue | undefined
  for (const returned of functionOf(value.callee)?.returns ?? []) {
    const found = signIn(returned, step, depth + 1)
    if (found === undefined) return undefined
    first ??= found
  }
  return first
}

const SIGNS = /^module:(?:jsonwebtoken|@nestjs\/jwt) (?:\w+ )?sign(?:Sync|Async)?$/
const MAX_HOPS = 3

/** The payload begins with a value that is drawn for this token. */
function isFresh(signing: CallValue): boolean {
  const [first] = fieldsOf(signing)
  if (first === undefined) return false
  return first.key === 'jti' || findPart(first.value, isDrawn) !== undefined
}

/** Drawn or counted for each token, or of a row that was made for it: `const session = await Session.create(…)`. */
function isDrawn(part: Value): boolean {
  if (part.kind === 'call') return DRAWS.test(lastNameOf(part.callee) ?? '')
  if (part.kind === 'new') return lastNameOf(part.callee) === 'Date'
  if (part.kind !== 'reference') return false
  return part.binding?.definitions.some(({ value }) => value !== undefined && isMade(awaited(resolveValue(value)))) === true
}

const DRAWS = /^(?:random(?:UUID|Bytes|Int)|getRandomValues|uuid|v[147]|nanoid|cuid|ulid|now|getTime)$/i

function isMade(value: Value): boolean {
  return (
    value.kind === 'new' ||
    (value.kind === 'call' && /^(?:create|insert|save|add|start|open)/i.test(lastNameOf(value.callee) ?? ''))
  )
}

function fieldsOf({ args: [payload] }: CallValue): readonly { readonly key?: string; readonly value: Value }[] {
  const row = payload && resolveValue(payload)
  return row?.kind === 'object' ? row.fields : []
}
