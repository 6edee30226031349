import type { DataNode } from '../../parse/data.ts'
import type { Place } from '../../types.ts'

/** Which file a node is of, since descriptors are put together from several. */
export interface Origins {
  /** Every node of a tree stands in `file`. */
  addTree(file: string, root: DataNode): void
  /** Every node of a tree that was read out of a string stands where the string does. */
  addInside(place: Place, root: DataNode): void
  /** Throws an Error for a node that no file has: a reader's fault. */
  placeOf(node: DataNode): Place
}

export function createOrigins(): Origins {
  const known = new Map<DataNode, string | Place>()
  const add = (origin: string | Place, root: DataNode): void => {
    const left = [root]
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      // aliases of YAML lead to one node by many ways
      if (known.has(node)) continue
      known.set(node, origin)
      if (node.kind === 'array') for (const item of node.items) left.push(item)
      if (node.kind === 'object') for (const { value } of node.members) left.push(value)
    }
  }
  return {
    addTree: add,
    addInside: add,
    placeOf(node) {
      const origin = known.get(node)
      if (origin === undefined) throw new Error('a node of no file')
      return typeof origin === 'string' ? { file: origin, span: { start: node.start, end: node.end } } : origin
    },
  }
}
