import type { KeywordHits } from './index.ts'

const NOBODY: readonly number[] = []

/** Picks those of a list whose words stand in a file, and those that ask for no word, in the order of the list. */
export type KeywordSelector<Item> = (hits: KeywordHits) => readonly Item[]

/**
 * Looks up by the words of the file who asks for them: a file holds a few dozens of the thousands that all rules together ask for, and most files of a large
 * project concern no rule at all. Many share one list (of those on credentials 85 one of 540 words), so that a list is what is looked up.
 */
export function createKeywordSelector<Item extends { readonly keywords?: readonly string[] }>(
  items: readonly Item[],
): KeywordSelector<Item> {
  const lists = [...new Set(items.map(({ keywords }) => keywords))]
  const numbers = new Map(lists.map((keywords, list) => [keywords, list]))
  const listOf = Uint16Array.from(items, ({ keywords }) => numbers.get(keywords) ?? 0)
  const wordless = Uint8Array.from(lists, (keywords) => (keywords === undefined ? 1 : 0))
  const asking = new Map<string, number[]>()
  for (const [list, keywords = []] of lists.entries())
    for (const keyword of keywords) {
      const known = asking.get(keyword)
      if (known === undefined) asking.set(keyword, [list])
      else known.push(list)
    }
  return (hits) => {
    const isChosen = wordless.slice()
    for (const keyword of hits.found()) for (const list of asking.get(keyword) ?? NOBODY) isChosen[list] = 1
    return items.filter((_, index) => isChosen[listOf[index] ?? 0] === 1)
  }
}
