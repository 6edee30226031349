/** Finds many texts in one: Aho-Corasick over UTF-16 units, with edges in a hash table, because a dense one of 10,000 credentials has no room. */
export interface TextAutomaton {
  /** The patterns, as they were given. */
  readonly patterns: readonly string[]
  /** Tells of each place where patterns end, with the number of the longest. Linear in the text, whatever it holds. */
  find(text: string, visit: (end: number, pattern: number) => void): void
  /** The longest pattern that another one ends with; undefined where there is none. */
  shorter(pattern: number): number | undefined
}

const NONE = -1

/** Builds the automaton. Patterns are distinct and not empty. Linear in their characters. */
export function createTextAutomaton(patterns: readonly string[]): TextAutomaton {
  const { edges, endOf, fail, ends } = build(patterns)
  return {
    patterns,
    find(text, visit) {
      let state = 0
      for (let at = 0; at < text.length; at++) {
        state = step(edges, fail, state, text.charCodeAt(at))
        const pattern = ends[state] ?? NONE
        if (pattern !== NONE) visit(at + 1, pattern)
      }
    },
    shorter(pattern) {
      const next = ends[fail[endOf[pattern] ?? 0] ?? 0] ?? NONE
      return next === NONE ? undefined : next
    },
  }
}

interface Built {
  readonly edges: Edges
  /** Per pattern: the state in which it ends. */
  readonly endOf: Int32Array
  /** Per state: that of the longest text that it ends with. */
  readonly fail: Int32Array
  /** Per state: the longest pattern that it ends with. */
  readonly ends: Int32Array
}

function build(patterns: readonly string[]): Built {
  const most = 1 + patterns.reduce((sum, { length }) => sum + length, 0)
  const edges = createEdges(most)
  const endOf = new Int32Array(patterns.length)
  const ends = new Int32Array(most).fill(NONE)
  const parents = new Int32Array(most)
  const units = new Uint16Array(most)
  /** States by their depth: those that are deeper fail to those that are not. */
  const levels: number[][] = []
  let last = 0
  for (const [number, pattern] of patterns.entries()) {
    let state = 0
    for (let depth = 0; depth < pattern.length; depth++) {
      const unit = pattern.charCodeAt(depth)
      let next = edges.get(state, unit)
      if (next === 0) {
        next = ++last
        edges.set(state, unit, next)
        parents[next] = state
        units[next] = unit
        const level = (levels[depth] ??= [])
        level.push(next)
      }
      state = next
    }
    endOf[number] = state
    ends[state] = number
  }
  const fail = new Int32Array(last + 1)
  for (const level of levels.slice(1)) {
    for (const state of level) fail[state] = step(edges, fail, fail[parents[state] ?? 0] ?? 0, units[state] ?? 0)
  }
  for (const level of levels) {
    for (const state of level) if (ends[state] === NONE) ends[state] = ends[fail[state] ?? 0] ?? NONE
  }
  return { edges, endOf, fail, ends: ends.slice(0, last + 1) }
}

/** Each step back has been paid for by one forward. */
function step(edges: Edges, fail: Int32Array, from: number, unit: number): number {
  let state = from
  for (;;) {
    const next = edges.get(state, unit)
    if (next !== 0 || state === 0) return next
    state = fail[state] ?? 0
  }
}

/** From a state by a unit to another state; 0, the root, is no target. */
interface Edges {
  get(state: number, unit: number): number
  set(state: number, unit: number, target: number): void
}

/** A hash table with open addressing, half empty. */
function createEdges(most: number): Edges {
  const bits = Math.max(4, Math.ceil(Math.log2(most * 2)))
  const mask = 2 ** bits - 1
  const states = new Int32Array(mask + 1)
  const units = new Uint16Array(mask + 1)
  const targets = new Int32Array(mask + 1)
  const find = (state: number, unit: number): number => {
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> (32 - bits)
    while (targets[slot] !== 0 && (states[slot] !== state || units[slot] !== unit)) slot = (slot + 1) & mask
    return slot
  }
  return {
    get: (state, unit) => targets[find(state, unit)] ?? 0,
    set(state, unit, target) {
      const slot = find(state, unit)
      states[slot] = state
      units[slot] = unit
      targets[slot] = target
    },
  }
}
