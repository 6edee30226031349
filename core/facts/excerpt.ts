import { cutText, ELLIPSIS } from '../cut-text.ts'
import type { Span } from '../types.ts'

const MAX_LENGTH = 60

/** A piece of code as a message quotes it: on one line, 60 characters at most. Of a long call the arguments go first: what is called says more. */
export function excerptOf(text: string, { start, end }: Span): string {
  const to = Math.min(end, start + 4 * MAX_LENGTH)
  const line = text.slice(start, to).replaceAll(/\s+/g, ' ')
  if (to === end && line.length <= MAX_LENGTH) return line
  const short = text[end - 1] === ')' ? withoutArguments(line) : line
  if (short.length <= MAX_LENGTH) return short === line ? line + ELLIPSIS : short
  return cutText(line, MAX_LENGTH - 1)
}

const STRING_OR_CHARACTER = /'[^']{0,240}'|"[^"]{0,240}"|`[^`]{0,240}`|[^]/g

/** `load({ url: '/news' }).then(show)` as `load({ url: '/news' }).then(…)` or, where that is still too long, as `load(…).then(…)`. The end may be cut off. */
function withoutArguments(line: string): string {
  let shown = line
  for (const [start, end] of argumentsIn(line).reverse()) {
    if (shown.length <= MAX_LENGTH) break
    shown = `${shown.slice(0, start)}${ELLIPSIS})${shown.slice(end + 1)}`
  }
  return shown
}

/** Where the arguments of the calls in a chain begin and end. */
function argumentsIn(line: string): [start: number, end: number][] {
  const found: [number, number][] = []
  let depth = 0
  let start = 0
  for (const { 0: piece, index } of line.matchAll(STRING_OR_CHARACTER)) {
    if (piece === ')' && depth > 0 && --depth === 0 && index > start) found.push([start, index])
    // a group begins behind an operator, arguments behind what is called
    if (piece !== '(' || (depth === 0 && !/[\w$)\]]/.test(line.charAt(index - 1)))) continue
    if (depth++ === 0) start = index + 1
  }
  return depth > 0 ? [...found, [start, line.length]] : found
}
