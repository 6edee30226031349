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

/** The same numbers with as many free places behind them. */
export function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2)
  more.set(numbers)
  return more
}
