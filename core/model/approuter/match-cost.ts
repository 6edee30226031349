import { parsePattern, Undecided, URL_CHARACTERS, type Pattern } from './route-pattern.ts'

/** Real URLs of routes are under 100 characters. */
const MAX_URL = 400
const MAX_STATES = 4000

/** A pattern as places between its characters: what a backtracking engine goes through. */
interface Graph {
  /** Over one character. */
  readonly edges: { readonly set: Uint8Array; readonly to: number }[][]
  /** Over none. */
  readonly jumps: number[][]
}

/**
 * At most how many steps a backtracking engine takes to look for a source anywhere in a URL: the number of ways through the pattern for all beginnings of
 * all rests of the URL, each counted as if the engine had to come back from it. It is counted without going them, in time linear in URL and pattern.
 * Infinity where that can't be told.
 */
export function countMatchSteps(source: string, matchCase: boolean, url: string): number {
  if (url.length > MAX_URL || [...url].some((character) => !URL_CHARACTERS.includes(character))) return Infinity
  try {
    const graph: Graph = { edges: [], jumps: [] }
    const first = addPlace(graph)
    addPattern(graph, parsePattern(source, matchCase), first)
    const order = orderByJumps(graph)
    return order === undefined ? Infinity : countWays(graph, first, order, url)
  } catch (error) {
    if (error instanceof Undecided) return Infinity
    throw error
  }
}

function countWays({ edges, jumps }: Graph, first: number, order: readonly number[], url: string): number {
  let ways = new Float64Array(edges.length)
  let steps = 0
  for (let at = 0; at <= url.length; at++) {
    const code = url.charCodeAt(at)
    const next = new Float64Array(edges.length)
    ways[first] = (ways[first] ?? 0) + 1
    for (const place of order) {
      const here = ways[place] ?? 0
      if (here === 0) continue
      steps += here
      for (const to of jumps[place] ?? []) ways[to] = (ways[to] ?? 0) + here
      for (const { set, to } of edges[place] ?? []) if (set[code] === 1) next[to] = (next[to] ?? 0) + here
    }
    ways = next
  }
  return steps
}

/** Each place before those that it jumps to; undefined where jumps lead in a circle. */
function orderByJumps({ jumps }: Graph): readonly number[] | undefined {
  const pending = new Uint32Array(jumps.length)
  for (const list of jumps) for (const to of list) pending[to] = (pending[to] ?? 0) + 1
  const order = [...jumps.keys()].filter((place) => pending[place] === 0)
  for (const place of order) {
    for (const to of jumps[place] ?? []) {
      pending[to] = (pending[to] ?? 0) - 1
      if (pending[to] === 0) order.push(to)
    }
  }
  return order.length === jumps.length ? order : undefined
}

function addPlace({ edges, jumps }: Graph): number {
  if (edges.length >= MAX_STATES) throw new Undecided()
  jumps.push([])
  return edges.push([]) - 1
}

/** Adds a pattern behind a place; gives the place behind it. Anchors count as if they always held. */
function addPattern(graph: Graph, pattern: Pattern, from: number): number {
  switch (pattern.kind) {
    case 'set': {
      const to = addPlace(graph)
      graph.edges[from]?.push({ set: pattern.set, to })
      return to
    }
    case 'start':
    case 'end':
      return from
    case 'sequence':
      return pattern.parts.reduce((at, part) => addPattern(graph, part, at), from)
    case 'choice': {
      const to = addPlace(graph)
      for (const option of pattern.options) graph.jumps[addPattern(graph, option, addBehind(graph, from))]?.push(to)
      return to
    }
    case 'ahead':
      // looked through from here, then forgotten
      addPattern(graph, pattern.part, addBehind(graph, from))
      return from
    case 'repeat': {
      const { part, min, max } = pattern
      let at = from
      for (let count = 0; count < min; count++) at = addPattern(graph, part, at)
      const to = addPlace(graph)
      if (max === Infinity) {
        const loop = addBehind(graph, at)
        graph.jumps[addPattern(graph, part, addBehind(graph, loop))]?.push(loop)
        graph.jumps[loop]?.push(to)
        return to
      }
      for (let count = min; count < max; count++) {
        graph.jumps[at]?.push(to)
        at = addPattern(graph, part, addBehind(graph, at))
      }
      graph.jumps[at]?.push(to)
      return to
    }
  }
}

function addBehind(graph: Graph, from: number): number {
  const to = addPlace(graph)
  graph.jumps[from]?.push(to)
  return to
}
