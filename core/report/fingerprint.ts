import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

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
 * SHA-256 of a library, not of Web Crypto: that one is asynchronous, which for texts of a hundred bytes costs ten times the digest.
 */
export function fingerprint(identity: Identity, key: string | undefined): string {
  const { ruleId, file, context, text, occurrence, key: own, secret } = identity
  const parts = [ruleId, file, context, foldSpaces(text), occurrence]
  if (own !== undefined) parts.push(`key ${own}`)
  if (secret !== undefined) {
    const digits = bytesToHex(hmac(sha256, utf8ToBytes(key ?? CONSTANT_KEY), utf8ToBytes(`${ruleId}\n${secret}`)))
    parts.push(digits.slice(0, key === undefined ? UNKEYED_DIGITS : KEYED_DIGITS))
  }
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts)))).slice(0, ID_DIGITS)
}

/** Formatting is no part of an identity. */
export function foldSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
