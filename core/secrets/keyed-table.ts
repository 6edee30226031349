import type { Layer } from './layers.ts'

/** Entries of a table whose keyword stands in a layer, in the order of the table. */
export type KeyedTable<Entry> = (layer: Layer) => readonly Entry[]

/**
 * Looks up by the keywords of a file which entries ask for them: it holds a few of the hundreds that all readers know. Of a decoded text, whose keywords nobody
 * has looked for yet, these are all entries.
 */
export function createKeyedTable<Entry extends { readonly keyword: string }>(entries: readonly Entry[]): KeyedTable<Entry> {
  const byKeyword = new Map<string, number[]>()
  for (const [index, { keyword }] of entries.entries()) {
    const known = byKeyword.get(keyword)
    if (known === undefined) byKeyword.set(keyword, [index])
    else known.push(index)
  }
  return (layer) => {
    if (layer.found === undefined) return entries
    const indexes: number[] = []
    for (const keyword of layer.found()) {
      const known = byKeyword.get(keyword)
      if (known !== undefined) indexes.push(...known)
    }
    return indexes.sort((a, b) => a - b).flatMap((index) => entries[index] ?? [])
  }
}

/** Whether one of the keywords may stand in a layer. A reader that has none there is not even called: what runs for each file is compiled, and that costs more than it runs. */
export function createKeywordTest(keywords: readonly string[]): (layer: Layer) => boolean {
  const known = new Set(keywords)
  return (layer) => {
    if (layer.found === undefined) return true
    for (const keyword of layer.found()) if (known.has(keyword)) return true
    return false
  }
}
