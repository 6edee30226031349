import { MAX_NESTING } from '../../limits.ts'
import { ParseFailure } from '../../parse/failure.ts'
import type { Span } from '../../types.ts'

/** Of the white space of JSON the last one. */
const BLANK = 32
const QUOTE = 34
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** A key of valid JSON: its name, the span of what stands between its quotes, and the keys around it, outermost first. */
export type KeyVisitor = (name: string, span: Span, around: readonly string[]) => void

/**
 * Visits each key of an object in valid JSON whose value is an object, in one linear pass: a tree with positions costs ten times as much.
 * Throws a ParseFailure where it is nested too deep.
 */
export function visitObjectKeys(text: string, visit: KeyVisitor): void {
  const around: string[] = []
  // the key whose value comes next, and what opened each bracket
  let key: Span | undefined
  const opened: boolean[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = closingQuote(text, at)
      key = nextSolid(text, end + 1) === COLON ? { start: at + 1, end } : undefined
      at = end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (opened.length >= MAX_NESTING) throw new ParseFailure('too-deep', at)
      const isNamed = key !== undefined
      if (key !== undefined) {
        const name = nameOf(text, key)
        if (code === OPEN_BRACE) visit(name, key, around)
        around.push(name)
      }
      opened.push(isNamed)
      key = undefined
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (opened.pop() === true) around.pop()
      key = undefined
    }
  }
}

function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

function nextSolid(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= BLANK) at++
  return text.charCodeAt(at)
}

function nameOf(text: string, { start, end }: Span): string {
  const raw = text.slice(start, end)
  if (!raw.includes('\\')) return raw
  const name: unknown = JSON.parse(`"${raw}"`)
  return typeof name === 'string' ? name : raw
}
