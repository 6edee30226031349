import type { KeywordHits } from './index.ts'

const NOBODY: readonly number[] = []
const NO_LISTS: readonly (readonly number[])[] = []

/** Picks those of a list whose words stand in a file, and those that ask for no word, in the order of the list. */
export type KeywordSelector<Item> = (hits: KeywordHits) => readonly Item[]

/**
 * Looks up by the words of the file who asks for them: a file holds a few dozens of the thousands that all rules together ask for, and most files of a large
 * project concern no rule at all. Many share one list (of those on credentials 85 one of 540 words), so that a list is what is looked up.
 */
export function createKeywordSelector<Item extends { readonly keywords?: readonly string[] }>(
  items: readonly Item[],
): KeywordSelector<Item> {
  /** The places of those who share a list. */
  const askers = new Map<readonly string[] | undefined, number[]>()
  for (const [place, { keywords }] of items.entries()) {
    const known = askers.get(keywords)
    if (known === undefined) askers.set(keywords, [place])
    else known.push(place)
  }
  const wordless = askers.get(undefined) ?? NOBODY
  const asking = new Map<string, (readonly number[])[]>()
  for (const [keywords = [], places] of askers)
    for (const keyword of keywords) {
      const known = asking.get(keyword)
      if (known === undefined) asking.set(keyword, [places])
      else known.push(places)
    }
  return (hits) => {
    const chosen = new Set<readonly number[]>()
    for (const keyword of hits.found()) for (const places of asking.get(keyword) ?? NO_LISTS) chosen.add(places)
    const all = [...wordless]
    for (const places of chosen) for (const place of places) all.push(place)
    return all.sort((a, b) => a - b).flatMap((place) => items[place] ?? [])
  }
}
