import type { Budget } from '../budget.ts'
import type { Span } from '../types.ts'
import { decodeBase64, isBase64Code } from './base64.ts'
import { countLook, permitted, type Layer } from './layers.ts'

/** A private key in PEM (RFC 7468, RFC 1421), however its lines are written: broken, escaped, indented, quoted and concatenated. */
export interface PrivateKey {
  /** `RSA`, `EC`, `DSA`, `OPENSSH`, `ENCRYPTED`, … ; '' for PKCS #8. */
  readonly label: string
  /** Its base64 without white space: the same however it is written. */
  readonly body: string
  /** From its header to its footer. */
  readonly span: Span
  readonly isEncrypted: boolean
  /** The body is a key of that kind as far as its first bytes tell, and as long as they say. */
  readonly isWhole: boolean
}

/** The end of header and footer; a public key has another one, and that of PGP goes on with BLOCK. */
export const PRIVATE_KEY_KEYWORD = 'PRIVATE KEY-----'

const HEADER_START = '-----BEGIN '
const LONGEST_HEADER_START = 48
/** To look for the header, its attributes and the kind of its key. */
const STEPS_PER_HEADER = 14
const LABEL = /^(?:[A-Z0-9]{2,12} ){0,2}$/
/** A key of 16,384 bits has 12,500. */
const LONGEST_BODY = 24_000
const SHORTEST_BODY = 100
/** Ed25519 in PKCS #8: 48 bytes. Only taken where its length is the one that it tells. */
const SHORTEST_WHOLE_BODY = 64
const FEWEST_CHARACTERS = 20
/** Between the quotes of two lines. */
const LONGEST_GAP = 400

/** Finds the private keys in a layer. Bodies hold no dash, so that all of them together are read once. */
export function findPrivateKeys(layer: Layer, budget: Budget): readonly PrivateKey[] {
  const found: PrivateKey[] = []
  for (const hit of permitted(layer, layer.offsets(PRIVATE_KEY_KEYWORD))) {
    budget.step(STEPS_PER_HEADER)
    const from = Math.max(0, hit - LONGEST_HEADER_START)
    const before = layer.text.slice(from, hit)
    const start = before.lastIndexOf(HEADER_START)
    if (start === -1) continue
    const label = before.slice(start + HEADER_START.length)
    if (!LABEL.test(label)) continue
    const key = readKey(layer, { start: from + start, end: hit + PRIVATE_KEY_KEYWORD.length }, label.trim(), budget)
    if (key !== undefined) found.push(key)
  }
  return found
}

function readKey(layer: Layer, header: Span, label: string, budget: Budget): PrivateKey | undefined {
  const { text } = layer
  const attributes = readAttributes(text, header.end)
  const { body, end, looked } = readBody(text, attributes.end)
  countLook(budget, looked)
  if (body.length < SHORTEST_WHOLE_BODY || new Set(body).size < FEWEST_CHARACTERS) return undefined
  const bytes = decodeBase64(body)
  const kind = attributes.isEncrypted ? 'encrypted' : readKind(bytes)
  if (kind === undefined) return undefined
  const isWhole = kind === 'encrypted' || kind === 'openssh' || derLength(bytes) === bytes.length
  if (body.length < SHORTEST_BODY && !(isWhole && kind === 'der')) return undefined
  // what documentation shows of a key: its first lines and three dots
  if (!isWhole && ELLIPSIS.test(text.slice(end, end + 40))) return undefined
  const footer = /^-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/.exec(text.slice(end, end + 80))?.[0] ?? ''
  return {
    label,
    body,
    span: layer.spanOf(header.start, end + footer.length),
    isEncrypted: attributes.isEncrypted || label === 'ENCRYPTED' || (kind === 'openssh' && isLockedOpenSsh(bytes)),
    isWhole,
  }
}

const ELLIPSIS = /^[\s\\nr"'`+,#/*]{0,20}[[(<]?(?:\.{2}|\u2026|\*{3}|snip|truncated|redacted)/i
const SEPARATOR = /[\s"'`+,.\\]/
const ATTRIBUTE = /(?:Proc-Type|DEK-Info|Comment|Subject|X-[A-Za-z-]{1,30}): {0,4}[^\n"'\\]{1,120}/y

/** The lines `Proc-Type: 4,ENCRYPTED` and `DEK-Info: …` of RFC 1421. */
function readAttributes(text: string, start: number): { end: number; isEncrypted: boolean } {
  let end = start
  let isEncrypted = false
  for (let line = 0; line < 5; line++) {
    let at = end
    while (at < end + 40 && SEPARATOR.test(text[at] ?? '')) at += text[at] === '\\' && /[nr]/.test(text[at + 1] ?? '') ? 2 : 1
    ATTRIBUTE.lastIndex = at
    const attribute = ATTRIBUTE.exec(text)?.[0]
    if (attribute === undefined) break
    isEncrypted ||= attribute.includes('ENCRYPTED')
    end = at + attribute.length
  }
  return { end, isEncrypted }
}

/** Base64 up to the footer's first dash, or to what can't belong to it. */
function readBody(text: string, start: number): { body: string; end: number; looked: number } {
  const parts: string[] = []
  let length = 0
  let end = start
  let at = start
  while (at < text.length && length < LONGEST_BODY) {
    const run = at
    while (at < text.length && text[at] !== '-' && text[at] !== '_' && isBase64Code(text.charCodeAt(at))) at++
    if (at > run) {
      parts.push(text.slice(run, at))
      length += at - run
      end = at
      continue
    }
    if (text[at] === '-') {
      end = at
      break
    }
    const next = skipBetween(text, at)
    if (next === undefined) break
    if (next.character !== '') {
      parts.push(next.character)
      length++
    }
    at = next.end
  }
  return { body: parts.join(''), end, looked: at - start }
}

const REFERENCE = /&#(?:x[0Dd]{0,3}[AaDd]|0{0,3}1[03]);/y
const COMMENT = /(?:\r\n|\n|\r)[ \t]{0,100}(?:\/\/ |# ?|\* ?|> ?)/y

/** What may stand between two stretches of base64; `character`: an escaped sign of it. Undefined: the key ends here. */
function skipBetween(text: string, at: number): { end: number; character: string } | undefined {
  const sign = text[at] ?? ''
  if (sign === ' ' || sign === '\t' || sign === '=') return { end: at + 1, character: '' }
  if (sign === '\\') return readEscape(text, at)
  if (sign === '"' || sign === "'" || sign === '`') return skipConcatenation(text, at + 1)
  const pattern = sign === '&' ? REFERENCE : COMMENT
  pattern.lastIndex = at
  const found = pattern.exec(text)?.[0]
  if (found !== undefined) return { end: at + found.length, character: '' }
  return sign === '\n' || sign === '\r' ? { end: at + 1, character: '' } : undefined
}

/** From the end of one quoted line to the start of the next: `" +\n  "`, `",\n'`, `" & _\n"`, `"\n + "`. */
function skipConcatenation(text: string, start: number): { end: number; character: string } | undefined {
  let at = start
  while (at < start + LONGEST_GAP && /[\s\\+.,&_]/.test(text[at] ?? '')) at++
  if (text.startsWith('//', at)) at += 2
  while (at < start + LONGEST_GAP && /[\s+]/.test(text[at] ?? '')) at++
  return /["'`]/.test(text[at] ?? '') ? { end: at + 1, character: '' } : undefined
}

/** `\n`, also of a string within a string; `\/` and `\u002b` stand for signs of base64. */
function readEscape(text: string, start: number): { end: number; character: string } | undefined {
  let at = start
  while (text[at] === '\\' && at < start + 8) at++
  const next = text[at]
  if (next === 'n' || next === 'r' || next === 't') return { end: at + 1, character: '' }
  if (next === '/' || next === '+') return { end: at + 1, character: next }
  if (next === 'u') {
    const code = Number.parseInt(text.slice(at + 1, at + 5), 16)
    if (Number.isNaN(code)) return undefined
    const character = String.fromCharCode(code)
    return { end: at + 5, character: character === '+' || character === '/' ? character : '' }
  }
  return { end: at, character: '' }
}

const OPENSSH = 'openssh-key-v1\0'
const SEQUENCE = 0x30

function readKind(bytes: Uint8Array): 'der' | 'openssh' | undefined {
  if (textOf(bytes, 0, OPENSSH.length) === OPENSSH) return 'openssh'
  return bytes[0] === SEQUENCE && derLength(bytes) !== undefined ? 'der' : undefined
}

/** The bytes that a DER SEQUENCE has in all (X.690, 8.1.3), as its first ones tell. */
function derLength(bytes: Uint8Array): number | undefined {
  const [, first = 0, second = 0, third = 0] = bytes
  if (first < 0x80) return first + 2
  if (first === 0x81) return second + 3
  return first === 0x82 ? second * 256 + third + 4 : undefined
}

/** The name of the cipher follows the magic (PROTOCOL.key of OpenSSH). */
function isLockedOpenSsh(bytes: Uint8Array): boolean {
  return textOf(bytes, OPENSSH.length + 4, 4) !== 'none'
}

function textOf(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length))
}
