import { StopSignal, withinSteps, type Budget, type StepCounter } from '../../budget.ts'
import { createFactTable, NO_FACT, type FactTable } from './fact-table.ts'
import { firstOf, isOfRows, isWithin, pathTo, type Entered } from './fact-paths.ts'
import { joinFiles } from '../app/join.ts'
import { outcomeNode, type JoinedGraph, type Outcome } from '../app/joined-graph.ts'
import { unresolvedBehind } from '../unresolved.ts'
import { createLabelTable, isData, isInside, type Label, type LabelTable } from './labels.ts'
import type { LinkedFile } from '../app/links.ts'
import { countsStored, isHarmless, isInForm, isUnheeded, ownOrigin, rank } from '../sink-forms.ts'
import { RESULT } from '../places.ts'
import { withoutForwarded, withoutPassedOn, type Arrival } from './arrivals.ts'
import { WRITE, type FlowSink, type RequestTypes } from '../types.ts'

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
}

/** Labels told apart in one app; real ones have some dozens. */
const MAX_LABELS = 1 << 16

/** A function as it is entered with one label at one parameter; callers wait here for what comes back. */
interface Context {
  readonly callee: number
  /** The classes of the object whose method it is, where that tells which methods run. */
  readonly classes: string | undefined
  /** The call, where the function calls functions that it is given: others give it others. */
  readonly site: number | undefined
  /** Pairs of a fact and the call that it is an argument of. */
  readonly callers: number[]
  /** Made when there is one: of ten thousand contexts most give nothing back. */
  results?: { readonly fact: number; readonly outcome: Outcome }[]
  /** What it put into the object whose method it is. */
  changes?: number[]
}

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
  // what calls run and what flows by them: neither may take the steps of the other
  budget.nextPiece()
  const step = (): void => budget.step()
  const graph = joinFiles(files, step)
  const labels = createLabelTable()
  budget.nextPiece()
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

function tabulate(
  graph: JoinedGraph,
  sources: JoinedGraph['sources'],
  labels: LabelTable,
  step: () => void,
): { readonly facts: FactTable; readonly contexts: readonly Entered[]; readonly isWhole: boolean } {
  const contexts: Context[] = [{ callee: -1, classes: undefined, site: undefined, callers: [] }]
  const contextIndexes = new Map<number | string, number>()
  const facts = createFactTable()

  const reach = (context: number, node: number, label: number | undefined, from: number, crosses = false): void => {
    step()
    if (label === undefined) return
    if (label >= MAX_LABELS) throw new StopSignal('steps')
    facts.add(context, node, label, from, crosses)
  }

  const enter = (fact: number, call: number, callee: number, parameter: number): void => {
    const around = contexts[facts.context(fact)]
    if (!mayCall(call, callee, around, graph)) return
    const { methods } = graph
    const joined = graph.calls[call]
    const classes = methods?.classesOf(joined, callee, around?.classes)
    if (classes !== undefined && joined?.isSuper !== true && methods?.runs(classes, callee) === false) return
    const label = facts.label(fact)
    const site = graph.callsGiven.has(callee) ? call : undefined
    const entry = parameter * MAX_LABELS + label
    const key = site === undefined && classes === undefined ? entry : `${entry} ${site} ${classes}`
    const index = contextIndexes.get(key) ?? contexts.push({ callee, classes, site, callers: [] }) - 1
    contextIndexes.set(key, index)
    const context = contexts[index]
    context?.callers.push(fact, call)
    reach(index, parameter, label, fact, true)
    for (const { fact: back, outcome } of context?.results ?? []) {
      const result = outcomeNode(graph.calls[call], outcome)
      if (result !== undefined) reach(facts.context(fact), result, facts.label(back), back, true)
    }
    const receiver = graph.calls[call]?.receiver
    if (receiver !== undefined)
      for (const back of context?.changes ?? []) reach(facts.context(fact), receiver, facts.label(back), back, true)
  }

  /** `outcome`: undefined for what a method puts into its object. */
  const leave = (fact: number, callee: number, outcome: Outcome | undefined): void => {
    const nodeOf = (call: number): number | undefined =>
      outcome === undefined ? graph.calls[call]?.receiver : outcomeNode(graph.calls[call], outcome)
    const label = facts.label(fact)
    const context = contexts[facts.context(fact)]
    if (context !== undefined && context.callee === callee) {
      const { callers } = context
      if (outcome !== undefined) (context.results ??= []).push({ fact, outcome })
      else (context.changes ??= []).push(fact)
      for (let at = 0; at < callers.length; at += 2) {
        const result = nodeOf(callers[at + 1] ?? -1)
        if (result !== undefined) reach(facts.context(callers[at] ?? 0), result, label, fact, true)
      }
      return
    }
    const values = graph.valuesOf.get(callee)
    if (context !== undefined && values !== undefined && outcome?.argument === -1 && graph.isInside(context.callee, { callee })) {
      // it is of the function around: what that hands out gives it, and calls inside of it
      for (const value of values) reach(facts.context(fact), value, labels.step(label, WRITE, RESULT), fact)
      for (const call of graph.callersOf.get(callee) ?? []) {
        const result = nodeOf(call)
        if (result !== undefined && graph.isInside(context.callee, { node: result }))
          reach(facts.context(fact), result, label, fact, true)
      }
      return
    }
    // it began here, or in a function around: it goes back to whoever calls
    for (const call of graph.callersOf.get(callee) ?? []) {
      const result = nodeOf(call)
      if (result !== undefined) reach(facts.context(fact), result, label, fact, true)
    }
  }

  const seeksCaller = asksForCaller(graph)
  const { starts, items } = graph.edgesFrom
  const isWhole = withinSteps(() => {
    for (const { node, origin, weak, cleaned = [], payload, checked } of sources) {
      const types = checked === undefined ? payload : withChecked(payload, checked)
      const label = { origin, fields: [], cleaned, concatenated: false, logged: false, weak }
      const data = payload?.data
      // what it holds of credentials, and the user
      if (seeksCaller && (origin === 'cap-request' || origin === 'http-request'))
        reach(0, node, labels.of({ ...label, origin: 'exchange' }), NO_FACT)
      if (origin === 'stored' || origin === 'personal' || origin === 'request')
        reach(0, node, labels.of({ ...label, ...(data !== undefined && { type: data }) }), NO_FACT)
      // it is the place that decodes claims which is reported: those of each have a label of their own
      else if (origin === 'claims')
        reach(0, node, labels.of({ ...label, types: { data: undefined, params: undefined } }), NO_FACT)
      else reach(0, node, labels.of({ ...label, ...(types !== undefined && { types }) }), NO_FACT)
    }
    for (let fact = 0; fact < facts.size; fact++) {
      const context = facts.context(fact)
      const node = facts.node(fact)
      const label = facts.label(fact)
      const last = starts[node + 1] ?? 0
      for (let at = starts[node] ?? 0; at < last; at++) {
        const edge = items[at] ?? 0
        const name = graph.names[graph.edges[edge + 3] ?? 0] ?? ''
        reach(context, graph.edges[edge + 1] ?? 0, labels.step(label, graph.edges[edge + 2] ?? 0, name), fact)
      }
      for (const { call, callee, parameter } of graph.argumentsAt.get(node) ?? []) enter(fact, call, callee, parameter)
      const outcome = graph.resultsAt.get(node)
      if (outcome !== undefined) leave(fact, outcome.callee, outcome)
      const method = graph.selvesAt.get(node)
      if (method !== undefined && labels.get(label).fields.length > 0) leave(fact, method, undefined)
    }
  })
  return { facts, contexts, isWhole }
}

/** Whether anything of the server must not get credentials, or is done with the user of the request. */
function asksForCaller({ sinksAt, realms }: JoinedGraph): boolean {
  for (const sinks of sinksAt.values())
    if (
      sinks.some(
        ({ file, sink }) => (sink.of === 'credential' && realms[file] === 'server') || sink.receiver?.origin === 'caller',
      )
    )
      return true
  return false
}

/** What was checked is as harmless as what the model gives no text. */
function withChecked(payload: RequestTypes | undefined, checked: readonly string[]): RequestTypes {
  const fields = new Map(payload?.data?.fields ?? [])
  for (const name of checked) fields.set(name, { isText: false, fields: undefined })
  return { data: { isText: true, fields }, params: payload?.params }
}

/** `run(x)` in `function each(list, run)` calls what the call around was given, not what others give. */
function mayCall(call: number, callee: number, within: Context | undefined, graph: JoinedGraph): boolean {
  const via = graph.vias.get(call)
  if (via === undefined || within?.site === undefined || within.callee !== via.callee) return true
  const given = graph.calls[within.site]?.args[via.index] ?? graph.defaultsOf.get(via.callee)?.get(via.index)
  const functions = given === undefined ? undefined : graph.functionsAt.get(given)
  if (functions === undefined) return given === undefined || !graph.packagesAt.has(given)
  return functions.has(callee)
}

/** The sinks that were reached, each by the label that says most. Out of steps: those that were seen by then. */
function findArrivals(
  graph: JoinedGraph,
  facts: FactTable,
  contexts: readonly Entered[],
  { get, judging: { step }, telling }: Telling & { readonly get: (label: number) => Label },
): Solution {
  const origins = originsOfReceivers(graph, facts, get)
  const best = new Map<string, Arrival>()
  const see = (fact: number): void => {
    step()
    for (const { file, sink } of graph.sinksAt.get(facts.node(fact)) ?? []) {
      step()
      const label = get(facts.label(fact))
      const { receiver } = sink
      if (!isArrived(label, sink) || isHarmless(label, sink.fault) || isUnheeded(label, sink.fault)) continue
      if (!isInForm(label, sink.needs) || !countsStored(label, sink)) continue
      // a query is no text, though its rows hold some
      if (sink.needs === 'whole' && (label.origin === 'stored' || isOfRows(facts, fact, graph, step))) continue
      if (
        sink.of !== ownOrigin(label) ||
        (label.origin === 'unknown' && graph.realms[file] === 'server' && sink.ofUnknown !== true)
      )
        continue
      if (sink.unlessCalled !== undefined && graph.called.has((graph.bases[file] ?? 0) + sink.unlessCalled)) continue
      if (sink.isForwarded === true && isWithin(facts, fact, file, graph.bases, step)) continue
      if (receiver !== undefined && origins.get((graph.bases[file] ?? 0) + receiver.node)?.has(receiver.origin) !== true) continue
      // several may reach one decision
      const source = label.origin === 'claims' ? ` ${facts.node(firstOf(facts, fact, step))}` : ''
      const key = `${keyOf({ file, sink }, graph)}${source}`
      const before = best.get(key)
      if (before !== undefined && rank(before.sink, before.label) <= rank(sink, label)) continue
      const entry = get(facts.label(firstOf(facts, fact, step))).origin
      best.set(key, { file, sink, label, entry, path: () => pathTo(facts, fact, graph, contexts, telling.step) })
    }
  }
  const isSeen = withinSteps(() => {
    for (let fact = 0; fact < facts.size; fact++) see(fact)
  })
  let arrivals: readonly Arrival[] = [...best.values()]
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
      if (sink.receiver !== undefined) origins.set((graph.bases[file] ?? 0) + sink.receiver.node, new Set())
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
