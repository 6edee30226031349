/** Starts of the lines of a text, as offsets; line 1 starts at 0. */
export type LineTable = Uint32Array

const LF = 10
const CR = 13

/** The one line splitter: LF, CRLF and CR end a line, as in editors; U+2028 and form feeds don't. */
export function createLineTable(text: string): LineTable {
  // counted first: a list that grows takes many times the memory of the table
  if (text.includes('\r')) {
    let lines = 1
    for (let at = 0; at < text.length; at++) if (isLineEnd(text, at)) lines++
    const table = new Uint32Array(lines)
    for (let line = 1, at = 0; at < text.length; at++) if (isLineEnd(text, at)) table[line++] = at + 1
    return table
  }
  // indexOf finds line feeds several times faster than a loop over char codes; CR is rare
  let table = new Uint32Array(LEAST_LINES + (text.length >> 5))
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (lines === table.length) table = enlarge(table)
    table[lines++] = at + 1
  }
  return table.slice(0, lines)
}

/** Room for the lines of a short text; a longer one gets room for lines of 32 characters at first. */
const LEAST_LINES = 16

function enlarge(table: LineTable): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * table.length)
  larger.set(table)
  return larger
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)
}

/** Line and column, both 1-based; columns count UTF-16 units. */
export function positionAt(lines: LineTable, offset: number): { line: number; column: number } {
  let low = 0
  let high = lines.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lines[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 }
}

/**
 * What stands before an offset in its line, at most so many characters of it. The search for the start of the line goes no further either: a file
 * of one line would be read again for each of its names.
 */
export function lineBefore(text: string, start: number, most: number): string {
  const before = text.slice(Math.max(0, start - most), start)
  return before.slice(before.lastIndexOf('\n') + 1)
}
/** The first line and column of a span, and where it ends. */
export function extentAt(
  lines: LineTable,
  { start, end }: { readonly start: number; readonly end: number },
): { line: number; column: number; endLine: number; endColumn: number } {
  const { line: endLine, column: endColumn } = positionAt(lines, end)
  return { ...positionAt(lines, start), endLine, endColumn }
}
