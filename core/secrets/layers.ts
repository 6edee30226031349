import type { Budget } from '../budget.ts'
import type { OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { createLineMeter } from './line-meter.ts'
import { createOffsetMap, STRIDE, type OffsetMap } from '../keywords/offsets.ts'

/** Text in which credentials are looked for: the file's own, or what a part of it reads as once decoded. Offsets are those of `text`. */
export interface Layer {
  readonly text: string
  /** Of the file that it is all of, in whose language it is written. */
  readonly path?: string
  /** Ascending offsets of a keyword, case as in the automaton. */
  offsets(keyword: string): readonly number[]
  /** The keywords that stand in it, where they are known. */
  readonly found?: () => Iterable<string>
  /** Where a part of it stands in the file. */
  spanOf(start: number, end: number): Span
  /** Whether the place may still be read: the line around it has steps left. */
  permits(offset: number): boolean
  /** Where reading may go on that is not permitted at an offset. */
  resumesAt(offset: number): number
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
export function createFileLayer(file: Pick<OpenFile, 'text' | 'hits' | 'budget'> & Partial<Pick<OpenFile, 'path'>>): FileLayer {
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
    if (!isAscii) {
      const walked = Math.min(places.length * STRIDE, text.length)
      budget.step(Math.ceil((toOffsets === undefined ? walked + text.length : walked) / BYTES_PER_STEP))
    }
    toOffsets ??= createOffsetMap(text, hits.length)
    return toOffsets(places)
  }
  return {
    text,
    ...(file.path !== undefined && { path: file.path }),
    found: () => hits.found(),
    offsets(keyword) {
      if (!hits.has(keyword)) return []
      const offsets = known.get(keyword) ?? locate(keyword)
      known.set(keyword, offsets)
      return offsets
    },
    spanOf: (start, end) => ({ start, end }),
    permits: meter.permits,
    resumesAt: meter.resumesAt,
    isCut: () => meter.isCut,
  }
}

/** Those of ascending offsets that may still be read. A line whose steps are used up is passed over at once, whatever it has left. */
export function* permitted(layer: Layer, offsets: readonly number[]): Generator<number> {
  for (let index = 0; index < offsets.length; index++) {
    const offset = offsets[index] ?? 0
    if (layer.permits(offset)) yield offset
    else index = indexFrom(offsets, layer.resumesAt(offset), index + 1) - 1
  }
}

/** The first index from one on whose offset is not before another. */
function indexFrom(offsets: readonly number[], offset: number, from: number): number {
  let low = from
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
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
  let merged = lists.filter((list) => list.length > 0)
  // by twos, so that the longest list is gone through a few times only
  while (merged.length > 1) {
    const next: (readonly number[])[] = []
    for (let index = 0; index < merged.length; index += 2) next.push(mergeTwo(merged[index] ?? [], merged[index + 1] ?? []))
    merged = next
  }
  return merged[0] ?? []
}

function mergeTwo(first: readonly number[], second: readonly number[]): readonly number[] {
  const merged: number[] = []
  let left = 0
  let right = 0
  while (left < first.length && right < second.length) {
    const a = first[left] ?? 0
    const b = second[right] ?? 0
    merged.push(a < b ? a : b)
    if (a <= b) left++
    if (b <= a) right++
  }
  for (; left < first.length; left++) merged.push(first[left] ?? 0)
  for (; right < second.length; right++) merged.push(second[right] ?? 0)
  return merged
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
    resumesAt: (offset) => offset + 1,
  }
}
