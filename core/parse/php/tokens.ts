import type { Span } from '../../types.ts'

/** `text` is what is written, of a string what it holds. `joined` and `command` are strings in which variables may stand: their parts are tokens in turn. */
export interface PhpToken extends Span {
  readonly kind: 'html' | 'variable' | 'word' | 'number' | 'string' | 'joined' | 'command' | 'symbol' | 'cast'
  readonly text: string
  readonly parts?: readonly (PhpToken | readonly PhpToken[])[]
  /** Of a bracket that opens: the index of the one that closes it. */
  closes?: number
}

const OPENING = /<\?(?:php\b|=|(?!xml|[a-z]))/gi
const TOKEN =
  /(?<skipped>\s+|\/\*[^]*?(?:\*\/|$))|(?<comment>\/\/|#)|(?<end>\?>)|(?<cast>\([ \t]{0,5}(?:int|integer|bool|boolean|float|double|real|string|array|object|unset|binary)[ \t]{0,5}\))|(?<variable>\$[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|(?<word>\\?[A-Za-z_\u0080-\uffff][\w\\\u0080-\uffff]*)|(?<number>\d[\w.]*)|(?<heredoc><<<)|(?<quote>["'`])|(?<symbol>===|!==|<=>|\*\*=?|\?\?=?|\?->|->|=>|::|&&|\|\||\+\+|--|\.\.\.|[-+*/.%&|^]=|<<=?|>>=?|==|!=|<>|<=|>=|[^])/gy
/** Behind `<<<`: the name that ends the text. */
const LABEL = /[ \t]{0,5}["']?(\w{1,60})["']?\r?\n/y
const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** How deep strings may stand in the variables of other strings. */
const MOST_NESTED = 4

/** Text of a file to tokens, from its HTML on. Any text is some such text: it never fails, and is linear. */
export function toPhpTokens(text: string): PhpToken[] {
  const tokens: PhpToken[] = []
  let at = 0
  while (at < text.length) {
    OPENING.lastIndex = at
    const opening = OPENING.exec(text)
    const start = opening?.index ?? text.length
    if (start > at) tokens.push({ kind: 'html', text: '', start: at, end: start })
    if (opening === null) break
    at = start + opening[0].length
    if (opening[0].endsWith('=')) tokens.push({ kind: 'word', text: 'echo', start, end: at })
    at = readCode(text, at, text.length, tokens, 0)
    tokens.push({ kind: 'symbol', text: ';', start: at, end: at })
  }
  return closeBrackets(tokens)
}

/** Adds the tokens of code up to `?>` or the limit; gives where that ends. */
function readCode(text: string, from: number, limit: number, tokens: PhpToken[], depth: number): number {
  let at = from
  while (at < limit) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) return limit
    const { skipped, comment, end: closing, cast, variable, word, number, heredoc, quote, symbol = '' } = found.groups ?? {}
    const start = at
    at += found[0].length
    const end = at
    if (comment !== undefined) at = endOfComment(text, at, limit)
    if (skipped !== undefined || comment !== undefined) continue
    if (closing !== undefined) return at
    if (heredoc !== undefined) at = readHeredoc(text, { start, at, limit }, tokens, depth)
    else if (quote !== undefined) at = readQuoted(text, { start, at, limit, quote }, tokens, depth)
    else if (cast !== undefined) tokens.push({ kind: 'cast', text: cast.replaceAll(/[ \t]/g, '').toLowerCase(), start, end })
    else if (variable !== undefined) tokens.push({ kind: 'variable', text: variable.slice(1), start, end })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, start, end })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, start, end })
    else tokens.push({ kind: 'symbol', text: symbol, start, end })
  }
  return limit
}

interface Literal {
  readonly start: number
  /** Where its text begins. */
  readonly at: number
  readonly limit: number
}

function readQuoted(
  text: string,
  { start, at, limit, quote }: Literal & { readonly quote: string },
  tokens: PhpToken[],
  depth: number,
): number {
  const close = endOfLiteral(text, at, limit, quote)
  const end = Math.min(limit, close + 1)
  if (quote === "'") tokens.push({ kind: 'string', text: unescaped(text.slice(at, close)), start, end })
  else tokens.push(interpolated(text, { start, at, limit: close }, end, quote === '`', depth))
  return end
}

function readHeredoc(text: string, { start, at: from, limit }: Literal, tokens: PhpToken[], depth: number): number {
  LABEL.lastIndex = from
  const [label = '', name = ''] = LABEL.exec(text) ?? []
  if (name === '') return from
  const at = from + label.length
  const found = endOfHeredoc(text, at, limit, name)
  const close = Math.max(at, found)
  const end = found === limit ? limit : text.indexOf(name, found) + name.length
  if (label.includes("'")) tokens.push({ kind: 'string', text: text.slice(at, close), start, end })
  else tokens.push(interpolated(text, { start, at, limit: close }, end, false, depth))
  return end
}

/** Of a comment of one line: with the line, or with the code. */
function endOfComment(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const here = text[at]
    if (here === '\n' || here === '\r' || (here === '?' && text[at + 1] === '>')) return at
  }
  return limit
}

/** The line break before the line that begins with a name; the limit where there is none. */
function endOfHeredoc(text: string, from: number, limit: number, name: string): number {
  for (let found = text.indexOf(name, from); found !== -1 && found < limit; found = text.indexOf(name, found + 1)) {
    let at = found - 1
    while (at >= from && (text[at] === ' ' || text[at] === '\t')) at--
    if (text[at] === '\n' && !/\w/.test(text[found + name.length] ?? '')) return at
  }
  return limit
}

/** Where the quote stands that ends a literal; those within `{$a["b"]}` end none. */
function endOfLiteral(text: string, from: number, limit: number, quote: string): number {
  for (let at = from; at < limit; at++) {
    const here = text[at]
    if (here === '\\') at++
    else if (here === quote) return at
    else if (quote !== "'" && here === '{' && text[at + 1] === '$') at = endOfBraces(text, at + 1, limit)
  }
  return limit
}

function endOfBraces(text: string, from: number, limit: number): number {
  let depth = 1
  for (let at = from; at < limit; at++) {
    const here = text[at]
    if (here === '\\') at++
    else if (here === '{') depth++
    else if (here === '}' && --depth === 0) return at
    else if (here === '"' || here === "'") {
      const close = text.indexOf(here, at + 1)
      if (close === -1 || close >= limit) return limit
      at = close
    }
  }
  return limit
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function unescaped(written: string): string {
  return written.includes('\\') ? written.replaceAll(/\\([^])/g, (_, sign: string) => ESCAPES[sign] ?? sign) : written
}

/** `$a`, `$a[0]`, `$a[b]`, `$a['b']`, `$a->b` in a text. */
const SIMPLE =
  /\$([A-Za-z_]\w{0,100})(?:\[(?:(\d{1,10}|[A-Za-z_]\w{0,100})|\$(\w{1,100})|'([^'\]]{0,100})')\]|->([A-Za-z_]\w{0,100}))?/y

function interpolated(
  text: string,
  { start, at: from, limit }: Literal,
  end: number,
  isCommand: boolean,
  depth: number,
): PhpToken {
  const parts: (PhpToken | readonly PhpToken[])[] = []
  let done = from
  const keep = (to: number): void => {
    if (to > done) parts.push({ kind: 'string', text: unescaped(text.slice(done, to)), start: done, end: to })
  }
  for (let at = from; at < limit; at++) {
    const here = text[at]
    if (here === '\\') at++
    else if (here === '$' || (here === '{' && text[at + 1] === '$')) {
      const part: PhpToken[] = []
      const next = here === '$' ? readSimple(text, at, part) : readBraces(text, at, limit, part, depth)
      if (next === at) continue
      keep(at)
      parts.push(closeBrackets(part))
      done = next
      at = next - 1
    }
  }
  keep(limit)
  if (parts.length === 0) return { kind: isCommand ? 'command' : 'string', text: '', start, end, parts: [] }
  const [only] = parts
  if (!isCommand && parts.length === 1 && only !== undefined && 'kind' in only) return { ...only, start, end }
  return { kind: isCommand ? 'command' : 'joined', text: '', start, end, parts }
}

function readBraces(text: string, at: number, limit: number, part: PhpToken[], depth: number): number {
  const close = endOfBraces(text, at + 1, limit)
  if (depth < MOST_NESTED) readCode(text, at + 1, close, part, depth + 1)
  return Math.min(limit, close + 1)
}

/** Adds the tokens of a variable within a text, as if it were written in code. `${a}` is one as well. */
function readSimple(text: string, at: number, part: PhpToken[]): number {
  SIMPLE.lastIndex = at
  const found = SIMPLE.exec(text)
  const add = (kind: PhpToken['kind'], written: string, end: number): void => {
    part.push({ kind, text: written, start: at, end })
  }
  if (found === null) {
    const braced = /^\$\{(\w{1,100})\}/.exec(text.slice(at, at + 110))
    if (braced?.[1] === undefined) return at
    add('variable', braced[1], at + braced[0].length)
    return at + braced[0].length
  }
  const end = at + found[0].length
  const [, name = '', key, variable, quoted, property] = found
  add('variable', name, end)
  if (property !== undefined) {
    add('symbol', '->', end)
    add('word', property, end)
  } else if (found[0].endsWith(']')) {
    add('symbol', '[', end)
    if (variable === undefined) add('string', key ?? quoted ?? '', end)
    else add('variable', variable, end)
    add('symbol', ']', end)
  }
  return end
}

function closeBrackets(tokens: PhpToken[]): PhpToken[] {
  const open: number[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'symbol') continue
    if (text in CLOSED_BY) open.push(index)
    else if (text === ')' || text === ']' || text === '}') {
      const last = tokens[open.at(-1) ?? -1]
      if (last === undefined || CLOSED_BY[last.text] !== text) continue
      last.closes = index
      open.pop()
    }
  }
  return tokens
}
