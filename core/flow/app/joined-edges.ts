import { doubled, toAdjacency, type Adjacency } from '../solve/adjacency.ts'
import type { FileFlow } from '../types.ts'

/** The edges of an app. */
export interface JoinedEdges {
  /** Records of four numbers as in a file: from, to, operation, name. */
  readonly edges: Int32Array
  readonly names: readonly string[]
  /** By node: where the edges that begin at it stand in `edges`. */
  readonly edgesFrom: Adjacency
}

export type Connect = (from: number, to: number, operation: number, name: string) => void

export interface Edges {
  readonly add: Connect
  addFile(flow: FileFlow, base: number): void
  /** Without those that begin at nodes that are cut off. */
  finish(nodes: number, cut: ReadonlySet<number>): JoinedEdges
}

const COLUMNS = 4

/** The edges of all files; files name fields by numbers of their own. */
export function createEdges(): Edges {
  // numbers in a list of JavaScript's take twice the place, and of the heap
  let edges = new Int32Array(1024 * COLUMNS)
  let end = 0
  const names: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (name: string): number => {
    const index = indexes.get(name) ?? names.push(name) - 1
    indexes.set(name, index)
    return index
  }
  const push = (from: number, to: number, operation: number, name: number): void => {
    if (end === edges.length) edges = doubled(edges)
    edges[end++] = from
    edges[end++] = to
    edges[end++] = operation
    edges[end++] = name
  }
  return {
    add: (from, to, operation, name) => push(from, to, operation, indexOf(name)),
    addFile(flow, base) {
      const own = flow.names.map(indexOf)
      const unnamed = indexOf('')
      const { edges: given } = flow
      for (let at = 0; at < given.length; at += COLUMNS) {
        push(base + (given[at] ?? 0), base + (given[at + 1] ?? 0), given[at + 2] ?? 0, own[given[at + 3] ?? -1] ?? unnamed)
      }
    },
    finish(nodes, cut) {
      const places = new Int32Array(end / 2)
      let kept = 0
      for (let at = 0; at < end; at += COLUMNS) {
        const from = edges[at] ?? 0
        if (cut.has(from)) continue
        places[kept++] = from
        places[kept++] = at
      }
      return { edges: edges.subarray(0, end), names, edgesFrom: toAdjacency(nodes, places.subarray(0, kept)) }
    },
  }
}
