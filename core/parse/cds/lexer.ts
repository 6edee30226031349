import type { Span } from '../../types.ts'
import { readTextBlock } from './text-blocks.ts'

export type TokenKind = 'name' | 'quoted' | 'string' | 'number' | 'symbol' | 'end'

/** One token. Comments are none. */
export interface Token extends Span {
  readonly kind: TokenKind
  /** Decoded: a string without quotes and escapes, a quoted name without its brackets. */
  readonly text: string
  /** Lower case for names (keywords know no case), else ''. */
  readonly word: string
  /** Braces open around it; a brace itself stands outside. */
  readonly level: number
  /** It is the first one on its line. */
  readonly startsLine: boolean
}

const SYMBOLS = ['...', '..', '||', '<=', '>=', '<>', '!=', '==', '->', '=>', '::'] as const
const TYPED = new Set(['x', 'date', 'time', 'timestamp'])

const LF = 10
const CR = 13

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isNameStart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 36 ||
    (code > 127 && code !== 0xfeff && code !== 0xa0)
  )
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 11 || code === 12 || code === 0xfeff || code === 0xa0
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR || code === 0x2028 || code === 0x2029
}

/** Offset of the first character from `at` on that is not part of a name. */
function endOfName(text: string, at: number): number {
  let end = at
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++
  return end
}

function endOfDigits(text: string, at: number): number {
  let end = at
  while (end < text.length && isDigit(text.charCodeAt(end))) end++
  return end
}

/** `1..*` is a number and two dots, so a fraction needs a digit. */
function endOfNumber(text: string, at: number): number {
  let end = endOfDigits(text, at)
  if (text[end] === '.' && isDigit(text.charCodeAt(end + 1))) end = endOfDigits(text, end + 1)
  if (text[end] === 'e' || text[end] === 'E') {
    const sign = text[end + 1] === '+' || text[end + 1] === '-' ? 1 : 0
    if (isDigit(text.charCodeAt(end + 1 + sign))) end = endOfDigits(text, end + 1 + sign)
  }
  return end
}

/** End of what `close` closes, on the same line; a doubled `close` stands for itself. An unclosed one ends with its line. */
function endOfQuoted(text: string, from: number, close: string): { end: number; closed: boolean } {
  let at = from
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) {
    if (text[at] === close) {
      if (text[at + 1] !== close) return { end: at, closed: true }
      at++
    }
    at++
  }
  return { end: Math.min(at, text.length), closed: false }
}

/** All tokens of a text, the last one of kind `end`; `onComment` is told of what stands between. Never throws: what no token begins with is a symbol of one character. */
export function tokenize(text: string, onComment: (comment: Span) => void = () => undefined): Token[] {
  const tokens: Token[] = []
  let at = 0
  let level = 0
  let startsLine = true

  function push(kind: TokenKind, start: number, end: number, value: string, word = ''): void {
    tokens.push({ kind, start, end, text: value, word, level, startsLine })
    startsLine = false
    at = end
  }

  function pushQuoted(kind: TokenKind, start: number, from: number, close: string): void {
    const { end, closed } = endOfQuoted(text, from, close)
    push(kind, start, closed ? end + 1 : end, text.slice(from, end).replaceAll(close + close, close))
  }

  while (at < text.length) {
    const code = text.charCodeAt(at)
    const character = text[at] ?? ''
    if (isLineEnd(code)) {
      startsLine = true
      at++
    } else if (isBlank(code)) {
      at++
    } else if (character === '/' && text[at + 1] === '/') {
      const start = at
      while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++
      onComment({ start, end: at })
    } else if (character === '/' && text[at + 1] === '*') {
      const start = at
      const close = text.indexOf('*/', at + 2)
      at = close === -1 ? text.length : close + 2
      onComment({ start, end: at })
    } else if (isNameStart(code)) {
      const end = endOfName(text, at)
      const name = text.slice(at, end)
      const word = name.toLowerCase()
      if (text[end] === "'" && TYPED.has(word)) pushQuoted('string', at, end + 1, "'")
      else push('name', at, end, name, word)
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at)
      push('number', at, end, text.slice(at, end))
    } else if (character === "'") {
      pushQuoted('string', at, at + 1, "'")
    } else if (character === '"') {
      pushQuoted('quoted', at, at + 1, '"')
    } else if (character === '!' && text[at + 1] === '[') {
      pushQuoted('quoted', at, at + 2, ']')
    } else if (character === '`') {
      const block = readTextBlock(text, at)
      push('string', at, block.end, block.value)
    } else {
      const symbol = SYMBOLS.find((symbol) => text.startsWith(symbol, at)) ?? character
      if (symbol === '}' && level > 0) level--
      push('symbol', at, at + symbol.length, symbol)
      if (symbol === '{') level++
    }
  }
  level = 0
  push('end', text.length, text.length, '')
  return tokens
}
