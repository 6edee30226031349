import { NO_FACT, type FactTable } from './fact-table.ts'
import { fileAt, type JoinedGraph } from './joined-graph.ts'

/** A place on a path. */
export interface FlowPlace {
  /** -1: in no file. */
  readonly file: number
  readonly node: number
  /** It came here by a call, or back from one. */
  readonly crosses: boolean
  /** What code of the app shares, where it is kept. */
  readonly store?: string
}

/** It never was in another file. */
export function isWithin(facts: FactTable, fact: number, file: number, bases: readonly number[]): boolean {
  const [start, end] = [bases[file] ?? 0, bases[file + 1] ?? Number.POSITIVE_INFINITY]
  for (let here = fact; here !== NO_FACT; here = facts.from(here))
    if (facts.node(here) < start || facts.node(here) >= end) return false
  return true
}

/** What a fact goes back to. */
export function firstOf(facts: FactTable, fact: number): number {
  let here = fact
  while (facts.from(here) !== NO_FACT) here = facts.from(here)
  return here
}

/** From where it begins to a fact. */
export function pathTo(facts: FactTable, fact: number, graph: JoinedGraph): FlowPlace[] {
  const path: FlowPlace[] = []
  for (let here = fact; here !== NO_FACT; here = facts.from(here)) {
    const node = facts.node(here)
    const store = graph.stores.get(node)
    const file = store === undefined && node < graph.nodes ? fileAt(graph.bases, node) : -1
    path.push({
      file,
      node: node - (graph.bases[file] ?? 0),
      crosses: facts.crosses(here),
      ...(store !== undefined && { store }),
    })
  }
  return path.reverse()
}
