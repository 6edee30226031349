import { MAX_JSON_VALUES, MAX_NESTING } from '../limits.ts'
import { closingQuote } from './closing-quote.ts'
import { ParseFailure } from './failure.ts'

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
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
        at = closingQuote(text, at)
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
