import { cutText, ELLIPSIS } from '../cut-text.ts'
import type { Span } from '../types.ts'

const MAX_LENGTH = 60

/** A piece of code as a message quotes it: on one line, 60 characters at most. */
export function excerptOf(text: string, { start, end }: Span): string {
  const to = Math.min(end, start + 4 * MAX_LENGTH)
  const line = text.slice(start, to).replaceAll(/\s+/g, ' ')
  if (to < end && line.length < MAX_LENGTH) return line + ELLIPSIS
  return line.length > MAX_LENGTH ? cutText(line, MAX_LENGTH - 1) : line
}
