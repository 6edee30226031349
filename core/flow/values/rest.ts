import type { FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { ANY_FIELD, READ, WRITE, type Realm } from '../types.ts'
import type { GraphBuilder } from '../graph/builder.ts'

/** Arguments of a rest parameter, and items of a list that is spread, that are told apart by their places. */
const PLACES = 4

/** The nodes of a function's parameters, as callers fill them. */
export interface ParameterNodes {
  readonly nodes: readonly number[]
  /** The list that a rest parameter is; behind its first arguments, each of which is an item by its place, one node stands for all others. */
  readonly list: number | undefined
  /** `arguments`, where the function reads that: its items are the parameters, and what else a call gives. */
  readonly all?: number
}

/** `(query, ...args) => run(...args)`: what comes first stays first. */
export function addParameters({ parameters, start, rest }: FunctionFact, graph: GraphBuilder, readsAll: boolean): ParameterNodes {
  const nodes = parameters.map((binding) => graph.add(binding ?? { start, end: start }))
  const list = rest === undefined ? undefined : nodes[rest]
  if (readsAll) {
    while (nodes.length < PLACES) nodes.push(graph.add({ start, end: start }))
    const all = graph.add({ start, end: start })
    for (const [at, node] of nodes.entries()) graph.connect(node, all, WRITE, String(at))
    return { nodes, list: undefined, all }
  }
  if (rest === undefined || list === undefined) return { nodes, list: undefined }
  const place = parameters[rest] ?? { start, end: start }
  const items = Array.from({ length: PLACES + 1 }, (_, at) => {
    const item = graph.add(place)
    graph.connect(item, list, WRITE, at < PLACES ? String(at) : ANY_FIELD)
    return item
  })
  return { nodes: [...nodes.slice(0, rest), ...items], list }
}

/** The place of the node that gets all further arguments. */
export function lastPlaceOf({ rest }: FunctionFact): number | undefined {
  return rest === undefined ? undefined : rest + PLACES
}

/** The items of a list that is spread into the arguments of a call. */
export function spreadItems(value: Value, list: number, graph: GraphBuilder): readonly number[] {
  return Array.from({ length: PLACES }, (_, at) => spreadItem(value, list, at, graph))
}

/** `send('GET', ...args)`: the item that comes to the place of an argument. */
export function spreadItem(value: Value, list: number, at: number, graph: GraphBuilder): number {
  const item = graph.add(value)
  graph.connect(list, item, READ, String(at))
  return item
}

function readsArguments(text: string, realm: Realm): boolean {
  return ARGUMENTS.test(text) && (realm === 'server' || ARGUMENTS.test(text.replaceAll(HANDED_ON, '')))
}

const ARGUMENTS = /\barguments\b/
/** What overrides a method hands on all that it gets, which of a page is known without a list. */
const HANDED_ON = /\.apply\(\w{1,20}, ?arguments\)/g

/** The functions that read `arguments`, by a look at their text: `function join() { return [].slice.call(arguments) }`. */
export function readersOfArguments({ functions, globals }: ScriptFacts, text: string, realm: Realm): ReadonlySet<FunctionFact> {
  if (!globals.has('arguments')) return new Set()
  return new Set(
    functions.filter(
      ({ kind, rest, start, end }) =>
        kind !== 'file' && kind !== 'arrow' && rest === undefined && readsArguments(text.slice(start, end), realm),
    ),
  )
}
