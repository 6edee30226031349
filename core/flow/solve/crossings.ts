import {
  isOfCode,
  isWrittenIn,
  outcomeNode,
  RESULT_ARGUMENT,
  type Calling,
  type FunctionBounds,
  type Outcome,
} from '../app/joined-graph.ts'
import { RESULT } from '../places.ts'
import { WRITE } from '../types.ts'
import type { FactTable } from './fact-table.ts'
import type { Entered } from './fact-paths.ts'
import { MAX_LABELS, type LabelTable } from './label-table.ts'
import type { Reach } from './tabulate.ts'

/** A function as it is entered with one label at one parameter; callers wait here for what comes back. */
interface Context {
  readonly callee: number
  /** The classes of the object whose method it is, where that tells which methods run. */
  readonly classes: string | undefined
  /** The call, where the function calls functions that it is given: others give it others. */
  readonly site: number | undefined
  /** Pairs of a fact and the call that it is an argument of. */
  readonly callers: number[]
  readonly bounds?: FunctionBounds | undefined
  /** Made when there is one: of ten thousand contexts most give nothing back. */
  results?: { readonly fact: number; readonly outcome: Outcome }[]
  /** What it put into the object whose method it is. */
  changes?: number[]
}

/** How labels come into functions and out of them again, so that calls of one function do not mix. */
export interface Crossings {
  /** Functions as they were entered; the first one stands for none. */
  readonly contexts: readonly Entered[]
  /** Where a value is that an edge brings to a node: what a function puts into a field, a model, a variable around it is there whoever called. */
  outside(context: number, node: number): number
  enter(fact: number, call: number, callee: number, parameter: number): void
  /** `outcome`: undefined for what a method puts into its object. What begins inside a function returns to all its callers. */
  leave(fact: number, callee: number, outcome: Outcome | undefined): void
}

export function createCrossings(calling: Calling, facts: FactTable, labels: LabelTable, reach: Reach): Crossings {
  const contexts: Context[] = [{ callee: -1, classes: undefined, site: undefined, callers: [] }]
  const indexes = new Map<number | string, number>()

  /** Where a call takes what comes out of its function. */
  const nodeOf = (call: number, outcome: Outcome | undefined): number | undefined =>
    outcome === undefined ? calling.calls[call]?.receiver : outcomeNode(calling.calls[call], outcome)
  const giveBack = (into: number, call: number, back: number, outcome: Outcome | undefined): void => {
    const node = nodeOf(call, outcome)
    if (node !== undefined) reach(into, node, facts.label(back), back, true)
  }

  const enter: Crossings['enter'] = (fact, call, callee, parameter) => {
    const from = facts.context(fact)
    const around = contexts[from]
    if (!mayCall(call, callee, around, calling)) return
    const { methods } = calling
    const joined = calling.calls[call]
    const classes = methods?.classesOf(joined, callee, around?.classes)
    if (classes !== undefined && joined?.isSuper !== true && methods?.runs(classes, callee) === false) return
    const label = facts.label(fact)
    const site = calling.callsGiven.has(callee) ? call : undefined
    const entry = parameter * MAX_LABELS + label
    const key = site === undefined && classes === undefined ? entry : `${entry} ${site} ${classes}`
    const index = indexes.get(key) ?? contexts.push({ callee, classes, site, callers: [], bounds: calling.boundsOf(callee) }) - 1
    indexes.set(key, index)
    const context = contexts[index]
    context?.callers.push(fact, call)
    reach(index, parameter, label, fact, true)
    for (const { fact: back, outcome } of context?.results ?? []) giveBack(from, call, back, outcome)
    for (const back of context?.changes ?? []) giveBack(from, call, back, undefined)
  }

  const leave: Crossings['leave'] = (fact, callee, outcome) => {
    const index = facts.context(fact)
    const context = contexts[index]
    if (context !== undefined && context.callee === callee) {
      const { callers } = context
      if (outcome !== undefined) (context.results ??= []).push({ fact, outcome })
      else (context.changes ??= []).push(fact)
      for (let at = 0; at < callers.length; at += 2)
        giveBack(facts.context(callers[at] ?? 0), callers[at + 1] ?? -1, fact, outcome)
      return
    }
    const values = calling.valuesOf.get(callee)
    const around = context?.bounds
    const own = values === undefined || outcome?.argument !== RESULT_ARGUMENT ? undefined : calling.boundsOf(callee)
    const isOfAround = around !== undefined && own !== undefined && isWrittenIn(around, own)
    // it is of the function around: what that hands out gives it, and calls inside of it
    if (isOfAround) for (const value of values ?? []) reach(index, value, labels.step(facts.label(fact), WRITE, RESULT), fact)
    // it began here, or in a function around: it goes back to whoever calls
    for (const call of calling.callersOf.get(callee) ?? []) {
      const node = nodeOf(call, outcome)
      const isGiven = node !== undefined && (!isOfAround || isOfCode(around, node))
      if (isGiven) reach(index, node, facts.label(fact), fact, true)
    }
  }
  return { contexts, outside: createHomes(contexts, calling), enter, leave }
}

/** `run(x)` in `function each(list, run)` calls what the call around was given, not what others give. */
function mayCall(call: number, callee: number, within: Context | undefined, calling: Calling): boolean {
  const via = calling.vias.get(call)
  if (via === undefined || within?.site === undefined || within.callee !== via.callee) return true
  const given = calling.calls[within.site]?.args[via.index] ?? calling.defaultsOf.get(via.callee)?.get(via.index)
  const functions = given === undefined ? undefined : calling.functionsAt.get(given)
  if (functions === undefined) return given === undefined || !calling.packagesAt.has(given)
  return functions.has(callee)
}

/** Of what leaves the code of a function no call tells anything. */
function createHomes(contexts: Context[], calling: Calling): Crossings['outside'] {
  const homes = new Map<string, number>()
  return (index, node) => {
    const { callee = -1, classes, bounds } = contexts[index] ?? {}
    if (bounds === undefined || isOfCode(bounds, node)) return index
    if (calling.selvesAt.get(node) === callee || calling.resultsAt.get(node)?.callee === callee) return index
    if (classes === undefined) return 0
    // objects of its classes still run their methods
    const home = homes.get(classes) ?? contexts.push({ callee: -1, classes, site: undefined, callers: [] }) - 1
    homes.set(classes, home)
    return home
  }
}
