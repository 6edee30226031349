import { toAdjacency, type Adjacency } from './adjacency.ts'
import type { FileFlow } from './types.ts'

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

/** The edges of all files; files name fields by numbers of their own. */
export function createEdges(): Edges {
  const edges: number[] = []
  const names: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (name: string): number => {
    const index = indexes.get(name) ?? names.push(name) - 1
    indexes.set(name, index)
    return index
  }
  return {
    add: (from, to, operation, name) => void edges.push(from, to, operation, indexOf(name)),
    addFile(flow, base) {
      const own = flow.names.map(indexOf)
      const unnamed = indexOf('')
      const { edges: given } = flow
      for (let at = 0; at < given.length; at += 4) {
        edges.push(base + (given[at] ?? 0), base + (given[at + 1] ?? 0), given[at + 2] ?? 0, own[given[at + 3] ?? -1] ?? unnamed)
      }
    },
    finish(nodes, cut) {
      const places: number[] = []
      for (let at = 0; at < edges.length; at += 4) if (!cut.has(edges[at] ?? 0)) places.push(edges[at] ?? 0, at)
      return { edges: new Int32Array(edges), names, edgesFrom: toAdjacency(nodes, places) }
    },
  }
}
