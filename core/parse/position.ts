/** Starts of the lines of a text, as offsets; line 1 starts at 0. */
export type LineTable = Uint32Array

const LF = 10
const CR = 13

/** The one line splitter: LF, CRLF and CR end a line, as in editors; U+2028 and form feeds don't. */
export function createLineTable(text: string): LineTable {
  // indexOf finds line feeds several times faster than a loop over char codes; CR alone is rare
  const hasCarriageReturn = text.includes('\r')
  if (!hasCarriageReturn) {
    // counted first: a list that grows takes four times the memory of the table
    let lines = 1
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
    const table = new Uint32Array(lines)
    for (let line = 1, at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) table[line++] = at + 1
    return table
  }
  const starts: number[] = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LF) starts.push(at + 1)
    else if (code === CR && text.charCodeAt(at + 1) !== LF) starts.push(at + 1)
  }
  return new Uint32Array(starts)
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
