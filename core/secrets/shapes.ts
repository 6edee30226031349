import { hasChecksum } from './checksum.ts'
import { isWordLike } from './randomness.ts'
import type { TokenRow } from './table/index.ts'
import type { TokenShape } from './tokens.ts'
import { isBlotted, isSequence } from './values.ts'
import { textOfBase64 } from './base64.ts'

/** What a shape begins with, whatever the token: shown in reports. */
export function literalOf(shape: string): string {
  let literal = ''
  for (let at = 0; at < shape.length; at++) {
    const sign = shape[at] ?? ''
    if (sign === '\\') literal += shape[++at] ?? ''
    else if (/[[({|?]/.test(sign)) break
    else literal += sign
  }
  return literal
}

/** No token is longer: all quantifiers at their most, and each other sign as one. */
function longestOf(shape: string): number {
  let longest = shape.length
  for (const [, least = '0', most = least] of shape.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) longest += Number(most)
  return longest
}

/** What may not follow: a character that the token's last class has too. */
function afterOf(shape: string): RegExp {
  const last = [...shape.matchAll(/\[[^\]]{1,60}\]/g)].at(-1)?.[0] ?? ''
  if (last.includes('+/')) return /[A-Za-z0-9+/=]/
  return last.includes('_') ? /[A-Za-z0-9_-]/ : /[A-Za-z0-9_]/
}

/** Rows that need no name, ready for the automaton. */
export function toShape(row: TokenRow, shape: string): TokenShape {
  const literal = literalOf(shape)
  return {
    name: row.name,
    keywords: row.keywords ?? [literal],
    lead: row.lead ?? 0,
    pattern: new RegExp(shape, 'y'),
    longest: longestOf(shape),
    // the second part of a JSON Web Token begins like the first
    before: row.check === 'jwt' ? /[A-Za-z0-9_.-]/ : /[A-Za-z0-9_]/,
    after: afterOf(shape),
    accepts: (value) =>
      isDrawn(value, row) && (row.check !== 'json' || holdsJson(value)) && (row.check !== 'jwt' || isJwt(value)),
    ...(row.near !== undefined && { near: row.near }),
  }
}

const SAMPLE = /example|placeholder|redacted|changeme|your[-_]|dummy|replace[-_]|x{8}|X{8}|insert[-_]|sample[-_]/i
const WORDS_OF_A_SAMPLE = 0.9
/** A value that is shorter is not asked for its variety. */
const SHORT = 16

/** Whether the part that is random may be: what documentation puts there is not. */
export function isDrawn(value: string, row: TokenRow): boolean {
  const literal = literalOf(row.shape ?? '')
  const body = value.startsWith(literal) ? value.slice(literal.length) : value
  if (SAMPLE.test(body) || isBlotted(body.toLowerCase()) || isSequence(body.toLowerCase())) return false
  const fewest = body.length >= 30 ? 9 : body.length >= SHORT ? 7 : 4
  if (new Set(body).size < fewest) return false
  // the shape has said enough: of a random body too a few letters may read as a word
  return !isWordLike(body, WORDS_OF_A_SAMPLE)
}

/** Classic tokens of GitHub and npm: a checksum that fits proves them; one that doesn't is that of an example, mostly. */
export function failsChecksum(value: string, row: TokenRow): boolean {
  return row.check === 'crc32' && !hasChecksum(value.slice(value.indexOf('_') + 1))
}

function holdsJson(value: string): boolean {
  const start = value.indexOf('eyJ')
  return textOfBase64(value.slice(start, start + 40)).startsWith('{"')
}

/** RFC 7515: the header is JSON and names an algorithm. */
function isJwt(value: string): boolean {
  return /"alg"\s{0,4}:/.test(textOfBase64(value.split('.')[0] ?? ''))
}

/** Bytes of a signature: those of HS256 are 32, and twelve random ones are readable in one case of 100,000. */
const FEWEST_SIGNED = 12

/**
 * A JSON Web Token of documentation, which nothing accepts: its signature reads `{signature over header and payload}`. An issuer of RFC 2606
 * (`https://example.com`) is none: projects that copied it sign tokens that their services accept.
 * Or one that pages hold for everybody: Supabase signs it for the role `anon`.
 * Facts: RFC 7515, appendix A: signatures are bytes that look random; Supabase, "Understanding API keys".
 */
export function isSampleToken(value: string): boolean {
  const [, payload = '', signature = ''] = value.split('.')
  if (/"role"\s{0,4}:\s{0,4}"anon"/.test(textOfBase64(payload))) return true
  const signed = textOfBase64(signature)
  return signed.length >= FEWEST_SIGNED && /^[\t\n\r -~]+$/.test(signed)
}

/** When a JSON Web Token ends, in seconds since 1970. */
export function expiryOf(value: string): number | undefined {
  const found = /"exp"\s{0,4}:\s{0,4}(\d{9,11})/.exec(textOfBase64(value.split('.')[1] ?? ''))
  return found === null ? undefined : Number(found[1])
}

/** Whether one secret both signs a JSON Web Token and verifies it. Fact: RFC 7518, section 3.2. */
export function isSymmetric(value: string): boolean {
  return /"alg"\s{0,4}:\s{0,4}"HS256"/.test(textOfBase64(value.split('.', 1)[0] ?? ''))
}

/** Supabase signs tokens of the role that may do everything. */
export function isServiceRole(value: string): boolean {
  return /"role"\s{0,4}:\s{0,4}"service_role"/.test(textOfBase64(value.split('.')[1] ?? ''))
}
