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
