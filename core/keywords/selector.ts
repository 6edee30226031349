import type { KeywordHits } from './index.ts'

const NOBODY: readonly number[] = []

/** Picks those of a list whose words stand in a file, and those that ask for no word, in the order of the list. */
export type KeywordSelector<Item> = (hits: KeywordHits) => readonly Item[]

/**
 * Looks up by the words of the file who asks for them: a file holds a few dozens of the thousands that all rules together ask for, and most files of a large
 * project concern no rule at all.
 */
export function createKeywordSelector<Item extends { readonly keywords?: readonly string[] }>(
  items: readonly Item[],
): KeywordSelector<Item> {
  const wordless = items.map(({ keywords }) => (keywords === undefined ? 1 : 0))
  const asking = new Map<string, number[]>()
  for (const [index, { keywords = [] }] of items.entries())
    for (const keyword of keywords) {
      const known = asking.get(keyword)
      if (known === undefined) asking.set(keyword, [index])
      else known.push(index)
    }
  return (hits) => {
    const isChosen = Uint8Array.from(wordless)
    for (const keyword of hits.found()) for (const index of asking.get(keyword) ?? NOBODY) isChosen[index] = 1
    return items.filter((_, index) => isChosen[index] === 1)
  }
}
