/**
 * Aho-Corasick as a dense table. A state is the start of its row, so that a step is one addition and one look-up; the sign of a target says
 * that keywords end there.
 */
export interface Automaton {
  readonly next: Int32Array
  readonly classOf: Uint8Array
  /** Per speaking row: the keywords that end there. */
  readonly ends: ReadonlyMap<number, readonly number[]>
  /** Bytes of the longest keyword. */
  readonly longest: number
}

/** The ends of the keywords that stand in the bytes, by their numbers: a list for each row that says so, each ascending. */
export function findEnds(automaton: Automaton, bytes: Uint8Array): ReadonlyMap<number, readonly (readonly number[])[]> {
  // by rows first: common words stand there thousands of times, and end with others
  const byRow = new Map<number, number[]>()
  for (const { from, rows, ends } of readLanes(automaton, bytes)) {
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index] ?? 0
      if (end < from) continue
      const row = rows[index] ?? 0
      const there = byRow.get(row)
      if (there === undefined) byRow.set(row, [end])
      else there.push(end)
    }
  }
  const found = new Map<number, (readonly number[])[]>()
  for (const [row, ends] of byRow) {
    for (const keyword of automaton.ends.get(row) ?? []) {
      const lists = found.get(keyword)
      if (lists === undefined) found.set(keyword, [ends])
      else lists.push(ends)
    }
  }
  return found
}

/** A part of the bytes: which rows it went through where keywords end. What ends before `from` is of the part before. */
interface Lane {
  readonly start: number
  readonly from: number
  readonly rows: number[]
  readonly ends: number[]
  row: number
}

type Lanes = readonly [Lane, Lane, Lane, Lane]

/** Below this many bytes a file is read as one part. */
const SHORT = 2048
/** Steps of one call: a function with many calls is compiled as a whole, one with a long loop several times. */
const STRIDE = 4096

/**
 * Reads the four quarters of the bytes side by side: each step waits for the memory that the one before asked for, and a processor waits for four as long as
 * for one. A part begins before its quarter, so that a keyword across the border is seen.
 */
function readLanes(automaton: Automaton, bytes: Uint8Array): readonly Lane[] {
  const lead = automaton.longest - 1
  if (bytes.length < SHORT + 4 * lead) {
    const whole = createLane(0, 0)
    readOne(automaton, bytes, whole, 0)
    return [whole]
  }
  const steps = Math.floor((bytes.length + 3 * lead) / 4)
  const apart = steps - lead
  const last = createLane(3 * apart, lead)
  const lanes: Lanes = [createLane(0, 0), createLane(apart, lead), createLane(2 * apart, lead), last]
  for (let at = 0; at < steps; at += STRIDE) readFour(automaton, bytes, lanes, at, Math.min(steps, at + STRIDE))
  // the few bytes that four parts of the same length leave over
  readOne(automaton, bytes, last, last.start + steps)
  return lanes
}

function createLane(start: number, lead: number): Lane {
  return { start, from: start + lead, rows: [], ends: [], row: 0 }
}

function readFour({ next, classOf }: Automaton, bytes: Uint8Array, lanes: Lanes, from: number, to: number): void {
  const [first, second, third, fourth] = lanes
  let [a, b, c, d] = [first.row, second.row, third.row, fourth.row]
  const [toB, toC, toD] = [second.start, third.start, fourth.start]
  for (let at = from; at < to; at++) {
    a = next[a + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0
    b = next[b + (classOf[bytes[at + toB] ?? 0] ?? 0)] ?? 0
    c = next[c + (classOf[bytes[at + toC] ?? 0] ?? 0)] ?? 0
    d = next[d + (classOf[bytes[at + toD] ?? 0] ?? 0)] ?? 0
    if ((a | b | c | d) >= 0) continue
    a = keep(first, a, at)
    b = keep(second, b, at + toB)
    c = keep(third, c, at + toC)
    d = keep(fourth, d, at + toD)
  }
  first.row = a
  second.row = b
  third.row = c
  fourth.row = d
}

function readOne({ next, classOf }: Automaton, bytes: Uint8Array, lane: Lane, from: number): void {
  let row = lane.row
  for (let at = from; at < bytes.length; at++) {
    row = next[row + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0
    if (row < 0) row = keep(lane, row, at)
  }
}

/** The row that a target stands for. */
function keep(lane: Lane, target: number, end: number): number {
  if (target >= 0) return target
  lane.rows.push(-target)
  lane.ends.push(end)
  return -target
}

/**
 * Builds the table of keywords in lower case, each given once, which their numbers stand for from then on. A row is that of its fallback, copied at once, with its
 * own branches written over it. Rows are made nearest the root first: where most bytes lead lies side by side, which a cache of a processor holds.
 */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const texts = keywords.map(toByteText)
  const { classOf, classes } = classify(texts)
  const { branches, byteAt, own, count } = buildTree(texts)
  const next = new Int32Array(count * classes)
  // of each state: the longest end of what leads there that is a beginning of a keyword too, as a row
  const fallbacks = new Int32Array(count)
  const ends = new Map<number, readonly number[]>()
  for (let state = 0; state < count; state++) {
    const row = state * classes
    const fallback = fallbacks[state] ?? 0
    if (state > 0) next.copyWithin(row, fallback, fallback + classes)
    const last = branches[state + 1] ?? 0
    for (let branch = branches[state] ?? 0; branch < last; branch++) {
      const at = classOf[byteAt[branch] ?? 0] ?? 0
      const target = branch * classes
      const below = state === 0 ? 0 : (next[fallback + at] ?? 0)
      fallbacks[branch] = Math.abs(below)
      const here = joinEnds(own.get(branch), below < 0 ? ends.get(-below) : undefined)
      if (here !== undefined) ends.set(target, here)
      next[row + at] = here === undefined ? target : -target
    }
  }
  return { next, classOf, ends, longest: texts.reduce((longest, { length }) => Math.max(longest, length), 1) }
}

function joinEnds(own: number | undefined, others: readonly number[] | undefined): readonly number[] | undefined {
  if (own === undefined) return others
  return others === undefined ? [own] : [own, ...others]
}

const ASCII = /^[\0-\x7f]*$/

/** A text with a character for each byte. Nearly every keyword is one: no bytes are made of it. */
export function toByteText(keyword: string): string {
  return ASCII.test(keyword) ? keyword : String.fromCharCode(...new TextEncoder().encode(keyword))
}

/** The tree of keywords, level by level from the root, which is state 0: the branches of a state lie side by side, behind those of the one before. */
interface Tree {
  /** Where the branches of each state begin; they end where those of the next begin. */
  readonly branches: Int32Array
  /** The byte that leads to a state. */
  readonly byteAt: Uint8Array
  /** The keyword that ends at a state. */
  readonly own: ReadonlyMap<number, number>
  readonly count: number
}

/** What begins alike is a range of the sorted keywords: each state is one, and each byte that follows in it a branch. */
function buildTree(texts: readonly string[]): Tree {
  const numbers = new Map(texts.map((text, number) => [text, number]))
  const sorted = texts.toSorted()
  const most = 1 + texts.reduce((sum, { length }) => sum + length, 0)
  const [branches, starts, stops, depths] = [
    new Int32Array(most + 1),
    new Int32Array(most),
    new Int32Array(most),
    new Int32Array(most),
  ]
  const byteAt = new Uint8Array(most)
  const own = new Map<number, number>()
  stops[0] = sorted.length
  let count = 1
  for (let state = 0; state < count; state++) {
    branches[state] = count
    const depth = depths[state] ?? 0
    const stop = stops[state] ?? 0
    let start = starts[state] ?? 0
    // what ends here is sorted before what goes on
    if (sorted[start]?.length === depth) own.set(state, numbers.get(sorted[start++] ?? '') ?? 0)
    while (start < stop) {
      const byte = sorted[start]?.charCodeAt(depth) ?? 0
      starts[count] = start++
      while (start < stop && sorted[start]?.charCodeAt(depth) === byte) start++
      stops[count] = start
      depths[count] = depth + 1
      byteAt[count++] = byte
    }
  }
  branches[count] = count
  return { branches, byteAt, own, count }
}

/** Bytes that stand in no keyword share class 0; an upper-case letter shares that of its lower case. */
function classify(texts: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(256)
  let classes = 1
  for (const text of texts)
    for (let index = 0; index < text.length; index++) {
      const byte = text.charCodeAt(index)
      if (classOf[byte] === 0) classOf[byte] = classes++
    }
  for (let upper = 0x41; upper <= 0x5a; upper++) classOf[upper] = classOf[upper + 0x20] ?? 0
  return { classOf, classes }
}
