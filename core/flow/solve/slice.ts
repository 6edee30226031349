import { append } from '../../lists.ts'
import { namesInMove } from '../field-marks.ts'
import { FIELD, MOVE, READ } from './operations.ts'
import { RESULT_ARGUMENT, type Calling, type JoinedGraph } from '../app/joined-graph.ts'
import { toAdjacency, type Adjacency } from './fact-table.ts'

/** The part of a graph from which a sink can be reached: a backward slice (Weiser 1981). What is known outside of it decides nothing. */
export interface Slice {
  /** By node, and what lies behind it. */
  readonly before: Adjacency
  has(node: number): boolean
  /** By node: where the edges stand that begin at it and stay in the slice. */
  readonly edgesFrom: Adjacency
  /** The fields that its edges name. */
  readonly reads: ReadonlySet<string>
  /** The rules whose sinks it has. */
  readonly faults: ReadonlySet<string>
}

export type SlicedGraph = JoinedGraph & { readonly slice: Slice }

/** Fields, labels and calls are not told apart here: it holds at least the nodes of all paths to sinks, and in large apps a fifth to a half of all nodes. */
export function sliceTowardsSinks(graph: JoinedGraph, step: () => void): Slice {
  const before = backwards(graph, step)
  const seen = new Uint8Array(before.starts.length - 1)
  const open: number[] = []
  const visit = (node: number): void => {
    step()
    if (seen[node] !== 0) return
    seen[node] = 1
    open.push(node)
  }
  for (const [node, sinks] of graph.sinksAt) {
    visit(node)
    for (const { file, sink } of sinks)
      if (sink.only?.receiver !== undefined) visit((graph.bases[file] ?? 0) + sink.only.receiver.node)
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const last = before.starts[node + 1] ?? 0
    for (let at = before.starts[node] ?? 0; at < last; at++) visit(before.items[at] ?? 0)
  }
  const { edges, edgesFrom } = graph
  const kept: number[] = []
  const read = new Set<number>()
  const moved = new Set<number>()
  for (let node = 0; node < seen.length; node++) {
    if (seen[node] === 0) continue
    const last = edgesFrom.starts[node + 1] ?? 0
    for (let place = edgesFrom.starts[node] ?? 0; place < last; place++) {
      const at = edgesFrom.items[place] ?? 0
      if (seen[edges[at + 1] ?? 0] === 0) continue
      kept.push(node, at)
      const operation = edges[at + 2]
      if (operation === READ || operation === FIELD) read.add(edges[at + 3] ?? 0)
      if (operation === MOVE) moved.add(edges[at + 3] ?? 0)
    }
  }
  const nameOf = (index: number): string => graph.names[index] ?? ''
  return {
    before,
    has: (node) => seen[node] !== 0,
    edgesFrom: toAdjacency(seen.length, kept),
    reads: new Set([...[...read].map(nameOf), ...[...moved].flatMap((index) => namesInMove(nameOf(index)))]),
    faults: new Set([...graph.sinksAt.values()].flatMap((sinks) => sinks.map(({ sink }) => sink.fault))),
  }
}

/** What leads to a node: edges, arguments to the parameters that they fill, what functions give to where calls take it. */
function backwards({ edges, edgesFrom, calling }: JoinedGraph, step: () => void): Adjacency {
  const { argumentsAt, resultsAt, selvesAt, calls, valuesOf } = calling
  const pairs: number[] = []
  const add = (from: number, to: number | undefined): void => {
    step()
    if (to !== undefined) pairs.push(to, from)
  }
  const nodes = edgesFrom.starts.length - 1
  for (let node = 0; node < nodes; node++) {
    const last = edgesFrom.starts[node + 1] ?? 0
    for (let at = edgesFrom.starts[node] ?? 0; at < last; at++) add(node, edges[(edgesFrom.items[at] ?? 0) + 1])
  }
  for (const [from, filled] of argumentsAt) for (const { parameter } of filled) add(from, parameter)
  const outcomes = new Map<number, Map<number, number[]>>()
  for (const [from, { callee, argument }] of resultsAt) {
    const own = outcomes.get(callee) ?? new Map<number, number[]>()
    append(own, argument, from)
    outcomes.set(callee, own)
    // of a function around: calls of what it hands out
    for (const value of valuesOf.get(callee) ?? []) add(from, value)
  }
  const selves = new Map<number, number[]>()
  for (const [from, method] of selvesAt) append(selves, method, from)
  // call by call: a function with many parameters has calls that fill a few of them
  for (const [callee, callers] of callersOf(calling))
    for (const index of callers) {
      const call = calls[index]
      const own = outcomes.get(callee)
      for (const from of own?.get(RESULT_ARGUMENT) ?? []) add(from, call?.result)
      for (const [argument, node] of call?.filled ?? []) for (const from of own?.get(argument) ?? []) add(from, node)
      for (const from of selves.get(callee) ?? []) add(from, call?.receiver)
    }
  return toAdjacency(nodes, pairs)
}

/** By function: calls that are known to run it, and those that hand it an argument. */
function callersOf({ callersOf: known, argumentsAt }: Calling): ReadonlyMap<number, Iterable<number>> {
  const found = new Map<number, Set<number>>()
  const note = (callee: number, call: number): void => {
    const calls = found.get(callee) ?? new Set<number>()
    found.set(callee, calls.add(call))
  }
  for (const [callee, calls] of known) for (const call of calls) note(callee, call)
  for (const filled of argumentsAt.values()) for (const { callee, call } of filled) note(callee, call)
  return found
}
