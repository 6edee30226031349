/** A file's text and the UTF-8 bytes that spell exactly this text, so that keyword offsets and text offsets can be matched. */
export interface DecodedText {
  readonly text: string
  readonly bytes: Uint8Array
}

/** Bytes at the beginning of a file that tell whether it is binary. */
export const BINARY_SAMPLE = 8192

/**
 * Decodes by byte order mark, else UTF-8, else the UTF-16 that a NUL in every second byte gives away.
 * Undefined: binary (in the first 8 kB a NUL beside other control characters, or many of them), or UTF-32. A script may hold a NUL or two, in a comment or to set
 * the parts of a key apart. Bytes that are not UTF-8 become U+FFFD, one by one: lines never shift.
 */
export function decodeText(raw: Uint8Array): DecodedText | undefined {
  if (raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf) return decodeUtf8(raw.subarray(3))
  // the mark of UTF-32 begins with that of UTF-16
  if (raw[0] === 0xff && raw[1] === 0xfe && raw[2] === 0 && raw[3] === 0) return undefined
  if (raw[0] === 0xff && raw[1] === 0xfe) return decodeUtf16(raw.subarray(2), true)
  if (raw[0] === 0xfe && raw[1] === 0xff) return decodeUtf16(raw.subarray(2), false)
  const sample = raw.subarray(0, BINARY_SAMPLE)
  if (!sample.includes(0)) return decodeUtf8(raw)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  if (odd > half * 0.4 && even < half * 0.05) return decodeUtf16(raw, true)
  if (even > half * 0.4 && odd < half * 0.05) return decodeUtf16(raw, false)
  return isTextWithZeros(sample, even + odd) ? decodeUtf8(raw) : undefined
}

const MOST_ZEROS = 8

/** Nothing else in it is a character that texts do not have; binary formats have more of them than of zeros. */
function isTextWithZeros(sample: Uint8Array, zeros: number): boolean {
  const isOfText = (byte: number): boolean => byte >= 0x20 || byte === 0 || (byte >= 0x09 && byte <= 0x0d)
  return zeros <= MOST_ZEROS && zeros * 8 < sample.length && sample.every(isOfText) && isUtf8(sample)
}

/** The sample may end within a character. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), bytes }
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    return { text, bytes: new TextEncoder().encode(text) }
  }
}

function decodeUtf16(bytes: Uint8Array, littleEndian: boolean): DecodedText {
  const units = new Uint16Array(bytes.length >> 1)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < units.length; at++) units[at] = view.getUint16(at * 2, littleEndian)
  const parts: string[] = []
  for (let at = 0; at < units.length; at += 0x2000) parts.push(String.fromCharCode(...units.subarray(at, at + 0x2000)))
  // lone surrogates would not survive JSON
  const text = parts.join('').replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  return { text, bytes: new TextEncoder().encode(text) }
}
