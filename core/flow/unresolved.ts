import { outcomeNode, type JoinedGraph } from './join.ts'
import type { FlowSink } from './types.ts'

/**
 * The unresolved values that may reach open sinks which no source reaches, found backwards: fields and calls are not told apart here, since following them
 * forwards again does.
 */
export function unresolvedBehind(
  graph: JoinedGraph,
  isReached: (place: { readonly file: number; readonly sink: FlowSink }) => boolean,
  step: () => void,
): JoinedGraph['sources'] {
  const open: number[] = []
  const seen = new Set<number>()
  const visit = (node: number): void => {
    step()
    if (seen.has(node)) return
    seen.add(node)
    open.push(node)
  }
  for (const [node, sinks] of graph.sinksAt)
    if (sinks.some((place) => place.sink.isOpen === true && !isReached(place))) visit(node)
  if (open.length === 0) return []
  const before = backwards(graph, step)
  // a handler that no view and no other script names
  const isEmptyStore = (node: number, seen = new Set<number>()): boolean =>
    node >= graph.nodes && (seen.has(node) || (before.get(node) ?? []).every((from) => isEmptyStore(from, seen.add(node))))
  const found: JoinedGraph['sources'][number][] = []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const leading = before.get(node) ?? []
    for (const from of leading) visit(from)
    // a parameter that the callers leave out is undefined
    const isCalled = graph.callersOf.has(graph.functionOf.get(node) ?? -1)
    const isUnfilled = graph.parameters.has(node) && !isCalled && leading.every((from) => isEmptyStore(from))
    if (isUnfilled || graph.unresolved.has(node)) found.push({ node, origin: 'unknown', weak: true })
  }
  return found
}

/** What leads to a node: edges, arguments to the parameters that they fill, results to where a call gives them. */
function backwards(graph: JoinedGraph, step: () => void): ReadonlyMap<number, readonly number[]> {
  const before = new Map<number, number[]>()
  const add = (from: number, to: number): void => {
    step()
    const known = before.get(to)
    if (known === undefined) before.set(to, [from])
    else known.push(from)
  }
  for (const [from, edges] of graph.edgesFrom) for (const { to } of edges) add(from, to)
  for (const [from, filled] of graph.argumentsAt) for (const { parameter } of filled) add(from, parameter)
  for (const [from, outcome] of graph.resultsAt)
    for (const call of graph.callersOf.get(outcome.callee) ?? []) {
      const result = outcomeNode(graph.calls[call], outcome)
      if (result !== undefined) add(from, result)
    }
  return before
}
