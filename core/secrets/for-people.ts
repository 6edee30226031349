import type { Dialect } from './dialect.ts'
import { lineBefore } from '../parse/position.ts'

/** Where people write for people: in texts, comments, and in the strings of programs. */
export function isSaidAt(text: string, start: number, end: number, dialect: Dialect, own: Dialect): boolean {
  if (own === 'shell') return text[end] === ' ' && /^\s{0,40}#/.test(lineBefore(text, start, 120))
  if (dialect === 'prose' || isLabel(text, start, end)) return true
  if (!/[ :]/.test(text[end] ?? '') || text[start - 1] === '{') return false
  return dialect === 'line' || quoteAround(text, start) !== undefined
}

/** The quote that is open before an offset on its line. */
function quoteAround(text: string, start: number): string | undefined {
  const before = lineBefore(text, start, 120)
  const quote = /["'`]/.exec(before)?.[0]
  return quote !== undefined && before.split(quote).length % 2 === 0 ? quote : undefined
}

const COMMENT = /^\s{0,40}(?:\/\/|\/?\*|--\s|"\s)|\s\/\/\s/
/** A line of its own, a comment of YAML, of XML. */
const LABEL = /^\s{0,40}(?:#|[*-]?\s{0,4}$)|<!--/

/** `# password: value` in a program, a page; on a line of its own as in a text of Python over lines. */
function isLabel(text: string, start: number, end: number): boolean {
  if (!/[: =)]/.test(text[end] ?? '')) return false
  const before = lineBefore(text, start, LONGEST_BEFORE)
  return COMMENT.test(before) || (/^\s{0,3}[:=]/.test(text.slice(end, end + 4)) && LABEL.test(before))
}

const LONGEST_BEFORE = 300

/** On a line that begins as a comment, or behind two slashes. */
export function isInComment(text: string, start: number): boolean {
  return COMMENT.test(lineBefore(text, start, LONGEST_BEFORE))
}

/** As far as the forms for people go. */
const REACH = 400
const LINES = 3

/** Whether a digit stands near, as in every value that was made up: most texts have none there, and need no further look. */
export function mayHoldValue(text: string, start: number, end: number): boolean {
  const most = Math.min(text.length, end + REACH)
  let lines = 0
  for (let at = end; at < most && lines < LINES; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) return true
    if (code === 0x0a) lines++
  }
  // `value (password)`
  return text[end] === ')' && /\d/.test(text.slice(Math.max(0, start - REACH), start))
}
