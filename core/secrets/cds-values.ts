import type { Read } from './assignments.ts'
import { lineBefore } from '../parse/position.ts'
import { readLiteral } from './literal.ts'
import { endOf } from './assigned.ts'

/** `password : String(100) not null default 'value'`. */
const DEFAULT =
  /!?\]?\s{0,10}:\s{0,10}(?:localized\s{1,4})?[A-Za-z_][\w.]{0,80}(?:\s{0,4}\(\s{0,4}\d{1,9}\s{0,4}\))?(?:\s{1,8}not\s{1,8}null)?\s{1,8}default\s{1,8}(?=')/y

/** `@my.password: 'value'`, `![my.password]: 'value'`, `const password = 'value'`, `where password = 'value'`. */
const GIVEN = /["\]]{0,2}\s{0,10}(?::|=)\s{0,10}['`]/y

const LONGEST_BEFORE = 1500
const LONGEST_BLOCK = 4000

/**
 * Whether a name in a CDS model, outside of comments, may have a value: in annotations, defaults and conditions, and within their texts. All others are
 * names of elements and their types.
 */
export function mayBeGiven(text: string, start: number, end: number): boolean {
  return endOf(GIVEN, text, end) !== undefined || endOf(DEFAULT, text, end) !== undefined || isInText(text, start)
}

export function readCdsDefault(text: string, end: number): Read | undefined {
  const at = endOf(DEFAULT, text, end)
  const literal = at === undefined ? undefined : readLiteral(text, at, 'quoted')
  return literal === undefined ? undefined : { form: 'assigned', literal }
}

/** In quotes on its line, or on a line of its own in a text block. */
function isInText(text: string, start: number): boolean {
  const before = lineBefore(text, start, LONGEST_BEFORE)
  if (before.split("'").length % 2 === 0) return true
  return before.trim() === '' && text.slice(Math.max(0, start - LONGEST_BLOCK), start).split('```').length % 2 === 0
}
