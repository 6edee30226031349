/** Narrower, a text is not wrapped: it would be a column of words. */
const LEAST = 40

/** A line without colours in lines of at most `width` characters, cut between words, the later ones indented as the first. Without a width it stays one. */
export function wrapLine(line: string, width: number | undefined): readonly string[] {
  if (width === undefined || line.length <= width) return [line]
  const indent = /^ */.exec(line)?.[0] ?? ''
  const room = width - indent.length
  if (room < LEAST) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.slice(indent.length).split(' ')) {
    if (current !== '' && current.length + 1 + word.length > room) {
      lines.push(indent + current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, indent + current]
}
