import type { Budget } from '../budget.ts'
import type { Read } from './assignments.ts'
import { countLook } from './layers.ts'
import { lineBefore } from './lines.ts'
import type { Literal } from './literal.ts'
import { isRandomLooking } from './randomness.ts'

const LABELLED = /[*_]{0,2}[ \t]{0,2}:[*_]{0,2}[ \t]{1,8}([^\s"'`<>{}()|,;]{12,200})[ \t]{0,8}(?=[\r\n]|-->|\*\/|$)/y

/** `- Password: value` of a text for people: only what was drawn, and ends its line. */
export function readProse(text: string, start: number, end: number): Read | undefined {
  if (text[start - 1] === '`') return readCode(text, end)
  SENTENCE.lastIndex = end
  const [sentence, said = ''] = SENTENCE.exec(text) ?? []
  if (sentence !== undefined && (isDrawn(said) || isMade(said))) {
    const at = text.indexOf(said, end)
    return { form: 'assigned', literal: { value: said, start: at, end: at + said.length, isQuoted: true } }
  }
  LABELLED.lastIndex = end
  const [whole, value = ''] = LABELLED.exec(text) ?? []
  if (whole === undefined || !isDrawn(value)) return undefined
  const at = text.indexOf(value, end)
  return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: false } }
}

/** `the password is value`, the value between backticks */
const SENTENCE = /[*_]{0,2}[ \t]{1,2}(?:is|lautet|ist|est)[ \t]{1,4}[*_]{0,2}`([^`\s]{8,100})`/y

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

/** Words, versions and names of files are no credential where people write. */
function isDrawn(value: string): boolean {
  if (value.replaceAll(/[A-Z]?[a-z]{2,20}|\d{1,4}|[-_.]/g, '') === '') return false
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
  const column = before.split('|').length - 1
  let line = nextLine(text, end)
  if (!RULER.test(text.slice(line, endOfLine(text, line)))) return
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
