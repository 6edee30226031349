import type { Budget } from '../budget.ts'

/** Beyond any line that people write; bundles and data have longer ones. */
const LONG_LINE = 16_384
/**
 * What all readers together may spend on one line: some 40 ms at most, since whoever repeats a keyword for megabytes would stop the scan of everything else.
 * Shorter lines have four steps for each character: a report about credentials on one line, the worst that is written in earnest, takes a quarter of one.
 */
const MOST_STEPS = 280_000
const LEAST_STEPS = 250_000
const STEPS_PER_CHARACTER = 4

/** Limits what the readers spend on one long line. Lines of other lengths have the budget of their file. */
export interface LineMeter {
  /** Whether the line around an offset may still be read. Asked before each place that is. */
  permits(offset: number): boolean
  /** The end of the line around an offset that may not be read. */
  resumesAt(offset: number): number
  /** A line had more to read. */
  readonly isCut: boolean
}

interface LongLine {
  readonly start: number
  readonly end: number
  readonly most: number
  spent: number
}

export function createLineMeter(text: string, budget: Budget): LineMeter {
  let lines: readonly LongLine[] | undefined
  let current: LongLine | undefined
  let mark = 0
  let isCut = false
  const lineAt = (offset: number): LongLine | undefined => lines?.find(({ start, end }) => offset >= start && offset <= end)
  return {
    permits(offset) {
      lines ??= findLongLines(text, budget.spent / text.length)
      if (lines.length === 0) return true
      const spent = budget.spent
      if (current !== undefined) current.spent += spent - mark
      mark = spent
      if (current === undefined || offset < current.start || offset > current.end) current = lineAt(offset)
      if (current === undefined || current.spent < current.most) return true
      isCut = true
      return false
    },
    resumesAt: (offset) => lineAt(offset)?.end ?? offset + 1,
    get isCut() {
      return isCut
    },
  }
}

/** `before`: what was spent on each character already, to find the places. Looks back from where a long line would have gone on, so that of other lines one in many is looked at. */
function findLongLines(text: string, before: number): readonly LongLine[] {
  const lines: LongLine[] = []
  for (let start = 0; start + LONG_LINE < text.length;) {
    const last = text.lastIndexOf('\n', start + LONG_LINE)
    if (last >= start) {
      start = last + 1
      continue
    }
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const length = end - start
    const most = Math.min(MOST_STEPS, Math.max(LEAST_STEPS, length * STEPS_PER_CHARACTER))
    lines.push({ start, end, most, spent: before * length })
    start = end + 1
  }
  return lines
}
