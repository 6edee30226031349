/**
 * Expressions that begin with words which the index knows are tried where these stand, and nowhere else: to look through a whole text for each of them takes most
 * of the time that prefilters take.
 */

/** Whether a sticky expression holds at one of the places. */
export function holdsAt(text: string, places: readonly number[], sticky: RegExp): boolean {
  return places.some((place) => {
    sticky.lastIndex = place
    return sticky.test(text)
  })
}

/** The same in what runs: comments of a library have more words than its code. */
export function holdsInCode(text: string, places: readonly number[], sticky: RegExp): boolean {
  return places.some((place) => {
    sticky.lastIndex = place
    return sticky.test(text) && !isInComment(text, place)
  })
}

/** Of a line that is searched for its beginning, and of a comment for its own: what is longer counts as code. */
const MAX_LINE = 300
const MAX_COMMENT = 4000
const [LF, STAR, SLASH] = [0x0a, 0x2a, 0x2f]

/** Whether a place is on a line that begins as a comment, or as those of a comment of many lines do. */
function isInComment(text: string, place: number): boolean {
  const least = Math.max(0, place - MAX_LINE)
  let at = place
  while (at > least && text.charCodeAt(at - 1) !== LF) at--
  if (at === least && at > 0) return false
  while (at < place && text.charCodeAt(at) <= 0x20) at++
  const first = text.charCodeAt(at)
  if (first === SLASH) return text[at + 1] === '/'
  if (first !== STAR) return false
  const before = text.slice(Math.max(0, place - MAX_COMMENT), place)
  return before.lastIndexOf('/*') > before.lastIndexOf('*/')
}

/** What a sticky expression finds at the places, in the order of the text; as with `matchAll`, none begins within another. */
export function* matchesAt(text: string, places: readonly number[], sticky: RegExp): Generator<RegExpExecArray> {
  let end = 0
  for (const place of places.toSorted((a, b) => a - b)) {
    if (place < end) continue
    sticky.lastIndex = place
    const match = sticky.exec(text)
    if (match === null) continue
    end = place + match[0].length
    yield match
  }
}
