import type { StepCounter } from '../../budget.ts'
import type { JoinedGraph } from '../app/joined-graph.ts'
import type { Origin } from '../types.ts'
import type { Arrival, OtherWay } from './arrivals.ts'
import { firstOf, pathTo, waysTo, type Choices, type Entered, type FlowPlace } from './fact-paths.ts'
import type { FactTable } from './fact-table.ts'
import type { Label } from './labels.ts'

/** What was tabulated of one app. */
interface Tabulated {
  readonly facts: FactTable
  readonly contexts: readonly Entered[]
  get(label: number): Label
  /** Counts what it costs to tell ways. */
  readonly step: StepCounter['step']
}

interface ReachedSink extends Pick<Arrival, 'file' | 'sink' | 'label' | 'entry'> {
  readonly fact: number
  /** Facts at the sink whose labels say as much. */
  readonly equals: readonly number[]
}

/**
 * Makes arrivals whose ways are told when they are asked for, and the others by which the same place is reached: which handler is the first, the names of
 * files decide, and who may call it, the level of the finding.
 */
export function arrivalsIn(graph: JoinedGraph, { facts, contexts, get, step }: Tabulated): (reached: ReachedSink) => Arrival {
  const entryOf = (first: number): Origin => get(facts.label(first)).origin
  const toPath = (fact: number, chosen?: Choices): readonly FlowPlace[] =>
    pathTo(facts, fact, graph, contexts, (label) => get(label).concatenated, step, chosen)
  function* othersOf({ fact, equals }: ReachedSink): Iterable<OtherWay> {
    const seen = new Set([facts.node(firstOf(facts, fact, step))])
    for (const end of [fact, ...equals])
      for (const { first, chosen } of waysTo(end, facts, graph, contexts, step)) {
        const node = facts.node(first)
        if (seen.has(node)) continue
        seen.add(node)
        yield { entry: entryOf(first), label: get(facts.label(end)), path: () => toPath(end, chosen) }
      }
  }
  return (reached) => {
    const { fact, equals: _, ...told } = reached
    return {
      ...told,
      path: () => toPath(fact),
      others: () => othersOf(reached),
    }
  }
}
