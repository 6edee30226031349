import { hmacSha256, sha256Hex, toHex } from '../digest.ts'

/** What a finding's identity is made of: never a line, a message, a severity or a confidence. */
export interface Identity {
  readonly ruleId: string
  readonly file: string
  /** The enclosing function, element, definition or JSON pointer. */
  readonly context: string
  /** The matched text, masked; white space is folded here. */
  readonly text: string
  /** How many equal ones stand before it in this context. */
  readonly occurrence: number
  /** Tells matches of one place apart. */
  readonly key?: string
  readonly secret?: string
}

const ID_DIGITS = 24
const KEYED_DIGITS = 12
const UNKEYED_DIGITS = 2
const CONSTANT_KEY = 'parapet fingerprint of a credential'

/**
 * Gives the fingerprint, 24 hex digits. With a key a secret's value counts with twelve digits, without with two: nobody gets a dictionary attack.
 */
export function fingerprint(identity: Identity, key: string | undefined): string {
  const { ruleId, file, context, text, occurrence, key: own, secret } = identity
  const parts = [ruleId, file, context, foldSpaces(text), occurrence]
  if (own !== undefined) parts.push(`key ${own}`)
  if (secret !== undefined) {
    const digits = toHex(hmacSha256(key ?? CONSTANT_KEY, `${ruleId}\n${secret}`))
    parts.push(digits.slice(0, key === undefined ? UNKEYED_DIGITS : KEYED_DIGITS))
  }
  return sha256Hex(JSON.stringify(parts)).slice(0, ID_DIGITS)
}

/** Formatting is no part of an identity. */
export function foldSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
