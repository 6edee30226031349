import type { Dialect } from './dialect.ts'
import { lineBefore } from '../parse/position.ts'

/** A value as it is written. */
export interface Literal {
  /** Escapes read. */
  readonly value: string
  /** Without quotes. */
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

const LONGEST = 4096
/** Prefixes of Python, C++, C# and of SQL (`N'…'`). */
const OPENING = /(?:[rbufRBUFLN@]{0,2})(\\{0,4}["'`])/y

/** The value whose first character stands at an offset. Undefined: a call, a name, nothing. */
export function readLiteral(text: string, start: number, dialect: Dialect): Literal | undefined {
  // texts of Python over lines, here on one
  const triple = /^(?:"""|''')/.exec(text.slice(start, start + 3))?.[0]
  if (triple !== undefined) return readQuoted(text, start + 3, triple.slice(0, 1))
  OPENING.lastIndex = start
  const opening = OPENING.exec(text)
  if (opening !== null) return readQuoted(text, start + opening[0].length, opening[1] ?? '')
  switch (dialect) {
    case 'line':
      return readLine(text, start)
    case 'yaml':
      return readYaml(text, start)
    case 'shell':
      return readUntil(text, start, /[\s;|&<>()"'`]/)
    case 'headers':
      return readLine(text, start)
    case 'quoted':
    case 'prose':
    case 'comments':
    case 'none':
      return undefined
  }
}

function readQuoted(text: string, start: number, quote: string): Literal | undefined {
  const sign = quote.at(-1) ?? ''
  const escapes = quote.length - 1
  const most = Math.min(text.length, start + LONGEST)
  for (let at = start; at < most; at++) {
    const here = text[at]
    if (here === '\n' || here === '\r') return undefined
    if (escapes === 0 && here === '\\') at++
    else if (here === (escapes === 0 ? sign : '\\') && text.startsWith(quote, at)) return toLiteral(text, start, at, true)
  }
  return undefined
}

function readLine(text: string, start: number): Literal | undefined {
  let end = endOfLine(text, start)
  const comment = /\s[#;]\s/.exec(text.slice(start, end))
  if (comment !== null) end = start + comment.index
  // within a string: `"a=1;password=value"`
  const quote = text.slice(start, end).indexOf('"')
  if (quote !== -1 && isInQuotes(text, start)) end = start + quote
  while (end > start && /\s/.test(text[end - 1] ?? '')) end--
  return end === start ? undefined : toLiteral(text, start, end, false)
}

/** Of the line, or of what is read of it. */
function endOfLine(text: string, start: number): number {
  const length = text.slice(start, start + LONGEST).search(/[\r\n]/)
  return length === -1 ? Math.min(text.length, start + LONGEST) : start + length
}

const LONGEST_BEFORE = 1500

/** Whether an odd number of quotes stands before an offset on its line. */
function isInQuotes(text: string, offset: number): boolean {
  const before = lineBefore(text, offset, LONGEST_BEFORE)
  let isOpen = false
  for (let at = before.indexOf('"'); at !== -1; at = before.indexOf('"', at + 1)) isOpen = !isOpen
  return isOpen
}

const BLOCK = /[|>][-+0-9]{0,2}[ \t]*\r?\n([ \t]+)/y
const FLOW_END = /[,\]}]/

function readYaml(text: string, start: number): Literal | undefined {
  BLOCK.lastIndex = start
  const block = BLOCK.exec(text)
  if (block !== null) return readBlock(text, start + block[0].length, block[1] ?? '')
  const anchor = /^&[\w-]{1,60}[ \t]{1,8}/.exec(text.slice(start, start + 70))?.[0]
  if (anchor !== undefined) return readLiteral(text, start + anchor.length, 'yaml')
  if (/[|>&*!{[]/.test(text[start] ?? '')) return undefined
  const line = readLine(text, start)
  if (line === undefined) return undefined
  // within a flow mapping: `{ user: a, password: b }`
  if (!/[{[]/.test(lineBefore(text, start, 300))) return line
  const end = FLOW_END.exec(text.slice(start, line.end))
  return end === null ? line : toLiteral(text, start, start + text.slice(start, start + end.index).trimEnd().length, false)
}

/** A block scalar of one line; longer ones are keys or scripts, which other finders read. */
function readBlock(text: string, start: number, indent: string): Literal | undefined {
  const line = readLine(text, start)
  if (line === undefined) return undefined
  const next = text.slice(line.end, line.end + indent.length + 3)
  return /^\r?\n/.test(next) && next.replace(/^\r?\n/, '').startsWith(indent) ? undefined : line
}

function readUntil(text: string, start: number, stop: RegExp): Literal | undefined {
  const most = Math.min(text.length, start + LONGEST)
  let end = start
  while (end < most && !stop.test(text[end] ?? '')) end++
  return end === start ? undefined : toLiteral(text, start, end, false)
}

/** Up to a quote on the same line that opened before the name. */
export function readUpTo(text: string, start: number, quote: string): Literal | undefined {
  const found = readQuoted(text, start, quote)
  return found === undefined || found.value === '' ? undefined : found
}

/** A value of a query, up to the next parameter. */
export function readParameter(text: string, start: number): Literal | undefined {
  return readUntil(text, start, /[\s&"'`<>#\\);|,]/)
}

/** The text of an element, up to its end tag on the same line. */
export function readElement(text: string, start: number): Literal | undefined {
  const end = text.indexOf('<', start)
  if (end <= start || end > start + LONGEST || text[end + 1] !== '/') return undefined
  const inside = text.slice(start, end)
  if (/[\r\n]/.test(inside.trim())) return undefined
  const from = start + inside.length - inside.trimStart().length
  return toLiteral(text, from, from + inside.trim().length, true)
}

/** What a reference falls back to: `${PASSWORD:value}` of Spring, `${PASSWORD:-value}` of shells and compose files. */
export function readDefault(text: string, start: number): Literal | undefined {
  const from = text[start] === '-' ? start + 1 : start
  const found = readUntil(text, from, /[\s{}"'`$]/)
  return found !== undefined && text[found.end] === '}' ? { ...found, isQuoted: true } : undefined
}

/** A part of a connection string, up to the semicolon. */
export function readPart(text: string, start: number): Literal | undefined {
  return readUntil(text, start, /[;"'`\r\n<>]/)
}

const ESCAPE = /\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))|&(amp|quot|lt|gt|apos);/g
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'" }

function toLiteral(text: string, start: number, end: number, isQuoted: boolean): Literal {
  const raw = text.slice(start, end)
  const value = /[\\&]/.test(raw)
    ? raw.replaceAll(ESCAPE, (_, unicode?: string, hex?: string, other?: string, reference?: string) => {
        const code = unicode ?? hex
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
        return other ?? REFERENCES[reference ?? ''] ?? ''
      })
    : raw
  return { value, start, end, isQuoted }
}
