/** The keyword automaton: one pass over a file's bytes finds every keyword of every rule. It knows no rule. */

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
}

/**
 * Aho-Corasick as a dense table. A state is the start of its row, so that a step is one addition and one look-up; the sign of a target says
 * that keywords end there.
 */
interface Automaton {
  readonly next: Int32Array
  readonly classOf: Uint8Array
  /** Per speaking row: the keywords that end there. */
  readonly ends: ReadonlyMap<number, readonly number[]>
}

/** Builds the automaton. Keywords are ASCII or UTF-8 text of at least two bytes. */
export function createKeywordIndex(keywords: readonly string[]): KeywordIndex {
  const folded = [...new Set(keywords.map(foldCase))]
  const numbers = new Map(folded.map((keyword, index) => [keyword, index]))
  // one that fits any case and one that fits itself alone may share their letters
  const known: { readonly keyword: string; readonly bytes: Uint8Array; readonly isExact: boolean }[][] = folded.map(() => [])
  for (const keyword of new Set(keywords)) {
    const isExact = keyword !== foldCase(keyword)
    known[numbers.get(foldCase(keyword)) ?? -1]?.push({ keyword, bytes: new TextEncoder().encode(keyword), isExact })
  }
  const automaton = buildAutomaton(folded)
  return {
    find(bytes) {
      // most keywords are only asked whether they stand there: their places are made when somebody asks for them
      const found = new Map<string, () => readonly number[]>()
      for (const [number, ends] of run(automaton, bytes)) {
        for (const { keyword, bytes: wanted, isExact } of known[number] ?? []) {
          const isThere = (end: number): boolean => standsAt(bytes, end + 1 - wanted.length, wanted)
          let starts: readonly number[] | undefined
          if (!isExact) found.set(keyword, () => (starts ??= toStarts(ends, wanted.length)))
          else if (ends.some(isThere)) found.set(keyword, () => (starts ??= toExactStarts(ends, bytes, wanted)))
        }
      }
      return {
        has: (keyword) => found.has(keyword),
        found: () => found.keys(),
        length: bytes.length,
        offsets: (keyword) => found.get(keyword)?.() ?? [],
      }
    },
  }
}

function standsAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[start + index] !== wanted[index]) return false
  return true
}

/** Where words of a length begin that end at these bytes. A plain loop: bundles have a hundred thousand of them. */
function toStarts(ends: readonly number[], length: number): readonly number[] {
  const starts: number[] = []
  for (const end of ends) starts.push(end + 1 - length)
  return starts
}

function toExactStarts(ends: readonly number[], bytes: Uint8Array, wanted: Uint8Array): readonly number[] {
  const starts: number[] = []
  for (const end of ends) {
    const start = end + 1 - wanted.length
    if (standsAt(bytes, start, wanted)) starts.push(start)
  }
  return starts
}

/** The ends of the keywords that stand in the bytes, by their numbers. */
function run({ next, classOf, ends }: Automaton, bytes: Uint8Array): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  let row = 0
  for (let at = 0; at < bytes.length; at++) {
    row = next[row + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0
    if (row >= 0) continue
    row = -row
    for (const keyword of ends.get(row) ?? []) {
      const hits = found.get(keyword)
      if (hits === undefined) found.set(keyword, [at])
      else hits.push(at)
    }
  }
  return found
}

function buildAutomaton(keywords: readonly string[]): Automaton {
  const encoded = keywords.map((keyword) => new TextEncoder().encode(keyword))
  const { classOf, classes } = classify(encoded)
  const states = 1 + encoded.reduce((sum, bytes) => sum + bytes.length, 0)
  const next = new Int32Array(states * classes)
  const endsOf: number[][] = Array.from({ length: states }, () => [])
  let last = 0
  encoded.forEach((bytes, index) => {
    let state = 0
    for (const byte of bytes) {
      const at = state * classes + (classOf[byte] ?? 0)
      if (next[at] === 0) next[at] = ++last
      state = next[at] ?? 0
    }
    endsOf[state]?.push(index)
  })
  const fail = new Int32Array(states)
  const queue: number[] = []
  for (let byte = 0; byte < classes; byte++) if (next[byte] !== 0) queue.push(next[byte] ?? 0)
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0
    for (let byte = 0; byte < classes; byte++) {
      const at = state * classes + byte
      const target = next[at] ?? 0
      const fallback = next[(fail[state] ?? 0) * classes + byte] ?? 0
      if (target === 0) next[at] = fallback
      else {
        fail[target] = fallback
        endsOf[target]?.push(...(endsOf[fallback] ?? []))
        queue.push(target)
      }
    }
  }
  // nearest the root first: where most bytes lead lies side by side, which a cache of a processor holds
  const rowOf = new Int32Array(states)
  for (const [index, state] of queue.entries()) rowOf[state] = (index + 1) * classes
  const rows = new Int32Array((queue.length + 1) * classes)
  const ends = new Map<number, readonly number[]>()
  for (const state of [0, ...queue]) {
    const row = rowOf[state] ?? 0
    ends.set(row, endsOf[state] ?? [])
    for (let byte = 0; byte < classes; byte++) {
      const target = next[state * classes + byte] ?? 0
      rows[row + byte] = endsOf[target]?.length === 0 ? (rowOf[target] ?? 0) : -(rowOf[target] ?? 0)
    }
  }
  return { next: rows, classOf, ends }
}

/** Bytes that stand in no keyword share class 0; an upper-case letter shares that of its lower case. */
function classify(encoded: readonly Uint8Array[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(256)
  let classes = 1
  for (const bytes of encoded) for (const byte of bytes) if (classOf[byte] === 0) classOf[byte] = classes++
  for (let upper = 0x41; upper <= 0x5a; upper++) classOf[upper] = classOf[upper + 0x20] ?? 0
  return { classOf, classes }
}

/** ASCII only: other letters have no case here, as in the bytes. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
