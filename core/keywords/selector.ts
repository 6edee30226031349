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
  /** Numbers of lists; that of those who ask for no word is 0. */
  const numbers = new Map<readonly string[] | undefined, number>([[undefined, 0]])
  const lists = items.map(({ keywords }) => {
    const known = numbers.get(keywords)
    if (known !== undefined) return known
    numbers.set(keywords, numbers.size)
    return numbers.size - 1
  })
  const asking = new Map<string, number[]>()
  for (const [keywords = [], list] of numbers)
    for (const keyword of keywords) {
      const known = asking.get(keyword)
      if (known === undefined) asking.set(keyword, [list])
      else known.push(list)
    }
  return (hits) => {
    const isChosen = new Uint8Array(numbers.size)
    isChosen[0] = 1
    for (const keyword of hits.found()) for (const list of asking.get(keyword) ?? NOBODY) isChosen[list] = 1
    return items.filter((_, place) => isChosen[lists[place] ?? 0] === 1)
  }
}
