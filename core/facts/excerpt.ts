import type { Span } from '../types.ts'

const MAX_LENGTH = 60

/** A piece of code as a message quotes it: on one line, 60 characters at most. */
export function excerptOf(text: string, { start, end }: Span): string {
  const line = text.slice(start, Math.min(end, start + 4 * MAX_LENGTH)).replaceAll(/\s+/g, ' ')
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}
