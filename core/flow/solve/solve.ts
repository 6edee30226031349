import { withinSteps, type Budget, type StepCounter } from '../../budget.ts'
import type { FactTable } from './fact-table.ts'
import { firstOf, isOfRows, isWithin, type Entered } from './fact-paths.ts'
import { arrivalsIn } from './other-ways.ts'
import { joinFiles } from '../app/join.ts'
import type { JoinedGraph } from '../app/joined-graph.ts'
import { unresolvedBehind } from '../unresolved.ts'
import { createLabelTable } from './label-table.ts'
import { isData, isInside, type Label } from './labels.ts'
import type { LinkedFile } from '../app/links.ts'
import { countsStored, isHarmless, isInForm, isUnheeded, ownOrigin, rank } from '../sink-forms.ts'
import { withoutForwarded, withoutPassedOn, type Arrival } from './arrivals.ts'
import { sliceTowardsSinks } from './slice.ts'
import { tabulate } from './tabulate.ts'
import type { FlowSink } from '../types.ts'

/** What was found in one app. */
export interface Solution {
  readonly arrivals: readonly Arrival[]
  /** False: the steps were used up; what arrived before is there. */
  readonly isWhole: boolean
}

/** What counts when all that can be found was found. */
export interface Telling {
  readonly judging: StepCounter
  readonly telling: StepCounter
  /** Whether what a back end sends under a name is no text. */
  readonly isPlain?: (name: string) => boolean
}

/** Most of the work is what flows; an app of 3 MB of controllers on one base takes a little more than half of all steps. */
const FLOW_SHARE = 2 / 3

/**
 * Which sinks data of others reaches in one app, whose files come sorted by path: by tabulation of label and node for each way in which a function is entered
 * (Reps, Horwitz, Sagiv 1995), so that calls of one function do not mix. What begins inside a function returns to all its callers. What is left to do where no step is left to
 * find more has counters of its own: to judge what arrived, and to tell the paths on which it did.
 */
export function solve(
  files: readonly LinkedFile[],
  budget: Budget,
  then: Telling = { judging: budget, telling: budget },
): Solution {
  // what calls run must leave steps for what flows by them
  budget.nextPiece()
  const step = (): void => budget.step()
  const joined = joinFiles(files, step)
  budget.nextPiece(FLOW_SHARE)
  const graph = { ...joined, slice: sliceTowardsSinks(joined, step) }
  const labels = createLabelTable(graph.slice, then.isPlain)
  const { facts, contexts, ...solved } = tabulate(graph, graph.sources, labels, step)
  const found = findArrivals(graph, facts, contexts, { get: labels.get, ...then })
  const { arrivals } = found
  const isWhole = graph.isWhole && solved.isWhole && found.isWhole
  if (!isWhole) return { arrivals, isWhole }
  const reached = new Set(arrivals.map((arrival) => keyOf(arrival, graph)))
  let unresolved: JoinedGraph['sources'] = []
  const isTraced = withinSteps(() => {
    unresolved = unresolvedBehind(graph, (place) => reached.has(keyOf(place, graph)), step)
  })
  if (unresolved.length === 0) return { arrivals, isWhole: isTraced }
  const open = tabulate(graph, unresolved, labels, step)
  const others = findArrivals(graph, open.facts, open.contexts, { get: labels.get, ...then })
  const unknown = others.arrivals.filter((arrival) => arrival.sink.isOpen === true && !reached.has(keyOf(arrival, graph)))
  return { arrivals: [...arrivals, ...unknown], isWhole: open.isWhole && others.isWhole }
}

/** What arrived at a sink by the label that says most, and the facts whose labels say as much. */
interface Found extends Pick<Arrival, 'file' | 'sink' | 'label' | 'entry'> {
  readonly fact: number
  readonly equals: number[]
}

/** Of what several handlers hand to one function, who reaches it easiest is looked for among so many. */
const MOST_EQUALS = 20

/** The sinks that were reached, each by the label that says most. Out of steps: those that were seen by then. */
function findArrivals(
  graph: JoinedGraph,
  facts: FactTable,
  contexts: readonly Entered[],
  { get, judging: { step }, telling }: Telling & { readonly get: (label: number) => Label },
): Solution {
  const origins = originsOfReceivers(graph, facts, get)
  const best = new Map<string, Found>()
  const see = (fact: number): void => {
    step()
    for (const { file, sink } of graph.sinksAt.get(facts.node(fact)) ?? []) {
      step()
      const label = get(facts.label(fact))
      const { receiver, unlessCalled } = sink.only ?? {}
      if (!isArrived(label, sink) || isHarmless(label, sink) || isUnheeded(label, sink.fault)) continue
      if (!isInForm(label, sink.needs) || !countsStored(label, sink)) continue
      // a query is no text, though its rows hold some
      const isQuery = sink.needs === 'whole' || sink.detail === 'tokens'
      if (isQuery && (label.origin === 'stored' || isOfRows(facts, fact, graph, step))) continue
      if (
        sink.of !== ownOrigin(label) ||
        (label.origin === 'unknown' && graph.realms[file] === 'server' && sink.ofUnknown !== true)
      )
        continue
      if (unlessCalled !== undefined && graph.calling.called.has((graph.bases[file] ?? 0) + unlessCalled)) continue
      if (sink.isForwarded === true && isWithin(facts, fact, file, graph.bases, step)) continue
      if (receiver !== undefined && origins.get((graph.bases[file] ?? 0) + receiver.node)?.has(receiver.origin) !== true) continue
      // several may reach one decision
      const source = label.origin === 'claims' ? ` ${facts.node(firstOf(facts, fact, step))}` : ''
      const key = `${keyOf({ file, sink }, graph)}${source}`
      const before = best.get(key)
      const further = before === undefined ? -1 : rank(sink, label) - rank(before.sink, before.label)
      if (further < 0)
        best.set(key, { file, sink, label, entry: get(facts.label(firstOf(facts, fact, step))).origin, fact, equals: [] })
      else if (further === 0 && before !== undefined && before.equals.length < MOST_EQUALS) before.equals.push(fact)
    }
  }
  const isSeen = withinSteps(() => {
    for (let fact = 0; fact < facts.size; fact++) see(fact)
  })
  const toArrival = arrivalsIn(graph, { facts, contexts, get, step: telling.step })
  let arrivals: readonly Arrival[] = [...best.values()].map(toArrival)
  const isTold = withinSteps(() => {
    arrivals = withoutForwarded(arrivals, graph)
    arrivals = withoutPassedOn(arrivals, graph)
  })
  return { arrivals, isWhole: isSeen && isTold }
}

/** Data, or an object that holds some; of routes the app itself. */
function isArrived(label: Label, { isDeep, of }: FlowSink): boolean {
  if (of === 'open-app') return (label.origin === of || label.origin === 'open-server') && label.fields.length === 0
  // a request as a whole has all its headers in it
  if (label.origin === 'exchange') return of === 'credential' && label.fields.length === 0
  return isData(label) || (isDeep === true && isInside(label))
}

/** What arrives at the objects that some sinks are methods of. */
function originsOfReceivers(graph: JoinedGraph, facts: FactTable, get: (label: number) => Label): Map<number, Set<string>> {
  const origins = new Map<number, Set<string>>()
  for (const sinks of graph.sinksAt.values()) {
    for (const { file, sink } of sinks) {
      const { receiver } = sink.only ?? {}
      if (receiver !== undefined) origins.set((graph.bases[file] ?? 0) + receiver.node, new Set())
    }
  }
  for (let fact = 0; fact < facts.size; fact++) {
    const own = origins.get(facts.node(fact))
    if (own === undefined) continue
    const { origin, fields } = get(facts.label(fact))
    if (fields.length === 0) own.add(origin)
  }
  return origins
}

/** One place is reported once for a fault. */
function keyOf({ file, sink }: Pick<Arrival, 'file' | 'sink'>, { originals }: JoinedGraph): string {
  return `${originals[file]} ${sink.fault} ${sink.start} ${sink.end}`
}
