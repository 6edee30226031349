import type { Budget } from '../budget.ts'
import type { OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { createLineMeter } from './line-meter.ts'
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
  /** Whether the place may still be read: the line around it has steps left. */
  permits(offset: number): boolean
}

/** The file's own text; all other layers are parts of it. */
export interface FileLayer extends Layer {
  /** A line had more to read than its steps allow. */
  isCut(): boolean
}

/** Characters looked at for one step: a step is some 100 ns. */
const CHARACTERS_PER_STEP = 32

/** A plain search looks at that many characters in 100 ns. */
const CHARACTERS_PER_SEARCH_STEP = 1024
const HITS_PER_STEP = 8
/** Bytes of a text that is not ASCII, counted one by one. */
const BYTES_PER_STEP = 64

/** Counts characters that are searched for a word. */
export function countSearch(budget: Budget, characters: number): void {
  budget.step(1 + Math.ceil(characters / CHARACTERS_PER_SEARCH_STEP))
}

/** Counts characters that are looked at, and one verification. */
export function countLook(budget: Budget, characters: number): void {
  budget.step(1 + Math.ceil(characters / CHARACTERS_PER_STEP))
}

/** The file as it is written; the keywords were found by the automaton. */
export function createFileLayer(file: Pick<OpenFile, 'text' | 'hits' | 'budget'>): FileLayer {
  const { text, hits, budget } = file
  const known = new Map<string, readonly number[]>()
  const meter = createLineMeter(text, budget)
  let toOffsets: OffsetMap | undefined
  const locate = (keyword: string): readonly number[] => {
    const isAscii = text.length === hits.length
    // several times faster than to count the bytes of a text that is not ASCII
    if (!isAscii && !isFolded(keyword)) {
      countSearch(budget, text.length)
      const indexes = indexesOf(text, keyword)
      budget.step(Math.ceil(indexes.length / HITS_PER_STEP))
      return indexes
    }
    const places = hits.offsets(keyword)
    budget.step(1 + Math.ceil(places.length / HITS_PER_STEP))
    if (!isAscii) budget.step(Math.ceil(text.length / BYTES_PER_STEP))
    toOffsets ??= createOffsetMap(text, hits.length)
    return toOffsets(places)
  }
  return {
    text,
    found: () => hits.found(),
    offsets(keyword) {
      if (!hits.has(keyword)) return []
      const offsets = known.get(keyword) ?? locate(keyword)
      known.set(keyword, offsets)
      return offsets
    },
    spanOf: (start, end) => ({ start, end }),
    permits: meter.permits,
    isCut: () => meter.isCut,
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

/** Offsets of several keywords as one ascending list, each once. */
export function mergeOffsets(lists: readonly (readonly number[])[]): readonly number[] {
  const filled = lists.filter((list) => list.length > 0)
  const [first = []] = filled
  if (filled.length < 2) return first
  const merged = new Uint32Array(filled.reduce((sum, list) => sum + list.length, 0))
  let length = 0
  for (const list of filled) for (const offset of list) merged[length++] = offset
  merged.sort()
  const kept: number[] = []
  for (let index = 0; index < length; index++) {
    const offset = merged[index] ?? 0
    if (index === 0 || merged[index - 1] !== offset) kept.push(offset)
  }
  return kept
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
    permits: (offset) => parent.permits(starts[offset] ?? 0),
  }
}
