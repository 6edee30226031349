import type { Budget } from '../budget.ts'
import type { Read } from './assignments.ts'
import { countLook } from './layers.ts'
import { lineBefore } from './lines.ts'
import type { Literal } from './literal.ts'
import { isRandomLooking } from './randomness.ts'

const LABELLED = /[*_]{0,2}[ \t]{0,2}(?:::?|=)[*_]{0,2}[ \t]{1,8}([^\s"'`<>{}()|,;]{12,200})[ \t]{0,8}(?=[\r\n]|-->|\*\/|$)/y

/** `- Password: value` of a text for people: only what was drawn, and ends its line. */
export function readProse(text: string, start: number, end: number): Read | undefined {
  if (text[start - 1] === '`') return readCode(text, end)
  if (text[start - 1] === '/') return readAfterUser(text, start, end)
  SENTENCE.lastIndex = end
  const [sentence, said = ''] = SENTENCE.exec(text) ?? []
  if (sentence !== undefined && isSaid(said)) {
    const at = text.indexOf(said, end)
    return { form: 'assigned', literal: { value: said, start: at, end: at + said.length, isQuoted: true } }
  }
  for (const form of [QUOTED, TICKED, CELL]) {
    form.lastIndex = end
    const [quoted, value = ''] = form.exec(text) ?? []
    if (quoted === undefined || !isSaid(value)) continue
    const at = end + quoted.lastIndexOf(value)
    return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: true } }
  }
  if (text[end] === ')') return readBefore(text, start)
  LABELLED.lastIndex = end
  const [whole, value = ''] = LABELLED.exec(text) ?? []
  if (whole === undefined || !isDrawn(value)) return undefined
  const at = text.indexOf(value, end)
  return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: false } }
}

/** `the password is value`, the value between backticks */
const SENTENCE = /[*_]{0,2}[ \t]{1,2}(?:is|lautet|ist|est)[ \t]{1,4}[*_]{0,2}`([^`\s]{8,100})`/y

/** `with the password "value"` */
const QUOTED = /[ \t]{1,2}(?:of |as )?["'`]([^"'`\s<>]{8,100})["'`]/y

/** `**Password:** `, `Password::`, `password for QAS:`, and the value between backticks. */
const TICKED =
  /[*_]{0,2}(?:[ \t]{1,2}(?:for|of|on|f\u00fcr|pour)[ \t][\w ./-]{1,40})?[ \t]{0,2}::?[*_]{0,2}[ \t]{1,4}`([^`\s<>]{8,100})`/y

/** The next cell of a row of a table. */
const CELL = /[*_`]{0,3}[ \t]{0,20}\|[ \t]{0,20}`?([^\s`|<>]{12,200})`?[ \t]{0,80}\|/y

const BEFORE = /(?:^|[\s`"'])[\w.@\\-]{2,80}[ \t]?[/:][ \t]?`?([^\s`"'<>|]{8,100})`? \((?:user(?:name)?[:/]\s?)?$/

/** `name / value (password)`, `name:value (user:password)` */
function readBefore(text: string, start: number): Read | undefined {
  const from = Math.max(0, start - 300)
  const before = text.slice(from, start)
  const value = BEFORE.exec(before)?.[1] ?? ''
  if (!isMadeUp(value)) return undefined
  const at = from + before.lastIndexOf(value)
  return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: true } }
}

/** What a sentence calls a password: words with a number will do. */
function isSaid(value: string): boolean {
  return isMadeUp(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d{3}/.test(value) && /[-_.~]|[a-z][A-Z]/.test(value))
}

/** As people make passwords: letters of both cases, digits and a sign that no name has. */
function isMade(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d{2}/.test(value) && /[^\w.:/(){}<>-]/.test(value)
}

const IN_CODE = /[ \t]{0,2}[:=][ \t]{0,4}([^\s"'`<>{}()|,;]{12,200})`/y

/** `password: value` between backticks. */
function readCode(text: string, end: number): Read | undefined {
  IN_CODE.lastIndex = end
  const value = IN_CODE.exec(text)?.[1] ?? ''
  if (!isDrawn(value)) return undefined
  const start = text.indexOf(value, end)
  return { form: 'assigned', literal: { value, start, end: start + value.length, isQuoted: false } }
}

const USER_AND = /(?:user|username|login|account|benutzer|utilisateur)\s?\/$/i
const AFTER_USER = /[)\]]?[*_]{0,2}:?[ \t]{0,2}[:=]?[ \t]{1,4}`?[\w.@\\-]{1,80}`?[ \t]{0,2}\/[ \t]{0,2}`?([^\s`"'<>|]{8,100})`?/y

/** `user/password: name / value` */
function readAfterUser(text: string, start: number, end: number): Read | undefined {
  if (!USER_AND.test(text.slice(Math.max(0, start - 16), start))) return undefined
  AFTER_USER.lastIndex = end
  const value = AFTER_USER.exec(text)?.[1] ?? ''
  if (!isMadeUp(value)) return undefined
  const at = AFTER_USER.lastIndex - value.length - (text[AFTER_USER.lastIndex - 1] === '`' ? 1 : 0)
  return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: true } }
}

/** Drawn by a machine, or by a person as a password. */
export function isMadeUp(value: string): boolean {
  return value.length >= 8 && value.length <= 200 && !/[\s<>{}]/.test(value) && (isDrawn(value) || isMade(value))
}

/** Words, versions and names of files are no credential where people write. */
function isDrawn(value: string): boolean {
  if (value.replaceAll(/[A-Z]{0,2}[a-z]{2,20}|\d{1,4}|[-_.]/g, '') === '') return false
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && isRandomLooking(value)
}

const MOST_ROWS = 50
const LONGEST_ROW = 600
const RULER = /^\s{0,4}\|?[ \t:|-]{3,300}$/

/** The cells of a table's column whose head stands at an offset: only what was drawn. */
export function* readColumn(text: string, start: number, end: number, budget: Budget): Generator<Literal> {
  countLook(budget, LONGEST_ROW)
  const before = lineBefore(text, start, LONGEST_ROW)
  if (!before.includes('|') || !/^[ \t*_`]{0,8}\|/.test(text.slice(end, end + 9))) return
  let column = 0
  for (let at = before.indexOf('|'); at !== -1; at = before.indexOf('|', at + 1)) column++
  let line = nextLine(text, end)
  // Gherkin has no ruler
  if (!RULER.test(text.slice(line, endOfLine(text, line)))) line = end
  for (let row = 0; row < MOST_ROWS; row++) {
    line = nextLine(text, line)
    const to = endOfLine(text, line)
    const cells = text.slice(line, to).split('|')
    budget.step(1 + (to - line) / 16)
    if (line >= text.length || cells.length < 3) return
    const cell = cells[column] ?? ''
    const value = cell.replaceAll('`', '').trim()
    if (!/^[^\s<>{}()]{12,200}$/.test(value) || !isDrawn(value)) continue
    const at = line + cells.slice(0, column).join('|').length + 1 + cell.indexOf(value)
    yield { value, start: at, end: at + value.length, isQuoted: false }
  }
}

/** The end of the text where the line is longer than a row. */
function nextLine(text: string, from: number): number {
  const length = text.slice(from, from + LONGEST_ROW).indexOf('\n')
  return length === -1 ? text.length : from + length + 1
}

function endOfLine(text: string, from: number): number {
  const length = text.slice(from, from + LONGEST_ROW).indexOf('\n')
  return length === -1 ? Math.min(text.length, from + LONGEST_ROW) : from + length
}
