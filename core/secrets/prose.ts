import type { Budget } from '../budget.ts'
import type { Read } from './assignments.ts'
import { countLook } from './layers.ts'
import { lineBefore } from '../parse/position.ts'
import type { Literal } from './literal.ts'
import { isDrawn, isMadeUp, isSaid } from './made-up.ts'
import { isSecondOfTwo, readPairOfNames, readSentence } from './sentences.ts'

/** What a text for people says of a name: only what was drawn or made up as a credential. `before`: the line up to the name. */
export function readProse(text: string, start: number, end: number, before: string): Read | undefined {
  if (text[start - 1] === '`' && text[end] !== '`') return readCode(text, end)
  const said =
    (isSecondOfTwo(before) || PAIRS.test(text.slice(start, end)) ? readPairOfNames(text, end) : undefined) ??
    readSentence(text, end, before)
  if (said !== undefined) return said
  for (const form of [QUOTED, CELL]) {
    form.lastIndex = end
    const [quoted, value = ''] = form.exec(text) ?? []
    if (quoted === undefined || !isSaid(value)) continue
    const at = end + quoted.lastIndexOf(value)
    return { form: 'assigned', literal: { value, start: at, end: at + value.length, isQuoted: true } }
  }
  return text[end] === ')' ? readBefore(text, start) : undefined
}

/** Names of a user and his password in one. */
const PAIRS = /^(?:credentials?|zugangsdaten|identifiants)$/i

/** `with the password "value"` */
const QUOTED =
  /[ \t]{1,2}(?:of |as )?["'`\u00ab\u201e\u201c\u201a][ \u00a0]?([^"'`\s<>\u00bb\u201c\u201d\u2018]{8,100})[ \u00a0]?["'`\u00bb\u201c\u201d\u2018]/y

/** The next cell of a row of a table. */
const CELL = /[*_`]{0,3}[ \t]{0,20}\|[ \t]{0,20}`?([^\s`|<>]{12,200})`?[ \t]{0,80}(?:\||(?=[\r\n]|$))/y

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

const IN_CODE = /[ \t]{0,2}[:=][ \t]{0,4}([^\s"'`<>{}()|,;]{12,200})`/y

/** `password: value` between backticks. */
function readCode(text: string, end: number): Read | undefined {
  IN_CODE.lastIndex = end
  const value = IN_CODE.exec(text)?.[1] ?? ''
  if (!isDrawn(value)) return undefined
  const start = text.indexOf(value, end)
  return { form: 'assigned', literal: { value, start, end: start + value.length, isQuoted: false } }
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
