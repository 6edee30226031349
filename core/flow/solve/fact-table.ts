/** What is known at the nodes of a graph, in the order in which it was found: a label at a node, within one context of the function around it. */
export interface FactTable {
  readonly size: number
  /** Takes a fact that is not known yet; `from`: the fact that it follows from, or `NO_FACT`. */
  add(context: number, node: number, label: number, from: number, crosses: boolean): void
  has(context: number, node: number, label: number): boolean
  /** The number of a fact, or `NO_FACT`. */
  find(context: number, node: number, label: number): number
  context(fact: number): number
  node(fact: number): number
  label(fact: number): number
  from(fact: number): number
  crosses(fact: number): boolean
}

export const NO_FACT = -1

const COLUMNS = 4

/** A large app has a million facts: as objects they would take ten times the place that numbers in a row do. */
export function createFactTable(): FactTable {
  let rows = new Int32Array(1024 * COLUMNS)
  // open addressing; 0: free, else the number of the fact and 1
  let slots = new Int32Array(4096)
  let size = 0

  const at = (fact: number, column: number): number => rows[fact * COLUMNS + column] ?? 0
  const slotOf = (context: number, node: number, label: number): number => {
    const mask = slots.length - 1
    let slot = mix(context, node, label) & mask
    for (let held = slots[slot] ?? 0; held !== 0; held = slots[slot] ?? 0) {
      const fact = held - 1
      if (at(fact, 1) === node && at(fact, 0) === context && at(fact, 2) === label) break
      slot = (slot + 1) & mask
    }
    return slot
  }
  const spread = (): void => {
    slots = new Int32Array(slots.length * 2)
    for (let fact = 0; fact < size; fact++) slots[slotOf(at(fact, 0), at(fact, 1), at(fact, 2))] = fact + 1
  }

  return {
    get size() {
      return size
    },
    add(context, node, label, from, crosses) {
      const slot = slotOf(context, node, label)
      if (slots[slot] !== 0) return
      if (size * COLUMNS === rows.length) rows = doubled(rows)
      const row = size * COLUMNS
      rows[row] = context
      rows[row + 1] = node
      rows[row + 2] = label
      rows[row + 3] = from * 2 + (crosses ? 1 : 0)
      slots[slot] = ++size
      if (size * 2 > slots.length) spread()
    },
    has: (context, node, label) => slots[slotOf(context, node, label)] !== 0,
    find: (context, node, label) => (slots[slotOf(context, node, label)] ?? 0) - 1,
    context: (fact) => at(fact, 0),
    node: (fact) => at(fact, 1),
    label: (fact) => at(fact, 2),
    from: (fact) => at(fact, 3) >> 1,
    crosses: (fact) => (at(fact, 3) & 1) === 1,
  }
}

/** The finalizer of MurmurHash3, over the three numbers. */
function mix(context: number, node: number, label: number): number {
  let hash = Math.imul(context, 0x9e3779b1) ^ Math.imul(node, 0x85ebca6b) ^ Math.imul(label, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Lists of numbers by node, one behind the other: a list of its own for each node of a large app costs more than solving it. */
export interface Adjacency {
  /** Where the list of a node begins in `items`; it ends where that of the next one begins. */
  readonly starts: Int32Array
  readonly items: Int32Array
}

/** Each pair is a node and what belongs into its list; the lists keep the order of the pairs. */
export function toAdjacency(nodes: number, pairs: ArrayLike<number>): Adjacency {
  const starts = new Int32Array(nodes + 1)
  for (let at = 0; at < pairs.length; at += 2) {
    const next = (pairs[at] ?? 0) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let node = 0; node < nodes; node++) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0)
  const ends = starts.slice()
  const items = new Int32Array(pairs.length / 2)
  for (let at = 0; at < pairs.length; at += 2) {
    const node = pairs[at] ?? 0
    const end = ends[node] ?? 0
    items[end] = pairs[at + 1] ?? 0
    ends[node] = end + 1
  }
  return { starts, items }
}

/** The list of a node. */
export function listOf({ starts, items }: Adjacency, node: number): Int32Array {
  return items.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)
}

/** One number for each node, `empty` where none was put. Nodes are counted from 0, so a table by hash would take eight times the place. */
export interface NodeColumn {
  at(node: number): number
  put(node: number, value: number): void
}

export function createNodeColumn(empty: number): NodeColumn {
  // kept as its distance from `empty`: what nobody has put is 0
  let values = new Int32Array(1024)
  return {
    at: (node) => (values[node] ?? 0) + empty,
    put(node, value) {
      while (node >= values.length) values = doubled(values)
      values[node] = value - empty
    },
  }
}

/** The same numbers with as many free places behind them. */
export function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2)
  more.set(numbers)
  return more
}
