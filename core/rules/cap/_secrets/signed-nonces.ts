import { findPart, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** `nonce`, `requestNonce`. */
const NONCE = /nonce$/i

/**
 * Whether what was drawn is the nonce of a request that is signed with a key: it travels openly beside its HMAC, and only has to differ from others.
 * Facts: RFC 2104 (the key alone is secret); Node.js 24, `crypto.createHmac(…).update(text)`.
 */
export function isSignedNonce(name: string, drawn: CallValue, { calls }: ScriptFacts, step: (count?: number) => void): boolean {
  if (!NONCE.test(name)) return false
  step(calls.length)
  return calls.some(
    ({ callee, args, function: around }) =>
      around === drawn.function &&
      callee.kind === 'member' &&
      callee.name === 'update' &&
      isHmac(callee.object) &&
      args.some((given) => findPart(given, (part) => part === drawn) !== undefined),
  )
}

function isHmac(value: Value): boolean {
  const made = resolveValue(value)
  return made.kind === 'call' && /^createHmac$/i.test(lastNameOf(made.callee) ?? '')
}
