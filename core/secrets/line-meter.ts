import type { Budget } from '../budget.ts'

/** Beyond any line that people write; bundles and data have longer ones. */
const LONG_LINE = 32_768
/** All readers together may spend that many on one line, some 25 ms: whoever repeats a keyword for megabytes would stop the scan of everything else. */
const MOST_STEPS = 250_000

/** Limits what the readers spend on one long line. Lines of other lengths have the budget of their file. */
export interface LineMeter {
  /** Whether the line around an offset may still be read. Asked before each place that is. */
  permits(offset: number): boolean
  /** A line had more to read. */
  readonly isCut: boolean
}

interface LongLine {
  readonly start: number
  readonly end: number
  spent: number
}

export function createLineMeter(text: string, budget: Budget): LineMeter {
  const lines = findLongLines(text)
  let current: LongLine | undefined
  let mark = budget.spent
  let isCut = false
  const lineAt = (offset: number): LongLine | undefined => lines.find(({ start, end }) => offset >= start && offset <= end)
  return {
    permits(offset) {
      if (lines.length === 0) return true
      const spent = budget.spent
      if (current !== undefined) current.spent += spent - mark
      mark = spent
      if (current === undefined || offset < current.start || offset > current.end) current = lineAt(offset)
      if (current === undefined || current.spent < MOST_STEPS) return true
      isCut = true
      return false
    },
    get isCut() {
      return isCut
    },
  }
}

function findLongLines(text: string): readonly LongLine[] {
  const lines: LongLine[] = []
  if (text.length < LONG_LINE) return lines
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    if (end - start >= LONG_LINE) lines.push({ start, end, spent: 0 })
    start = end + 1
  }
  return lines
}
