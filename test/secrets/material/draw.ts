import { createHash } from 'node:crypto'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** Classes of characters by one letter, as documentation of token formats writes them. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  w: LOWER + UPPER + DIGITS,
  l: LOWER + DIGITS,
  a: LOWER,
  A: UPPER,
  U: UPPER + DIGITS,
  h: DIGITS + 'abcdef',
  H: DIGITS + 'ABCDEF',
  d: DIGITS,
  u: LOWER + UPPER + DIGITS + '_-',
  b: LOWER + UPPER + DIGITS + '+/',
  // base32
  k: UPPER + '234567',
  // bech32
  e: '023456789ACDEFGHJKLMNPQRSTUVWXYZ',
  L: LOWER + UPPER,
  p: LOWER + UPPER + DIGITS + '._-',
  r: LOWER + UPPER + DIGITS + '._',
}

/** Draws that follow from a seed. */
export interface Draw {
  below(limit: number): number
  one<Item>(items: readonly Item[]): Item
  /** A text by its shape: `{w36}` is 36 characters of class w, `{w28-32}` a length between, `{g}` a GUID; all else stands for itself. */
  shape(pattern: string): string
  guid(): string
  /** A password as people make them for technical users: parts of words, digits, signs that need no escape anywhere. */
  human(): string
  /** A password as a generator makes it. */
  generated(): string
  /** Letters and digits, 24 to 40 of them. */
  random(): string
  bytes(count: number): Buffer
}

export function createDraw(seed: string): Draw {
  let held = Buffer.alloc(0)
  let block = 0
  const bytes = (count: number): Buffer => {
    while (held.length < count) held = Buffer.concat([held, createHash('sha256').update(`${seed} ${block++}`).digest()])
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
  const below = (limit: number): number => bytes(4).readUInt32BE() % limit
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to draw from')
    return item
  }
  const text = (alphabet: string, length: number): string => {
    // two equal characters in a row are rare in a real token, runs of four are not there
    const drawn = Array.from(bytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
    return /(.)\1\1\1/.test(drawn) ? text(alphabet, length) : drawn
  }
  const guid = (): string => [8, 4, 4, 4, 12].map((length) => text(ALPHABETS['h'] ?? '', length)).join('-')
  const shape = (pattern: string): string =>
    pattern.replaceAll(/\{(?:(g)|([a-zA-Z])(\d+)(?:-(\d+))?)\}/g, (_, isGuid, letter, least, most) => {
      if (isGuid !== undefined) return guid()
      const alphabet = ALPHABETS[String(letter)]
      if (alphabet === undefined) throw new Error(`no alphabet ${String(letter)}`)
      const from = Number(least)
      return text(alphabet, most === undefined ? from : from + below(Number(most) - from + 1))
    })
  return {
    below,
    one,
    shape,
    guid,
    bytes,
    human: () =>
      `${one(PARTS)}${shape('{a2}')}${one(['', '_', '-', '.', '!'])}${one(ENDS)}${shape('{d4}')}${one(['', '!', '*', '+'])}`,
    generated: () => `${shape('{A1}{a1}{d1}')}${one(['_', '.', '-', '!', '+', '~'])}${shape('{w10-18}{d1}')}`,
    random: () => shape('{A1}{d1}{a1}{w21-37}'),
  }
}

const PARTS = ['Nord', 'Lager', 'Kranich', 'Tulpe', 'Berlin', 'Fjord', 'Zebra', 'Mosel', 'Quarz', 'Hafen', 'Riviere', 'Otter']
const ENDS = ['Wind', 'Haus', 'Stein', 'Blau', 'Tor', 'Pfad', 'Lune', 'Gris', 'Feld', 'Mond']

const BASE62 = DIGITS + UPPER + LOWER

/** 30 characters and their CRC32 in base 62, as tokens of GitHub and npm end. */
export function withChecksum(draw: Draw, prefix: string): string {
  const random = draw.shape('{w30}')
  let crc = ~0
  for (const byte of Buffer.from(random)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  let rest = ~crc >>> 0
  let written = ''
  for (let place = 0; place < 6; place++) {
    written = `${BASE62[rest % 62] ?? ''}${written}`
    rest = Math.floor(rest / 62)
  }
  return `${prefix}${random}${written}`
}

/** A signed token that is valid for years from the day of the scan. */
export function drawJwt(draw: Draw, claims: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ alg: 'RS256', typ: 'JWT', kid: draw.shape('key-{h8}') })
  const payload = part({ sub: draw.guid(), exp: 1_900_000_000, iat: 1_790_000_000, ...claims })
  return `${header}.${payload}.${draw.bytes(128).toString('base64url')}`
}

export function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
