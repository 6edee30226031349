import type { Budget } from '../budget.ts'
import type { OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { createOffsetMap, type OffsetMap } from './offsets.ts'

/** Text in which credentials are looked for: the file's own, or what a part of it reads as once decoded. Offsets are those of `text`. */
export interface Layer {
  readonly text: string
  /** Ascending offsets of a keyword, case as in the automaton. */
  offsets(keyword: string): readonly number[]
  /** The keywords that stand in it, where they are known. */
  readonly found?: () => Iterable<string>
  /** Where a part of it stands in the file. */
  spanOf(start: number, end: number): Span
}

/** Characters looked at for one step: a step is some 100 ns. */
const CHARACTERS_PER_STEP = 32

/** Counts characters that are looked at, and one verification. */
export function countLook(budget: Budget, characters: number): void {
  budget.step(1 + Math.ceil(characters / CHARACTERS_PER_STEP))
}

/** The file as it is written; the keywords were found by the automaton. */
export function createFileLayer(file: Pick<OpenFile, 'text' | 'hits' | 'budget'>): Layer {
  const known = new Map<string, readonly number[]>()
  let toOffsets: OffsetMap | undefined
  const locate = (keyword: string): readonly number[] => {
    countLook(file.budget, file.text.length)
    // several times faster than to count the bytes of a text that is not ASCII
    if (!isFolded(keyword)) return indexesOf(file.text, keyword)
    toOffsets ??= createOffsetMap(file.text, file.hits.length)
    return toOffsets(file.hits.offsets(keyword))
  }
  return {
    text: file.text,
    found: () => file.hits.found(),
    offsets(keyword) {
      if (!file.hits.has(keyword)) return []
      const offsets = known.get(keyword) ?? locate(keyword)
      known.set(keyword, offsets)
      return offsets
    },
    spanOf: (start, end) => ({ start, end }),
  }
}

/** Whether a keyword fits in any case. */
function isFolded(keyword: string): boolean {
  return /[a-z]/.test(keyword) && !/[A-Z]/.test(keyword)
}

function indexesOf(text: string, keyword: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1)) found.push(at)
  return found
}

/** A text that was decoded from a part of another layer: `starts[i]` and `ends[i]` are where its character `i` is written there. */
export function createDecodedLayer(parent: Layer, text: string, starts: Uint32Array, ends: Uint32Array): Layer {
  let lowered: string | undefined
  return {
    text,
    offsets(keyword) {
      if (!isFolded(keyword)) return indexesOf(text, keyword)
      // ASCII alone is folded, so that no character changes its length
      lowered ??= text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
      return indexesOf(lowered, keyword)
    },
    spanOf: (start, end) => parent.spanOf(starts[start] ?? 0, ends[Math.max(start, end - 1)] ?? 0),
  }
}
