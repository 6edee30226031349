import { MAX_NESTING } from '../../limits.ts'
import { closingQuote } from '../closing-quote.ts'
import { ParseFailure } from '../failure.ts'
import type { Span } from '../../types.ts'

/** Of the white space of JSON the last one. */
const BLANK = 32
const QUOTE = 34
const COLON = 58
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * A key of valid JSON: its name, the span of what stands between its quotes, and the keys around it, outermost first.
 * True: the keys inside of its object are visited too.
 */
export type KeyVisitor = (name: string, span: Span, around: readonly string[]) => boolean

/**
 * Visits keys of a valid JSON object whose value is an object, in one linear pass: a tree with positions costs ten times as much.
 * Nothing in an array is visited. Throws a ParseFailure where it is nested too deep.
 */
export function visitObjectKeys(text: string, visit: KeyVisitor): void {
  const around: string[] = []
  for (let at = text.indexOf('{') + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === CLOSE_BRACE) around.pop()
    if (code !== QUOTE) continue
    const end = closingQuote(text, at)
    const colon = nextSolid(text, end + 1)
    if (text.charCodeAt(colon) !== COLON) {
      at = end
      continue
    }
    const value = nextSolid(text, colon + 1)
    const opening = text.charCodeAt(value)
    if (opening === OPEN_BRACE) {
      const name = nameOf(text, at + 1, end)
      if (around.length + 1 >= MAX_NESTING) throw new ParseFailure('too-deep', value)
      if (visit(name, { start: at + 1, end }, around)) {
        around.push(name)
        at = value
      } else at = skipValue(text, value, around.length + 1)
    } else if (opening === OPEN_BRACKET) at = skipValue(text, value, around.length + 1)
    else at = value - 1
  }
}

/** The last bracket of an object or array that so many others are around. */
function skipValue(text: string, start: number, depth: number): number {
  let open = depth
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open >= MAX_NESTING) throw new ParseFailure('too-deep', at)
      open++
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open--
      if (open === depth) return at
    }
  }
  return text.length
}

function nextSolid(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= BLANK) at++
  return at
}

function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start, end)
  if (!raw.includes('\\')) return raw
  const name: unknown = JSON.parse(`"${raw}"`)
  return typeof name === 'string' ? name : raw
}
