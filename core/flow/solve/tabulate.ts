import { StopSignal, withinSteps } from '../../budget.ts'
import type { JoinedGraph } from '../app/joined-graph.ts'
import type { RequestTypes } from '../types.ts'
import { createCrossings, type Crossings } from './crossings.ts'
import { createFactTable, NO_FACT, type FactTable } from './fact-table.ts'
import type { Entered } from './fact-paths.ts'
import type { SlicedGraph } from './slice.ts'
import { MAX_LABELS, type LabelTable } from './label-table.ts'
import type { Label } from './labels.ts'

/** What arrives where, and in which functions as they were entered; `isWhole` is false where the steps were used up. */
export interface Tabulation {
  readonly facts: FactTable
  readonly contexts: readonly Entered[]
  readonly isWhole: boolean
}

/** Makes a fact: a label at a node, in a function as it was entered, with the fact that it came from. `undefined` is no label. */
export type Reach = (context: number, node: number, label: number | undefined, from: number, crosses?: boolean) => void

type Source = JoinedGraph['sources'][number]

/** Moves labels along the edges of an app that lead to sinks, from sources until nothing new arrives: by label and node for each way in which a function is entered. */
export function tabulate(graph: SlicedGraph, sources: readonly Source[], labels: LabelTable, step: () => void): Tabulation {
  const facts = createFactTable()
  const reach: Reach = (context, node, label, from, crosses = false) => {
    step()
    if (label === undefined || !graph.slice.has(node)) return
    if (label >= MAX_LABELS) throw new StopSignal('steps')
    const bare = labels.bare(label)
    if (bare !== undefined && facts.has(context, node, bare)) return
    facts.add(context, node, label, from, crosses)
  }
  const crossings = createCrossings(graph.calling, facts, labels, reach)
  const seeksCaller = asksForCaller(graph)
  const isWhole = withinSteps(() => {
    for (const source of sources)
      for (const label of labelsOf(source, seeksCaller)) reach(0, source.node, labels.of(label), NO_FACT)
    for (let fact = 0; fact < facts.size; fact++) {
      follow(fact, facts, graph, labels, { outside: crossings.outside, reach })
      cross(fact, facts, graph, labels, crossings)
    }
  })
  return { facts, contexts: crossings.contexts, isWhole }
}

/** What a source begins with. */
function labelsOf({ origin, weak, cleaned = [], payload, checked }: Source, seeksCaller: boolean): readonly Label[] {
  const types = checked === undefined ? payload : withChecked(payload, checked)
  const label: Label = { origin, fields: [], cleaned, concatenated: false, logged: false, weak }
  const data = payload?.data
  // what it holds of credentials, and the user
  const caller: readonly Label[] =
    seeksCaller && (origin === 'cap-request' || origin === 'http-request') ? [{ ...label, origin: 'exchange' }] : []
  if (origin === 'stored' || origin === 'personal' || origin === 'request')
    return [...caller, { ...label, ...(data !== undefined && { type: data }) }]
  // it is the place that decodes claims which is reported: those of each have a label of their own
  if (origin === 'claims') return [...caller, { ...label, types: { data: undefined, params: undefined } }]
  return [...caller, { ...label, ...(types !== undefined && { types }) }]
}

function follow(
  fact: number,
  facts: FactTable,
  { edges, names, slice: { edgesFrom } }: SlicedGraph,
  labels: LabelTable,
  { outside, reach }: Pick<Crossings, 'outside'> & { readonly reach: Reach },
): void {
  const context = facts.context(fact)
  const node = facts.node(fact)
  const label = facts.label(fact)
  const last = edgesFrom.starts[node + 1] ?? 0
  for (let at = edgesFrom.starts[node] ?? 0; at < last; at++) {
    const edge = edgesFrom.items[at] ?? 0
    const name = names[edges[edge + 3] ?? 0] ?? ''
    const to = edges[edge + 1] ?? 0
    reach(outside(context, to), to, labels.step(label, edges[edge + 2] ?? 0, name), fact)
  }
}

/** Into functions that are given it, and out of those that give it. */
function cross(
  fact: number,
  facts: FactTable,
  { calling, slice }: SlicedGraph,
  labels: LabelTable,
  { enter, leave }: Crossings,
): void {
  const node = facts.node(fact)
  for (const { call, callee, parameter } of calling.argumentsAt.get(node) ?? [])
    if (slice.has(parameter)) enter(fact, call, callee, parameter)
  const outcome = calling.resultsAt.get(node)
  if (outcome !== undefined) leave(fact, outcome.callee, outcome)
  const method = calling.selvesAt.get(node)
  if (method !== undefined && labels.get(facts.label(fact)).fields.length > 0) leave(fact, method, undefined)
}

/** Whether anything must not get credentials, which requests hold, or is done with the user of the request. */
function asksForCaller({ sinksAt }: JoinedGraph): boolean {
  for (const sinks of sinksAt.values())
    if (sinks.some(({ sink }) => sink.of === 'credential' || sink.only?.receiver?.origin === 'caller')) return true
  return false
}

/** What was checked is as harmless as what the model gives no text. */
function withChecked(payload: RequestTypes | undefined, checked: readonly string[]): RequestTypes {
  const fields = new Map(payload?.data?.fields ?? [])
  for (const name of checked) fields.set(name, { isText: false, fields: undefined })
  return { data: { isText: true, fields }, params: payload?.params }
}
