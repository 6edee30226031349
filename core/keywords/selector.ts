import type { KeywordHits } from './index.ts'

/** Picks those of a list whose words stand in a file, and those that ask for no word, in the order of the list. */
export type KeywordSelector<Item> = (hits: KeywordHits) => readonly Item[]

/**
 * Looks up by the words of the file who asks for them: a file holds a few dozens of the thousands that all rules together ask for, and most files of a large
 * project concern no rule at all.
 */
export function createKeywordSelector<Item extends { readonly keywords?: readonly string[] }>(
  items: readonly Item[],
): KeywordSelector<Item> {
  const wordless = items.flatMap(({ keywords }, index) => (keywords === undefined ? [index] : []))
  const asking = new Map<string, number[]>()
  for (const [index, { keywords = [] }] of items.entries())
    for (const keyword of keywords) {
      const known = asking.get(keyword)
      if (known === undefined) asking.set(keyword, [index])
      else known.push(index)
    }
  return (hits) => {
    const chosen = new Set(wordless)
    for (const keyword of hits.found()) for (const index of asking.get(keyword) ?? []) chosen.add(index)
    if (chosen.size === 0) return []
    return [...chosen].sort((a, b) => a - b).flatMap((index) => items[index] ?? [])
  }
}
