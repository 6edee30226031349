import type { Span } from '../types.ts'

/** A cell without its quotes; `text` is decoded. */
export interface CsvCell extends Span {
  readonly text: string
}

export interface CsvTable {
  readonly header: readonly CsvCell[]
  /** The first rows; more tell nothing new about what a table holds. */
  readonly rows: readonly (readonly CsvCell[])[]
}

const MAX_ROWS = 100
const MAX_CELLS = 10_000
/** Longer lines are nobody's rows of master data. */
const MAX_CHARACTERS = 500_000

/** Reads the head of a table; the separator is what the first line has most of. Any text is some table: it never fails. */
export function parseCsv(text: string): CsvTable {
  const separator = separatorOf(text)
  const rows: CsvCell[][] = []
  let row: CsvCell[] = []
  let cells = 0
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const end = Math.min(text.length, MAX_CHARACTERS)
  while (at < end && rows.length <= MAX_ROWS && cells++ < MAX_CELLS) {
    const cell = readCell(text, at, end, separator)
    row.push(cell.cell)
    at = cell.next
    if (text[at] === separator) {
      at++
      continue
    }
    rows.push(row)
    row = []
    at = text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1
  }
  if (row.length > 0) rows.push(row)
  const [header = [], ...others] = rows
  return { header, rows: others }
}

function separatorOf(text: string): string {
  const line = /^[^\r\n]{0,10000}/.exec(text)?.[0] ?? ''
  const [most = ','] = [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)
  return most
}

/** `next`: where the separator, the end of the line or of the text is. */
function readCell(text: string, from: number, end: number, separator: string): { cell: CsvCell; next: number } {
  const isEnd = (at: number): boolean => at >= end || text[at] === separator || text[at] === '\n' || text[at] === '\r'
  let at = from
  if (text[at] === '"') {
    const start = at + 1
    at = start
    while (at < end && !(text[at] === '"' && text[at + 1] !== '"')) at += text[at] === '"' ? 2 : 1
    const close = Math.min(at, end)
    while (!isEnd(at)) at++
    return { cell: { text: text.slice(start, close).replaceAll('""', '"'), start, end: close }, next: at }
  }
  while (!isEnd(at)) at++
  const raw = text.slice(from, at)
  const start = from + raw.length - raw.trimStart().length
  const trimmed = raw.trim()
  return { cell: { text: trimmed, start, end: start + trimmed.length }, next: at }
}
