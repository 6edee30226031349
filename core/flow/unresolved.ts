import { listOf } from './solve/fact-table.ts'
import type { SlicedGraph } from './solve/slice.ts'
import type { JoinedGraph } from './app/joined-graph.ts'
import type { FlowSink } from './types.ts'

/**
 * The unresolved values that may reach open sinks which no source reaches, found backwards: fields and calls are not told apart here, since following them
 * forwards again does.
 */
export function unresolvedBehind(
  graph: SlicedGraph,
  isReached: (place: { readonly file: number; readonly sink: FlowSink }) => boolean,
  step: () => void,
): JoinedGraph['sources'] {
  const open: number[] = []
  const seen = new Uint8Array(graph.edgesFrom.starts.length)
  const visit = (node: number): void => {
    step()
    if (seen[node] === 1) return
    seen[node] = 1
    open.push(node)
  }
  for (const [node, sinks] of graph.sinksAt)
    if (sinks.some((place) => place.sink.isOpen === true && !isReached(place))) visit(node)
  if (open.length === 0) return []
  const { before } = graph.slice
  // a handler that no view and no other script names
  const isEmptyStore = (node: number, seen = new Set<number>()): boolean =>
    node >= graph.nodes && (seen.has(node) || listOf(before, node).every((from) => isEmptyStore(from, seen.add(node))))
  const found: JoinedGraph['sources'][number][] = []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const leading = listOf(before, node)
    for (const from of leading) visit(from)
    // a parameter that the callers leave out is undefined
    const callee = graph.calling.functionOf.get(node)
    const isUnfilled = callee !== undefined && !graph.calling.callersOf.has(callee) && leading.every((from) => isEmptyStore(from))
    if (isUnfilled || graph.isUnresolved[node] === 1) found.push({ node, origin: 'unknown', weak: true })
  }
  return found
}
