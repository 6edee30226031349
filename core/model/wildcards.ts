/**
 * Whether items fit a pattern of items in which `**` stands for any number of them. Two pointers, of which only the last star gives way: never worse
 * than the product of both lengths. Our own, because a library would make regular expressions of what a hostile project writes.
 */
export function matchSequence<Part extends string, Item>(
  wanted: readonly Part[],
  given: readonly Item[],
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0
  let wantedAt = 0
  let starAt = -1
  let resumeAt = 0
  while (at < given.length) {
    const part = wanted[wantedAt]
    const item = given[at]
    if (part === '**') {
      starAt = wantedAt++
      resumeAt = at
    } else if (part !== undefined && item !== undefined && fits(part, item)) {
      wantedAt++
      at++
    } else if (starAt >= 0) {
      wantedAt = starAt + 1
      at = ++resumeAt
    } else return false
  }
  while (wanted[wantedAt] === '**') wantedAt++
  return wantedAt === wanted.length
}

/** The parts of one segment of a glob for `matchSequence` over characters: `*` is any number, `?` one, `[a-z]` and `[!a-z]` one of a set, `\` takes the next one literally. */
export function toParts(segment: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < segment.length; at++) {
    const character = segment[at] ?? ''
    if (character === '*') {
      if (parts.at(-1) !== '**') parts.push('**')
    } else if (character === '\\') parts.push(`=${segment[++at] ?? ''}`)
    else if (character === '?') parts.push('?')
    else if (character === '[') {
      // a bracket right behind the opening one is a member of the set
      const end = segment.indexOf(']', at + (/^\[[!^]?\]/.test(segment.slice(at, at + 3)) ? 3 : 1))
      if (end === -1) parts.push('=[')
      else {
        parts.push(segment.slice(at, end))
        at = end
      }
    } else parts.push(`=${character}`)
  }
  return parts
}

/** Whether one character fits a part of `toParts`. */
export function fitsPart(part: string, character: string): boolean {
  if (part === '?') return true
  if (part.startsWith('=')) return part.slice(1) === character
  const negated = part[1] === '!' || part[1] === '^'
  const set = part.slice(negated ? 2 : 1)
  for (let at = 0; at < set.length; at++) {
    if (set[at] === '\\') at++
    const first = set[at] ?? ''
    const last = set[at + 1] === '-' && at + 2 < set.length ? (set[(at += 2)] ?? '') : first
    if (first <= character && character <= last) return !negated
  }
  return negated
}

/** Whether a segment of a path fits one of a glob. */
export function fitsSegment(pattern: string, segment: string): boolean {
  if (!/[*?[\\]/.test(pattern)) return pattern === segment
  return matchSequence(toParts(pattern), segment.split(''), fitsPart)
}
