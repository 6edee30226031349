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
 * Builds the table of keywords in lower case, which their numbers stand for from then on. A row is that of its fallback, copied at once, with its own branches
 * written over it. Rows are made nearest the root first: where most bytes lead lies side by side, which a cache of a processor holds.
 */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const encoder = new TextEncoder()
  const encoded = keywords.map((keyword) => encoder.encode(keyword))
  const { classOf, classes } = classify(encoded)
  const { first, sibling, classAt, own, count } = buildTree(encoded, classOf, classes)
  const next = new Int32Array(count * classes)
  // of each state, in the order of the rows: the longest end of what leads there that is a beginning of a keyword too, as a row
  const fallbacks = new Int32Array(count)
  const queue = new Int32Array(count)
  const ends = new Map<number, readonly number[]>()
  let last = 0
  for (let index = 0; index < count; index++) {
    const row = index * classes
    const fallback = fallbacks[index] ?? 0
    if (index > 0) next.copyWithin(row, fallback, fallback + classes)
    for (let state = first[queue[index] ?? 0] ?? 0; state !== 0; state = sibling[state] ?? 0) {
      const at = classAt[state] ?? 0
      const target = ++last * classes
      const below = index === 0 ? 0 : (next[fallback + at] ?? 0)
      queue[last] = state
      fallbacks[last] = Math.abs(below)
      const here = joinEnds(own.get(state), below < 0 ? ends.get(-below) : undefined)
      if (here !== undefined) ends.set(target, here)
      next[row + at] = here === undefined ? target : -target
    }
  }
  return { next, classOf, ends, longest: Math.max(1, ...encoded.map(({ length }) => length)) }
}

function joinEnds(own: readonly number[] | undefined, others: readonly number[] | undefined): readonly number[] | undefined {
  return own === undefined || others === undefined ? (own ?? others) : [...own, ...others]
}

/** The tree of keywords, in which state 0 is the root: of each state its first branch, the one beside it, and the class of bytes that leads to it. */
interface Tree {
  readonly first: Int32Array
  readonly sibling: Int32Array
  readonly classAt: Uint8Array
  /** Keywords that end at a state. */
  readonly own: ReadonlyMap<number, readonly number[]>
  readonly count: number
}

function buildTree(encoded: readonly Uint8Array[], classOf: Uint8Array, classes: number): Tree {
  const most = 1 + encoded.reduce((sum, bytes) => sum + bytes.length, 0)
  const branches = new Int32Array(most * classes)
  const first = new Int32Array(most)
  const sibling = new Int32Array(most)
  const classAt = new Uint8Array(most)
  const own = new Map<number, number[]>()
  let count = 1
  for (const [number, bytes] of encoded.entries()) {
    let state = 0
    for (const byte of bytes) {
      const at = state * classes + (classOf[byte] ?? 0)
      if (branches[at] === 0) {
        classAt[count] = classOf[byte] ?? 0
        sibling[count] = first[state] ?? 0
        first[state] = count
        branches[at] = count++
      }
      state = branches[at] ?? 0
    }
    const there = own.get(state)
    if (there === undefined) own.set(state, [number])
    else there.push(number)
  }
  return { first, sibling, classAt, own, count }
}

/** Bytes that stand in no keyword share class 0; an upper-case letter shares that of its lower case. */
function classify(encoded: readonly Uint8Array[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(256)
  let classes = 1
  for (const bytes of encoded) for (const byte of bytes) if (classOf[byte] === 0) classOf[byte] = classes++
  for (let upper = 0x41; upper <= 0x5a; upper++) classOf[upper] = classOf[upper + 0x20] ?? 0
  return { classOf, classes }
}
