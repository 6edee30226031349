/** One line of a lock file that is read by line. */
export interface LockLine {
  /** Without indentation, end and blanks at the end. */
  readonly text: string
  /** Blanks before it. */
  readonly indent: number
  /** Offset of `text` in the file. */
  readonly start: number
}

/** Lines longer than this are nobody's: the keys of merged descriptors are the longest. */
const MAX_LINE = 20_000

/** The lines of a lock file that say something: no empty ones, no comments. */
export function* linesOf(text: string): Generator<LockLine> {
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf('\n', from)
    const end = feed === -1 ? text.length : feed
    if (end - from <= MAX_LINE) {
      const line = text.slice(from, end).trimEnd()
      const trimmed = line.trimStart()
      const indent = line.length - trimmed.length
      if (trimmed !== '' && !trimmed.startsWith('#')) yield { text: trimmed, indent, start: from + indent }
    }
    from = end + 1
  }
}

/** Marks of a merge that was not finished: the file says two things at once. */
export function isConflictMark({ text, indent }: LockLine): boolean {
  return indent === 0 && /^(?:<{7}|={7}|>{7})(?: |$)/.test(text)
}

/** `'@scope/name@1.2.3':` to its parts; quotes and the colon are left out, and what stands behind the colon is the value. */
export function splitPair(
  line: LockLine,
): { readonly key: string; readonly keyStart: number; readonly value: string } | undefined {
  const quote = line.text[0]
  if (quote === '"' || quote === "'") {
    const end = line.text.indexOf(quote, 1)
    if (end === -1) return undefined
    const rest = line.text.slice(end + 1)
    if (rest !== ':' && !rest.startsWith(': ')) return undefined
    return { key: line.text.slice(1, end), keyStart: line.start + 1, value: unquote(rest.slice(1).trim()) }
  }
  const colon = line.text.endsWith(':') && !line.text.includes(': ') ? line.text.length - 1 : line.text.indexOf(': ')
  if (colon <= 0) return undefined
  return { key: line.text.slice(0, colon), keyStart: line.start, value: unquote(line.text.slice(colon + 1).trim()) }
}

export function unquote(text: string): string {
  const quote = text[0]
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text
}
