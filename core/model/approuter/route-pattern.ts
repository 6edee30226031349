/** A regular expression as a tree, over the characters of URLs. Sets are masks over ASCII. */
export type Pattern =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'ahead'; readonly part: Pattern; readonly negate: boolean }

/** What a finite automaton can't decide, or not within bounds. Caught in route-language.ts. */
export class Undecided extends Error {}

/** Real sources are under 150 characters. */
const MAX_SOURCE = 400

export const URL_CHARACTERS = "!$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"

/** Reads a regular expression of JavaScript without flags, or with `i`. Throws Undecided: none, too long, references, word boundaries, looking behind. */
export function parsePattern(source: string, matchCase: boolean): Pattern {
  if (source.length > MAX_SOURCE || !isExpression(source)) throw new Undecided()
  const reader: Reader = { source, at: 0, matchCase }
  return readChoice(reader)
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

interface Reader {
  readonly source: string
  at: number
  readonly matchCase: boolean
}

/** Up to a closing bracket or the end. */
function readChoice(reader: Reader): Pattern {
  const options: Pattern[] = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at++
    options.push(readSequence(reader))
  }
  const [only] = options
  return options.length === 1 && only !== undefined ? only : { kind: 'choice', options }
}

function readSequence(reader: Reader): Pattern {
  const parts: Pattern[] = []
  for (let next = reader.source[reader.at]; next !== undefined && next !== '|' && next !== ')'; next = reader.source[reader.at])
    parts.push(readRepeated(reader))
  return { kind: 'sequence', parts }
}

function readRepeated(reader: Reader): Pattern {
  const part = readPart(reader)
  const [quantifier = '', low, comma, high] =
    /^(?:[*+?]|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/.exec(reader.source.slice(reader.at)) ?? []
  if (quantifier === '') return part
  reader.at += quantifier.length
  if (part.kind === 'ahead') throw new Undecided()
  if (low === undefined)
    return { kind: 'repeat', part, min: quantifier[0] === '+' ? 1 : 0, max: quantifier[0] === '?' ? 1 : Infinity }
  const max = comma === undefined ? Number(low) : high === '' || high === undefined ? Infinity : Number(high)
  return { kind: 'repeat', part, min: Number(low), max }
}

function readPart(reader: Reader): Pattern {
  const character = reader.source[reader.at++] ?? ''
  if (character === '^') return { kind: 'start' }
  if (character === '$') return { kind: 'end' }
  if (character === '.') return { kind: 'set', set: toSet(() => true) }
  if (character === '[') return { kind: 'set', set: readClass(reader) }
  if (character === '(') return readGroup(reader)
  if (character !== '\\') return { kind: 'set', set: single(character, reader) }
  if (/[bBk1-9]/.test(reader.source[reader.at] ?? '')) throw new Undecided()
  const escaped = readEscape(reader)
  return { kind: 'set', set: typeof escaped === 'string' ? single(escaped, reader) : escaped }
}

function readGroup(reader: Reader): Pattern {
  const opening = /^\?(?::|=|!|<=|<!|<[^>]{1,100}>)/.exec(reader.source.slice(reader.at))?.[0] ?? ''
  if (opening === '?<=' || opening === '?<!' || (opening === '' && reader.source[reader.at] === '?')) throw new Undecided()
  reader.at += opening.length
  const part = readChoice(reader)
  // the closing bracket
  reader.at++
  return opening === '?=' || opening === '?!' ? { kind: 'ahead', part, negate: opening === '?!' } : part
}

const CLASSES: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /\s/ }
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', b: '\b', 0: '\0' }

/** Behind a backslash: one character, or a set. */
function readEscape(reader: Reader): string | Uint8Array {
  const character = reader.source[reader.at++] ?? ''
  const named = CLASSES[character.toLowerCase()]
  if (named !== undefined) return toSet((one) => named.test(one) === (character === character.toLowerCase()))
  const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(reader.source.slice(reader.at - 1))
  if (code !== null) {
    reader.at += code[0].length - 1
    return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16))
  }
  if (character === 'c' || /[1-9]/.test(character)) throw new Undecided()
  return CONTROLS[character] ?? character
}

function readClass(reader: Reader): Uint8Array {
  const set = new Uint8Array(128)
  const negate = reader.source[reader.at] === '^'
  if (negate) reader.at++
  while (reader.at < reader.source.length && reader.source[reader.at] !== ']') {
    const first = readMember(reader)
    const isRange = reader.source[reader.at] === '-' && reader.source[reader.at + 1] !== ']'
    if (!isRange || typeof first !== 'string') {
      addTo(set, typeof first === 'string' ? single(first, reader) : first)
      continue
    }
    reader.at++
    const last = readMember(reader)
    if (typeof last !== 'string') {
      // `[a-\d]`: three members
      for (const one of [single(first, reader), single('-', reader), last]) addTo(set, one)
      continue
    }
    for (let code = first.charCodeAt(0); code <= Math.min(127, last.charCodeAt(0)); code++)
      addTo(set, single(String.fromCharCode(code), reader))
  }
  reader.at++
  return negate ? toSet((one) => set[one.charCodeAt(0)] !== 1) : set
}

function readMember(reader: Reader): string | Uint8Array {
  const character = reader.source[reader.at++] ?? ''
  return character === '\\' ? readEscape(reader) : character
}

function single(character: string, { matchCase }: Reader): Uint8Array {
  if (matchCase) return toSet((one) => one === character)
  return toSet((one) => one === character.toLowerCase() || one === character.toUpperCase())
}

/** Of all characters that a URL has. */
function toSet(has: (character: string) => boolean): Uint8Array {
  const set = new Uint8Array(128)
  for (const character of URL_CHARACTERS) if (has(character)) set[character.charCodeAt(0)] = 1
  return set
}

function addTo(set: Uint8Array, other: Uint8Array): void {
  for (const [code, has] of other.entries()) if (has === 1) set[code] = 1
}
