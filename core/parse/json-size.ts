import { MAX_JSON_VALUES, MAX_NESTING } from '../limits.ts'
import { ParseFailure } from './failure.ts'

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Counts what JSON.parse would make of a text before it does: 20 MB of `{},` are seven million objects, and V8 ends a process that has no room for them. Throws a
 * ParseFailure where there are too many values, or too many levels of them. One pass, linear.
 */
export function checkJsonSize(text: string): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_NESTING) throw new ParseFailure('too-deep', at)
        if (++values > MAX_JSON_VALUES) throw new ParseFailure('too-deep', at)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--
        break
      case COMMA:
        if (++values > MAX_JSON_VALUES) throw new ParseFailure('too-deep', at)
    }
  }
}

/** The closing quote of a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
