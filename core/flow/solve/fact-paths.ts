import type { StepCounter } from '../../budget.ts'
import { NO_FACT, type FactTable } from './fact-table.ts'
import { fileAt, type Calling, type JoinedGraph } from '../app/joined-graph.ts'

/** A place on a path. */
export interface FlowPlace {
  /** -1: in no file. */
  readonly file: number
  readonly node: number
  /** It came here by a call, or back from one. */
  readonly crosses: boolean
  /** It became a part of a text here. */
  readonly joins?: true
  /** What code of the app shares, where it is kept. */
  readonly store?: string
}

/** It never was in another file. */
export function isWithin(
  facts: FactTable,
  fact: number,
  file: number,
  bases: readonly number[],
  step: StepCounter['step'],
): boolean {
  const [start, end] = [bases[file] ?? 0, bases[file + 1] ?? Number.POSITIVE_INFINITY]
  for (let here = fact; here !== NO_FACT; here = facts.from(here)) {
    step()
    if (facts.node(here) < start || facts.node(here) >= end) return false
  }
  return true
}

/** What a fact goes back to. */
export function firstOf(facts: FactTable, fact: number, step: StepCounter['step']): number {
  let here = fact
  while (facts.from(here) !== NO_FACT) {
    step()
    here = facts.from(here)
  }
  return here
}

/** A way in which a function was entered: pairs of a fact and the call that it is an argument of, in the order in which they were found. */
export interface Entered {
  readonly callers: readonly number[]
}

/** A function of which a path, read backwards, is inside. */
interface Inside {
  readonly context: number
  /** What it gave back there. */
  readonly result: number
}

/** Callers that are looked at for the one that a value came back to; a framework has thousands of one function. */
const MAX_CALLERS = 1000

/** A place of a path is made, and looked at again and again by those who tell it. */
const PLACE_STEPS = 4

/** From where it begins to a fact. What a function gives back to one caller came from that caller, though another one may have been first. */
export function pathTo(
  facts: FactTable,
  fact: number,
  graph: JoinedGraph,
  contexts: readonly Entered[],
  isInText: (label: number) => boolean,
  step: StepCounter['step'],
  chosen: Choices = new Map(),
): FlowPlace[] {
  const path: FlowPlace[] = []
  walk(fact, facts, graph, contexts, step, chosen, (here) => {
    const node = facts.node(here)
    const store = graph.stores.get(node)
    const file = store === undefined && node < graph.nodes ? fileAt(graph.bases, node) : -1
    const from = facts.from(here)
    const joins = from !== NO_FACT && isInText(facts.label(here)) && !isInText(facts.label(from))
    path.push({
      file,
      node: node - (graph.bases[file] ?? 0),
      crosses: facts.crosses(here),
      ...(joins && { joins }),
      ...(store !== undefined && { store }),
    })
  })
  return path.reverse()
}

/** By which of its callers a path comes into a function, for the fact at its parameter; by the first one where nothing is chosen. */
export type Choices = ReadonlyMap<number, number>

/** Ways to one fact that are told apart. */
const MAX_WAYS = 20

/** A way to a fact: the fact that it begins with, and the callers by which it comes into functions. */
export interface Way {
  readonly first: number
  readonly chosen: Choices
}

/** The ways to a fact by the callers of the functions on it, that of the first callers first. */
export function* waysTo(
  fact: number,
  facts: FactTable,
  graph: JoinedGraph,
  contexts: readonly Entered[],
  step: StepCounter['step'],
): Iterable<Way> {
  const ways: Choices[] = [new Map()]
  const tried = new Set<number>()
  for (const chosen of ways) {
    const entries: number[] = []
    let first = fact
    walk(fact, facts, graph, contexts, step, chosen, (here, isEntry) => {
      first = here
      if (isEntry && !chosen.has(here)) entries.push(here)
    })
    yield { first, chosen }
    for (const entry of entries) {
      const callers = contexts[facts.context(entry)]?.callers ?? []
      for (let at = 2; at < callers.length && ways.length < MAX_WAYS; at += 2) {
        step()
        const caller = callers[at] ?? NO_FACT
        if (caller === NO_FACT || tried.has(caller)) continue
        tried.add(caller)
        ways.push(new Map([...chosen, [entry, caller]]))
      }
    }
  }
}

/** From a fact back to where it begins. */
function walk(
  fact: number,
  facts: FactTable,
  graph: JoinedGraph,
  contexts: readonly Entered[],
  step: StepCounter['step'],
  chosen: Choices,
  visit: (here: number, isEntry: boolean) => void,
): void {
  // a function that calls itself is entered by a chosen caller once
  const used = new Set<number>()
  const inside: Inside[] = []
  let here = fact
  while (here !== NO_FACT) {
    step(PLACE_STEPS)
    const from = facts.from(here)
    const isEntry = facts.crosses(here) && contexts[facts.context(here)]?.callers[0] === from
    visit(here, isEntry && inside.length === 0)
    if (!facts.crosses(here)) here = from
    else if (!isEntry) {
      inside.push({ context: facts.context(from), result: here })
      here = from
    } else {
      const last = inside.pop()
      const caller: number | undefined = last === undefined && !used.has(here) ? chosen.get(here) : undefined
      used.add(here)
      if (last?.context === facts.context(here)) here = callerOf(last, facts, graph.calling, contexts, step) ?? from
      else here = caller ?? from
    }
  }
}

/** It was there before what came back to it, so that a path gets shorter with each. */
function callerOf(
  { context, result }: Inside,
  facts: FactTable,
  { calls }: Calling,
  contexts: readonly Entered[],
  step: StepCounter['step'],
): number | undefined {
  const callers = contexts[context]?.callers ?? []
  for (let at = 0; at < Math.min(callers.length, MAX_CALLERS * 2); at += 2) {
    step()
    const [fact = NO_FACT, call = NO_FACT] = callers.slice(at, at + 2)
    const to = calls[call]
    const node = facts.node(result)
    if (fact < result && facts.context(fact) === facts.context(result) && (to?.result === node || to?.receiver === node))
      return fact
  }
  return undefined
}

/** It was kept in rows of a table on its way. */
export function isOfRows(facts: FactTable, fact: number, graph: JoinedGraph, step: StepCounter['step']): boolean {
  for (let here = fact; here !== NO_FACT; here = facts.from(here)) {
    step()
    if (graph.stores.get(facts.node(here))?.startsWith('rows ') === true) return true
  }
  return false
}
