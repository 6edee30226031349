import { MAX_NESTING } from '../limits.ts'

const LF = 10
const CR = 13
const QUOTE = 34
const DOLLAR = 36
const APOSTROPHE = 39
const OPEN_PAREN = 40
const CLOSE_PAREN = 41
const STAR = 42
const SLASH = 47
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const BACKTICK = 96
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Words after which `/` starts a regular expression, not a division. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'throw',
  'new',
  'yield',
  'await',
  'instanceof',
])

/** Offset of the bracket that is nested more than `max` deep in a script, if there is one. It guards the parser, whose recursion costs
 *  stack for each level. Strings, comments, templates and regular expressions don't count, so that real code (87 levels at most) never trips it;
 *  where the text is no script at all the count is only a guess. One pass, linear. */
export function findTooDeep(text: string, max: number = MAX_NESTING): number | undefined {
  let depth = 0
  // the depths at which a `}` goes back into the template around it
  const templates: number[] = []
  const seen: Seen = { comment: -1, commentEnd: -1, operandEnd: -1 }
  // a `/` before this offset has no closing one on its line: looking again from each would be quadratic
  let noRegexBefore = 0

  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const code = text.charCodeAt(at)
    switch (code) {
      case QUOTE:
      case APOSTROPHE:
        at = skipString(text, at, code)
        break
      case BACKTICK:
      case CLOSE_BRACE: {
        const endsPart = code === CLOSE_BRACE && templates.at(-1) === depth
        if (code === CLOSE_BRACE && depth > 0) depth--
        if (endsPart) templates.pop()
        if (endsPart || code === BACKTICK) {
          at = skipTemplate(text, at)
          if (text.charCodeAt(at) === OPEN_BRACE) {
            templates.push(++depth)
            if (depth > max) return at
          } else seen.operandEnd = at
        }
        break
      }
      case SLASH: {
        const next = text.charCodeAt(at + 1)
        if (next === SLASH || next === STAR) {
          if (at !== seen.commentEnd + 1) seen.comment = at
          at = next === SLASH ? skipTo(text, '\n', at) : skipTo(text, '*/', at + 2) + 1
          seen.commentEnd = at
        } else if (at >= noRegexBefore && !followsOperand(text, at, seen)) {
          const end = skipRegex(text, at)
          if (text.charCodeAt(end) === SLASH) {
            at = end
            seen.operandEnd = end
          } else noRegexBefore = end
        }
        break
      }
      case OPEN_PAREN:
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > max) return at
        break
      default:
        // closing brackets too many: a text that is no script must not hide a later depth
        if (depth > 0) depth--
    }
  }
  return undefined
}

/** What the scan remembers so that a `/` can be told from the text before it. */
interface Seen {
  /** The last run of comments: from its start to its last character. */
  comment: number
  commentEnd: number
  /** The last character of a regular expression or a template. */
  operandEnd: number
}

/** Characters that the scan has to look at; all others, nine of ten, are passed over. */
const MARKS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  '"\'`/()[]{}'.includes(String.fromCharCode(code)) ? 1 : 0,
)

/** A loop of its own: it alone runs for each character. */
function nextMark(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && MARKS[code] === 1) break
  }
  return at
}

const MAX_LOOK_BACK = 200

/** Whether what stands before a `/` may end an operand: then it divides. Comments in between are passed over once. */
function followsOperand(text: string, slash: number, { comment, commentEnd, operandEnd }: Seen): boolean {
  let at = slash - 1
  for (const stop = slash - MAX_LOOK_BACK; at > stop; at--) {
    if (at === commentEnd) at = comment
    else if (!/\s/.test(text.charAt(at))) break
  }
  if (at < 0) return false
  if (at === operandEnd) return true
  const code = text.charCodeAt(at)
  if (code === CLOSE_PAREN || code === CLOSE_BRACKET || code === QUOTE || code === APOSTROPHE) return true
  if (!isWord(code)) return false
  let start = at
  while (start > 0 && at - start < LONGEST_WORD && isWord(text.charCodeAt(start - 1))) start--
  return !BEFORE_REGEX.has(text.slice(start, at + 1))
}

const LONGEST_WORD = 12

function isWord(code: number): boolean {
  return (
    code >= 128 ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === DOLLAR
  )
}

/** To the closing quote, or to the end of the line: a string that doesn't end on it is a syntax error or a quote within a regular expression. */
function skipString(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote || code === LF) return at
    if (code === BACKSLASH) at += text.charCodeAt(at + 1) === CR && text.charCodeAt(at + 2) === LF ? 2 : 1
  }
  return text.length
}

/** To the closing backtick or to the `{` of the next `${`. */
function skipTemplate(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKTICK) return at
    if (code === BACKSLASH) at++
    else if (code === DOLLAR && text.charCodeAt(at + 1) === OPEN_BRACE) return at + 1
  }
  return text.length
}

/** To the closing slash, or to the end of the line: then it was a division. */
function skipRegex(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LF || code === CR) return at
    if (code === BACKSLASH) {
      // an escaped end of line ends it all the same
      if (text.charCodeAt(at + 1) !== LF) at++
    } else if (code === OPEN_BRACKET) inClass = true
    else if (code === CLOSE_BRACKET) inClass = false
    else if (code === SLASH && !inClass) return at
  }
  return text.length
}

function skipTo(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at
}
