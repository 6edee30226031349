/** The keyword automaton: one pass over a file's bytes finds every keyword of every rule. It knows no rule. */

import { buildAutomaton, findEnds, toByteText } from './automaton.ts'
import { foldCase, placesOf } from './words-of.ts'

export { hitsInCode } from './code-hits.ts'
export { holdsAt, matchesAt } from './at-places.ts'
export { wordsOf } from './words-of.ts'

/** What is asked of hits before a file is parsed: whether words stand there, and where. */
export type WordPlaces = Pick<KeywordHits, 'has' | 'places'>

/** Built once per app and per worker from all keywords. Case as in `rg --smart-case`: one in lower case fits any case (ASCII), one with a capital only itself. */
export interface KeywordIndex {
  /** Finds all keywords in UTF-8 bytes. Linear, whatever the bytes are. */
  find(bytes: Uint8Array): KeywordHits
}

/** Where keywords stand in one file; only keywords that were handed to the index are known. */
export interface KeywordHits {
  has(keyword: string): boolean
  /** Those that stand in the file, each once. */
  found(): Iterable<string>
  /** Bytes that were looked through. */
  readonly length: number
  /** Byte offsets of its first characters, ascending. */
  offsets(keyword: string): readonly number[]
  /** Where words stand in the text that the bytes spell, as offsets of the text: word by word, those of a word ascending. */
  places(text: string, words: readonly string[]): readonly number[]
}

interface Keyword {
  readonly keyword: string
  /** Its bytes as characters, where it fits itself alone. */
  readonly exactly?: string
}

/** Builds the automaton. Keywords are ASCII or UTF-8 text of at least two bytes. */
export function createKeywordIndex(keywords: readonly string[]): KeywordIndex {
  const numbers = new Map<string, number>()
  // one that fits any case and one that fits itself alone may share their letters
  const known: Keyword[][] = []
  for (const keyword of new Set(keywords)) {
    const folded = foldCase(keyword)
    const number = numbers.get(folded) ?? numbers.size
    numbers.set(folded, number)
    const all = (known[number] ??= [])
    all.push(keyword === folded ? { keyword } : { keyword, exactly: toByteText(keyword) })
  }
  const automaton = buildAutomaton([...numbers.keys()])
  return {
    find(bytes) {
      // most keywords are only asked whether they stand there: their places are made when somebody asks for them
      const found = new Map<string, () => readonly number[]>()
      for (const [number, lists] of findEnds(automaton, bytes)) {
        for (const { keyword, exactly } of known[number] ?? []) {
          let starts: readonly number[] | undefined
          if (exactly === undefined)
            found.set(keyword, () => (starts ??= toStarts(joinAscending(lists), toByteText(keyword).length)))
          else if (lists.some((ends) => ends.some((end) => standsAt(bytes, end + 1 - exactly.length, exactly))))
            found.set(keyword, () => (starts ??= toExactStarts(joinAscending(lists), bytes, exactly)))
        }
      }
      const has = (keyword: string): boolean => found.has(keyword)
      const offsets = (keyword: string): readonly number[] => found.get(keyword)?.() ?? NOWHERE
      return {
        has,
        found: () => found.keys(),
        length: bytes.length,
        offsets,
        places(text, words) {
          // nearly every script is ASCII, whose bytes stand where its characters do
          const isAscii = bytes.length === text.length
          const placesIn = isAscii ? offsets : (word: string) => (has(word) ? placesOf(text, word) : NOWHERE)
          const lists: (readonly number[])[] = []
          for (const word of words) {
            const there = placesIn(word)
            if (there.length > 0) lists.push(there)
          }
          // of many words few stand there
          return lists.length > 1 ? lists.flat() : (lists[0] ?? NOWHERE)
        },
      }
    },
  }
}

const NOWHERE: readonly number[] = []

function standsAt(bytes: Uint8Array, start: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[start + index] !== wanted.charCodeAt(index)) return false
  return true
}

/** A word that is the end of others has a list for each of them. */
function joinAscending(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...more] = lists
  return more.length === 0 ? first : lists.flat().sort((a, b) => a - b)
}

/** Where words of a length begin that end at these bytes. A plain loop: bundles have a hundred thousand of them. */
function toStarts(ends: readonly number[], length: number): readonly number[] {
  const starts: number[] = []
  for (const end of ends) starts.push(end + 1 - length)
  return starts
}

function toExactStarts(ends: readonly number[], bytes: Uint8Array, wanted: string): readonly number[] {
  const starts: number[] = []
  for (const end of ends) {
    const start = end + 1 - wanted.length
    if (standsAt(bytes, start, wanted)) starts.push(start)
  }
  return starts
}
