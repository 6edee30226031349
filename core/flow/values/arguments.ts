import { findFirst } from '../../lists.ts'
import { functionOfThis, functionOf } from '../../facts/callbacks.ts'
import { resolveValue, type CallValue, type Value, accessesOf, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { ANY_FIELD, READ, WRITE, type Realm } from '../types.ts'
import type { GraphBuilder } from '../graph/builder.ts'

/** The nodes of an argument: of a list that is spread those of its items. */
export function argumentNodes(argument: Value, { graph, use }: FlowDraft): readonly number[] {
  const node = use(argument)
  return argument.kind === 'spread' ? spreadItems(argument, node, graph) : [node]
}

/** Whether a function is called by its methods `call` and `apply`; what else is called so is a method of the app. */
export function isIndirectCall({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member' || isThis(callee.object)) return false
  const isOfFunction = callee.name === 'call' || (callee.name === 'apply' && args.length === 2)
  return isOfFunction && (isThis(args[0]) || !isWholeModule(callee.object))
}

function isThis(value: Value | undefined): boolean {
  return value?.kind === 'this'
}

/** `http` of `http.call('/rates')`: a module of the project may have a method of that name. What is given `this` first is a function. */
export function isWholeModule(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => OWN_MODULE.test(root) && steps.length === 0)
}

/** By a path, or by the namespace of an app of UI5. */
const OWN_MODULE = /^(?:module:)?(?:\.{1,2}|(?!sap\/|jquery\/)[\w.-]{1,100})\//

/** The arguments of `run.apply(this, [a, b])`, of `run.apply(this, list)` and `run.apply(this, arguments)`. */
export function appliedArguments({ args: [, list], function: within }: CallValue, draft: FlowDraft): readonly number[] {
  if (list === undefined) return []
  const here = resolveValue(list)
  if (here.kind === 'array') return here.items.flatMap((item) => argumentNodes(item, draft))
  if (here.kind !== 'reference' || here.name !== 'arguments' || here.binding !== undefined)
    return spreadItems(list, draft.use(list), draft.graph)
  const fact = functionOfThis(within)
  return fact.parameters.flatMap((_, index) => draft.parameters.nodeOf(fact, index) ?? [])
}

/** How many of its arguments, from the first one on, a call gives in another form. */
export function countPassed(call: CallValue, paths: readonly string[]): number {
  if (isMadeByFunction(call, paths)) return 0
  return isBasedOnPage(call, paths) ? 1 : Infinity
}

/** `new URL(path, location.href)`: of the own address the host alone counts. */
function isBasedOnPage({ args: [, base] }: CallValue, paths: readonly string[]): boolean {
  return (
    base !== undefined &&
    paths.includes('global:URL new') &&
    accessesOf(base).some(({ root, steps }) => OWN_ADDRESS.test([root, ...steps].join(' ')))
  )
}

const OWN_ADDRESS =
  /^global:(?:(?:window|document|self|globalThis) )*(?:location(?: (?:href|origin))?|document (?:baseURI|URL)|baseURI)$/

/** `Array.from(text, (character) => …)`: what the function gives, and nothing else. */
function isMadeByFunction({ args: [, given] }: CallValue, paths: readonly string[]): boolean {
  return given !== undefined && functionOf(given) !== undefined && paths.includes('global:Array from')
}

/** Arguments of a rest parameter, and items of a list that is spread, that are told apart by their places. */
const PLACES = 4

/** The nodes of a function's parameters, as callers fill them. */
interface ParameterNodes {
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
function spreadItems(value: Value, list: number, graph: GraphBuilder): readonly number[] {
  return Array.from({ length: PLACES }, (_, at) => spreadItem(value, list, at, graph))
}

/** `send('GET', ...args)`: the item that comes to the place of an argument. */
export function spreadItem(value: Value, list: number, at: number, graph: GraphBuilder): number {
  return graph.derive(list, value, READ, String(at))
}

/** Where the text reads `arguments`. */
function readsOfArguments(text: string, realm: Realm): readonly number[] {
  const blanks = (handed: string): string => ' '.repeat(handed.length)
  const read = realm === 'server' ? text : text.replaceAll(HANDED_ON, blanks)
  return [...read.matchAll(ARGUMENTS)].map(({ index }) => index)
}

const ARGUMENTS = /\barguments\b/g
/** What overrides a method hands on all that it gets, which of a page is known without a list. */
const HANDED_ON = /\.apply\(\w{1,20}, ?arguments\)/g

/** The functions that read `arguments`, by a look at their text: `function join() { return [].slice.call(arguments) }`. */
export function readersOfArguments({ functions, globals }: ScriptFacts, text: string, realm: Realm): ReadonlySet<FunctionFact> {
  if (!globals.has('arguments')) return new Set()
  const reads = readsOfArguments(text, realm)
  return new Set(
    functions.filter(({ kind, rest, start, end }) => {
      if (kind === 'file' || kind === 'arrow' || rest !== undefined) return false
      const first = reads[findFirst(reads.length, (index) => (reads[index] ?? 0) >= start)]
      return first !== undefined && first < end
    }),
  )
}
