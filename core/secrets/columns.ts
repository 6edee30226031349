import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook, type Layer } from './layers.ts'
import { classifyName, type NameKind } from './names.ts'
import { isMadeUp } from './made-up.ts'

const LONGEST_HEAD = 4096
const LONGEST_LINE = 8192
const SEPARATORS = [';', ',', '\t'] as const

interface Column {
  readonly name: string
  readonly kind: NameKind
  readonly index: number
}

/** Cells of a CSV file (initial data of CAP among them) whose column is named after a credential: only what was drawn or made up as a password. */
export function* findInColumns(layer: Layer, path: string, budget: Budget): Generator<Assignment> {
  if (path.endsWith('.impex')) yield* findInImpex(layer, budget)
  if (!/\.[ct]sv$/i.test(path)) return
  const { text } = layer
  const headEnd = endOfLine(text, 0)
  if (headEnd > LONGEST_HEAD) return
  countLook(budget, headEnd)
  const head = text.slice(0, headEnd)
  const separator = SEPARATORS.find((sign) => head.includes(sign)) ?? ','
  const columns = columnsOf(head, separator)
  if (columns.length === 0) return
  for (let start = headEnd + 1; start < text.length;) {
    const end = endOfLine(text, start)
    countLook(budget, (end - start) * 2)
    if (end - start < LONGEST_LINE && layer.permits(start)) yield* readRow(text, start, end, separator, columns)
    start = end + 1
  }
}

/** Those that are named after a credential; modifiers of ImpEx stand in brackets. */
function columnsOf(head: string, separator: string): readonly Column[] {
  return head.split(separator).flatMap((cell, index): Column[] => {
    const name = cell.replaceAll(/["'\s\uFEFF@]|\[.*/g, '')
    const kind = classifyName(name)
    return kind === undefined ? [] : [{ name, kind, index }]
  })
}

function* readRow(
  text: string,
  start: number,
  end: number,
  separator: string,
  columns: readonly Column[],
): Generator<Assignment> {
  const cells = cellsOf(text, start, end, separator)
  for (const { name, kind, index } of columns) {
    const cell = cells[index]
    const value = cell === undefined ? '' : text.slice(cell.start, cell.end)
    if (cell === undefined || !isMadeUp(value)) continue
    yield { name, kind, form: 'entry', nameStart: start, value, start: cell.start, end: cell.end, isQuoted: true }
  }
}

/** The cells of a line, without quotes and blanks; a separator in quotes is text (RFC 4180). */
export function cellsOf(text: string, start: number, end: number, separator: string): { start: number; end: number }[] {
  const cells: { start: number; end: number }[] = []
  let from = start
  let isQuoted = false
  for (let at = start; at <= end; at++) {
    if (text[at] === '"' && at < end) isQuoted = !isQuoted
    if (at < end && (isQuoted || text[at] !== separator)) continue
    let to = at
    while (from < to && /["\s]/.test(text[from] ?? '')) from++
    while (to > from && /["\s]/.test(text[to - 1] ?? '')) to--
    cells.push({ start: from, end: to })
    from = at + 1
  }
  return cells
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

const IMPEX_HEAD = /^\s{0,20}(?:INSERT|UPDATE|INSERT_UPDATE|REMOVE)\b/
/** `*` says that the password is not encoded. */
const IMPEX_PLAIN = /^(?:\*:|plain:)/

/** Rows of ImpEx files of SAP Commerce below a head that names their columns: `;password[default=…];` */
function* findInImpex(layer: Layer, budget: Budget): Generator<Assignment> {
  const { text } = layer
  let columns: readonly Column[] = []
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start)
    countLook(budget, (end - start) * 2)
    if (end - start < LONGEST_LINE && layer.permits(start)) {
      if (IMPEX_HEAD.test(text.slice(start, Math.min(end, start + 40)))) columns = columnsOf(text.slice(start, end), ';')
      else if (columns.length > 0 && text[start] === ';') yield* readImpexRow(text, start, end, columns)
    }
    start = end + 1
  }
}

function* readImpexRow(text: string, start: number, end: number, columns: readonly Column[]): Generator<Assignment> {
  const cells = cellsOf(text, start, end, ';')
  for (const { name, kind, index } of columns) {
    const cell = cells[index]
    const written = cell === undefined ? '' : text.slice(cell.start, cell.end)
    // another encoding is a hash
    if (cell === undefined || (/^\w{2,12}:/.test(written) && !IMPEX_PLAIN.test(written))) continue
    const skipped = IMPEX_PLAIN.exec(written)?.[0].length ?? 0
    const value = written.slice(skipped)
    if (value === '' || value.startsWith('$')) continue
    yield { name, kind, form: 'entry', nameStart: start, value, start: cell.start + skipped, end: cell.end, isQuoted: true }
  }
}
