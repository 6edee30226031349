import { createFactTable, NO_FACT } from '../solve/fact-table.ts'

/** Things by their numbers, and the nodes where they arrive, in the order in which they did: a large app has a quarter of a million. */
export interface NodeThings {
  /** How many arrivals there are; they are numbered. */
  readonly size: number
  node(arrival: number): number
  thing(arrival: number): number
  /** False: it is there, or so many are that no more are taken. */
  add(node: number, thing: number): boolean
  /** What has arrived at a node so far. */
  at(node: number): readonly number[]
  isFull(node: number): boolean
  nodes(): Iterable<number>
}

const NONE: readonly number[] = []

/** `most`: how many things one node takes. */
export function createNodeThings(most: number): NodeThings {
  // each arrival leads to the one before at the same node
  const arrivals = createFactTable()
  const lasts = new Map<number, number>()
  const counts = new Map<number, number>()
  const isFull = (node: number): boolean => (counts.get(node) ?? 0) >= most
  return {
    get size() {
      return arrivals.size
    },
    node: arrivals.node,
    thing: arrivals.label,
    add(node, thing) {
      if (isFull(node)) return false
      const { size } = arrivals
      arrivals.add(0, node, thing, lasts.get(node) ?? NO_FACT, false)
      if (arrivals.size === size) return false
      lasts.set(node, size)
      counts.set(node, (counts.get(node) ?? 0) + 1)
      return true
    },
    at(node) {
      const count = counts.get(node)
      if (count === undefined) return NONE
      const things = Array.from<number>({ length: count })
      for (let arrival = lasts.get(node) ?? NO_FACT, place = count; arrival !== NO_FACT; arrival = arrivals.from(arrival))
        things[--place] = arrivals.label(arrival)
      return things
    },
    isFull,
    nodes: () => lasts.keys(),
  }
}
