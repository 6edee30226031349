import { MAX_NESTING } from '../limits.ts'
import type { DataNode } from './data.ts'

/** Nodes that aliases may add to what the text holds: real files reuse a few dozen, an alias bomb a billion. */
const MAX_ALIAS_NODES = 10_000

/** The anchors of one document. An alias becomes the anchor's own node, so a bomb costs no memory; the limits are for those who walk the tree. */
export interface AliasTable {
  define(anchor: string, node: DataNode): void
  /** Undefined: unknown, still open (a cycle), or too much. */
  resolve(anchor: string): DataNode | undefined
}

interface Measure {
  readonly nodes: number
  readonly depth: number
}

/** An empty table with a fresh budget. */
export function createAliasTable(): AliasTable {
  const anchors = new Map<string, DataNode>()
  const measures = new Map<DataNode, Measure>()
  let left = MAX_ALIAS_NODES

  // each node is measured once, also when it is reached by a thousand ways
  const measure = (node: DataNode): Measure => {
    const known = measures.get(node)
    if (known !== undefined) return known
    let nodes = 1
    let depth = 0
    for (const child of childrenOf(node)) {
      const inner = measure(child)
      nodes += inner.nodes
      depth = Math.max(depth, inner.depth)
    }
    const result = { nodes, depth: depth + 1 }
    measures.set(node, result)
    return result
  }

  return {
    define(anchor, node) {
      anchors.set(anchor, node)
    },
    resolve(anchor) {
      const node = anchors.get(anchor)
      if (node === undefined) return undefined
      const { nodes, depth } = measure(node)
      if (nodes > left || depth > MAX_NESTING) return undefined
      left -= nodes
      return node
    },
  }
}

function childrenOf(node: DataNode): readonly DataNode[] {
  if (node.kind === 'array') return node.items
  return node.kind === 'object' ? node.members.map((member) => member.value) : []
}
