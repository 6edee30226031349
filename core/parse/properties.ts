import type { Span } from '../types.ts'
import type { DataMember, DataObject, DataScalar } from './data.ts'

interface Decoded extends Span {
  readonly text: string
}

/**
 * Reads .properties and .env files: `key = value`, `key: value`, `key value`, `export KEY=value`, comments with `#` and `!`, lines that
 * a backslash continues. Values in quotes are without them, escapes are decoded. Any text is some such file: it never fails, and is linear.
 */
export function parseProperties(text: string): DataObject {
  const members: DataMember[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    const start = skipBlanks(text, at)
    const first = text[start]
    if (first === '#' || first === '!') {
      at = nextLine(text, lineEnd(text, start))
      continue
    }
    if (isLineEnd(text, start)) {
      at = start + 1
      continue
    }
    const key = readKey(text, start)
    const value = readValue(text, valueStart(text, key.end))
    members.push({ key: key.text, keySpan: { start: key.start, end: key.end }, value: value.node })
    at = nextLine(text, value.end)
  }
  return { kind: 'object', start: 0, end: text.length, members }
}

/** The first word, or what follows the `export` of a shell. */
function readKey(text: string, start: number): Decoded {
  const word = readWord(text, start)
  const next = skipBlanks(text, word.end)
  const exported = word.text === 'export' && next > word.end && !isLineEnd(text, next) && !isSeparator(text, next)
  return exported ? readWord(text, next) : word
}

/** Up to a blank, `=` or `:`. */
function readWord(text: string, start: number): Decoded {
  let at = start
  while (at < text.length && !isLineEnd(text, at) && !isSeparator(text, at))
    at += text[at] === '\\' && !isLineEnd(text, at + 1) ? 2 : 1
  const end = Math.min(at, text.length)
  return { text: decode(text.slice(start, end)), start, end }
}

function valueStart(text: string, keyEnd: number): number {
  const at = skipBlanks(text, keyEnd)
  return text[at] === '=' || text[at] === ':' ? skipBlanks(text, at + 1) : at
}

/** `end`: the end of its last line. */
function readValue(text: string, start: number): { node: DataScalar; end: number } {
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const close = closingQuote(text, start, quote)
    if (close !== -1) {
      const raw = text.slice(start + 1, close)
      return { node: toScalar(quote === '"' ? decode(raw) : raw, start + 1, close), end: lineEnd(text, close) }
    }
  }
  const end = logicalEnd(text, start)
  let last = end
  while (last > start && isBlank(text, last - 1)) last--
  return { node: toScalar(decode(text.slice(start, last)), start, last), end }
}

/** A quoted value ends on its line, and nothing but a comment follows; otherwise the quotes are part of the value. */
function closingQuote(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length && !isLineEnd(text, at); at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) {
      const next = skipBlanks(text, at + 1)
      return isLineEnd(text, next) || text[next] === '#' ? at : -1
    }
  }
  return -1
}

/** The end of the line, or of the last one that backslashes continue. */
function logicalEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !isLineEnd(text, at)) {
    if (text[at] !== '\\') at++
    else if (isLineEnd(text, at + 1)) at = nextLine(text, at + 1)
    else at += 2
  }
  return Math.min(at, text.length)
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
])

function decode(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(
    /\\(?:u([0-9a-fA-F]{4})|\r?\n[ \t\f]*|\r[ \t\f]*|([^]))/gu,
    (_, hex: string | undefined, escaped: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return escaped === undefined ? '' : (ESCAPES.get(escaped) ?? escaped)
    },
  )
}

function toScalar(value: string, start: number, end: number): DataScalar {
  return { kind: 'string', value, start, end }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text, at)) at++
  return at
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text, at)) at++
  return at
}

function nextLine(text: string, end: number): number {
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
}

function isSeparator(text: string, at: number): boolean {
  return text[at] === '=' || text[at] === ':' || isBlank(text, at)
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x20 || code === 0x09 || code === 0x0c
}

/** The end of the text ends a line too. */
function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '\n' || text[at] === '\r'
}
