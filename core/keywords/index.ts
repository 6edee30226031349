/** The keyword automaton: one pass over a file's bytes finds every keyword of every rule. It knows no rule. */

import { buildAutomaton, findEnds, toByteText } from './automaton.ts'
import { createOffsetMap, type OffsetMap } from './offsets.ts'
import { foldCase } from './words-of.ts'

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
  /** Whether it stands at one of the offsets that are wanted. */
  standsWhere(keyword: string, isWanted: (offset: number) => boolean): boolean
  /** Byte offsets of its first characters, ascending. */
  offsets(keyword: string): readonly number[]
  /** Where words stand in the text that the bytes spell, as offsets of the text: word by word, those of a word ascending. */
  places(text: string, words: readonly string[]): readonly number[]
}

interface Keyword {
  readonly keyword: string
  /** Its bytes. */
  readonly length: number
  /** Its bytes as characters, where it fits itself alone. */
  readonly exactly: string | undefined
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
    const bytes = toByteText(keyword)
    all.push({ keyword, length: bytes.length, exactly: keyword === folded ? undefined : bytes })
  }
  const automaton = buildAutomaton([...numbers.keys()])
  return {
    find(bytes) {
      const found = new Map<string, Found>()
      for (const [number, lists] of findEnds(automaton, bytes)) {
        for (const { keyword, length, exactly } of known[number] ?? []) {
          if (exactly === undefined || lists.some((ends) => ends.some((end) => endsAt(bytes, end, exactly))))
            found.set(keyword, { keyword, length, exactly, lists, starts: undefined })
        }
      }
      let toPlaces: OffsetMap | undefined
      const has = (keyword: string): boolean => found.has(keyword)
      const offsets = (keyword: string): readonly number[] => {
        const there = found.get(keyword)
        return there === undefined ? NOWHERE : (there.starts ??= startsOf(there, bytes))
      }
      return {
        has,
        found: () => found.keys(),
        length: bytes.length,
        offsets,
        standsWhere(keyword, isWanted) {
          const there = found.get(keyword)
          if (there === undefined) return false
          const { lists, length, exactly } = there
          return lists.some((ends) =>
            ends.some((end) => (exactly === undefined || endsAt(bytes, end, exactly)) && isWanted(end + 1 - length)),
          )
        },
        places(text, words) {
          const lists: (readonly number[])[] = []
          for (const word of words) {
            const there = offsets(word)
            if (there.length > 0) lists.push((toPlaces ??= createOffsetMap(text, bytes.length))(there))
          }
          // of many words few stand there
          return lists.length > 1 ? lists.flat() : (lists[0] ?? NOWHERE)
        },
      }
    },
  }
}

const NOWHERE: readonly number[] = []

/** A keyword of a file. Most are only asked whether they stand there: their places are made when somebody asks for them. */
interface Found extends Keyword {
  readonly lists: readonly (readonly number[])[]
  starts: readonly number[] | undefined
}

function startsOf({ lists, length, exactly }: Found, bytes: Uint8Array): readonly number[] {
  const ends = joinAscending(lists)
  return exactly === undefined ? toStarts(ends, length) : toExactStarts(ends, bytes, exactly)
}

function endsAt(bytes: Uint8Array, end: number, wanted: string): boolean {
  const start = end + 1 - wanted.length
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
  for (const end of ends) if (endsAt(bytes, end, wanted)) starts.push(end + 1 - wanted.length)
  return starts
}
