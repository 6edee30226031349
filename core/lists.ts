/** Items by key, each group in their order. (Map.groupBy came with Node 21.) */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) append(groups, keyOf(item), item)
  return groups
}

/** Puts an item into the list of its key. */
export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}

/** Order of texts by their code units, the same in every locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What is reached from an item, directly or through others, each once; the items of no more than about `most` are looked up. */
export function reachedFrom<Item>(from: Item, next: (item: Item) => Iterable<Item>, most: number): Set<Item> {
  const found = new Set<Item>()
  const open = [from]
  for (let here = open.pop(); here !== undefined && found.size < most; here = open.pop())
    for (const item of next(here))
      if (!found.has(item)) {
        found.add(item)
        open.push(item)
      }
  return found
}

/** The first index for which something holds that holds for all after it, `length` where it holds for none: a binary search. */
export function findFirst(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
