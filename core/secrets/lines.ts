/**
 * What stands before an offset in its line, at most so many characters of it. The search for the start of the line goes no further either: a file
 * of one line would be read again for each of its names.
 */
export function lineBefore(text: string, start: number, most: number): string {
  const before = text.slice(Math.max(0, start - most), start)
  return before.slice(before.lastIndexOf('\n') + 1)
}
