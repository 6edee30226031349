import type { Budget } from '../budget.ts'
import { countLook, createDecodedLayer, type Layer } from './layers.ts'

/** Decoded text of one file at most: whoever hides credentials behind more of it hides them from himself. */
const MOST_DECODED = 65_536
const SHORTEST_RUN = 24
/** Bytes that must be readable before the rest is decoded: nine random ones are in one case of 10,000. */
const FIRST_BYTES = 9
const FIRST_RUN = 256
/** A line of base64 that is wrapped has 64 or 76 characters. */
const SHORTEST_LINE = 60
/** Characters of base64 that decode to as much. */
const LONGEST_RUN = Math.ceil((MOST_DECODED * 4) / 3)
const DEPTH = 2

/** The digit that a character stands for in base64 and base64url; 255: none. */
const DIGITS: Uint8Array = buildDigits()

function buildDigits(): Uint8Array {
  const digits = new Uint8Array(128).fill(255)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let index = 0; index < alphabet.length; index++) digits[alphabet.charCodeAt(index)] = index
  digits['-'.charCodeAt(0)] = 62
  digits['_'.charCodeAt(0)] = 63
  return digits
}

export function isBase64Code(code: number): boolean {
  return (DIGITS[code] ?? 255) !== 255
}

/** The bytes of base64 or base64url without white space; what follows the last whole byte (padding too) is dropped. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let length = 0
  let bits = 0
  let held = 0
  for (let at = 0; at < text.length; at++) {
    const digit = DIGITS[text.charCodeAt(at)] ?? 255
    if (digit === 255) break
    bits = ((bits << 6) | digit) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[length++] = (bits >> held) & 0xff
  }
  return bytes.subarray(0, length)
}

/** The same as a text, a character for each byte. */
export function textOfBase64(text: string): string {
  return Array.from(decodeBase64(text), (byte) => String.fromCharCode(byte)).join('')
}

/** What a layer holds as base64, as layers of their own, and what these hold in turn; `onCut`: there was more than is decoded. Runs of 24 characters or more that decode to readable text. */
export function decodeLayers(layer: Layer, budget: Budget, onCut: () => void = () => {}): readonly Layer[] {
  const found: Layer[] = []
  let left = MOST_DECODED
  let outer: readonly Layer[] = [layer]
  for (let depth = 0; depth < DEPTH; depth++) {
    const inner: Layer[] = []
    for (const parent of outer) {
      countLook(budget, parent.text.length)
      for (const positions of findRuns(parent.text)) {
        if (!parent.permits(positions[0] ?? 0)) continue
        const decoded = decodeRun(parent, positions.subarray(0, Math.ceil((left * 4) / 3)))
        // a run that is no text ends with its first bytes
        countLook(budget, decoded === undefined ? FIRST_RUN : positions.length * 4)
        if (decoded === undefined) continue
        inner.push(decoded)
        left -= decoded.text.length
        if (left < SHORTEST_RUN) {
          onCut()
          return [...found, ...inner]
        }
      }
    }
    found.push(...inner)
    outer = inner
  }
  return found
}

/** The offsets of the characters of each run; one goes on over a line end where the line was long enough to be wrapped. */
function* findRuns(text: string): Generator<Uint32Array> {
  let at = 0
  while (at < text.length) {
    at = startOfRun(text, at)
    if (at >= text.length) return
    const parts: { readonly start: number; readonly end: number }[] = []
    let length = 0
    for (;;) {
      const start = at
      at = endOfRun(text, at)
      parts.push({ start, end: at })
      length += at - start
      const next = at - start >= SHORTEST_LINE ? nextLine(text, at) : undefined
      if (next === undefined || length > LONGEST_RUN) break
      at = next
    }
    if (length < SHORTEST_RUN) continue
    // more of a run is never decoded
    const positions = new Uint32Array(Math.min(length, LONGEST_RUN))
    let index = 0
    for (const { start, end } of parts)
      for (let offset = start; offset < end && index < positions.length; offset++) positions[index++] = offset
    yield positions
  }
}

/** Functions of their own, so that they are compiled for their many calls: a generator is slow for each character. */
function startOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBase64Code(text.charCodeAt(at))) at++
  return at
}

function endOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && isBase64Code(text.charCodeAt(at))) at++
  return at
}

const LONGEST_INDENT = 40

function nextLine(text: string, end: number): number | undefined {
  let at = text[end] === '\r' ? end + 1 : end
  if (text[at] !== '\n') return undefined
  at++
  for (let indent = 0; indent < LONGEST_INDENT && (text[at] === ' ' || text[at] === '\t'); indent++) at++
  return isBase64Code(text.charCodeAt(at)) ? at : undefined
}

function decodeRun(parent: Layer, positions: Uint32Array): Layer | undefined {
  const first = decodeAt(parent.text, positions.subarray(0, Math.ceil((FIRST_BYTES * 4) / 3)))
  if (first.length < FIRST_BYTES || !first.every((byte) => isReadable(byte) && byte < 0x7f)) return undefined
  const bytes = decodeAt(parent.text, positions)
  if (!bytes.every(isReadable)) return undefined
  const text = toText(bytes)
  const starts = new Uint32Array(bytes.length)
  const ends = new Uint32Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) {
    starts[index] = positions[Math.floor((index * 8) / 6)] ?? 0
    ends[index] = (positions[Math.floor((index * 8 + 7) / 6)] ?? 0) + 1
  }
  return createDecodedLayer(parent, text, starts, ends)
}

function decodeAt(text: string, positions: Uint32Array): Uint8Array {
  const first = positions[0] ?? 0
  const last = positions.at(-1) ?? -1
  // on one line, as most are
  if (last - first === positions.length - 1) return decodeBase64(text.slice(first, last + 1))
  return decodeBase64(Array.from(positions, (offset) => text[offset] ?? '').join(''))
}

/** Arguments of one call. */
const AT_ONCE = 8192

function toText(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += AT_ONCE) text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE))
  return text
}

/** Text of any language in UTF-8: its bytes beyond ASCII stand for one character each here, which no credential has. */
function isReadable(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d
}
