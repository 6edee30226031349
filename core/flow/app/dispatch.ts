import { withinSteps } from '../../budget.ts'
import { append } from '../../lists.ts'
import { outcomeNode, type AddCall, type JoinedGraph } from './joined-graph.ts'
import type { LinkedFile, LinkedFunction, Linker } from './links.ts'
import { createNodeThings } from './node-things.ts'
import { ANY_FIELD, CLEAN, COPY, FIELD, READ, WRITE, type FlowCall } from '../types.ts'

/** An app while its calls are added. */
interface OpenApp extends Pick<
  JoinedGraph,
  'bases' | 'edges' | 'names' | 'edgesFrom' | 'argumentsAt' | 'callersOf' | 'resultsAt' | 'calls'
> {
  readonly files: readonly LinkedFile[]
  readonly linker: Linker
  readonly addCall: AddCall
  readonly functionBases: readonly number[]
  readonly functionOf: JoinedGraph['functionOf']
  readonly defaultsOf: JoinedGraph['defaultsOf']
  readonly vias: Map<number, { readonly callee: number; readonly index: number }>
  readonly callsGiven: Set<number>
  readonly functionsAt: Map<number, ReadonlySet<number>>
}

/** What may be called: a function or the methods of an object, by where that was made, and the fields in which it lies. */
interface Thing {
  readonly callable: number
  readonly fields: readonly string[]
}

interface WaitingCall {
  readonly file: number
  readonly call: FlowCall
  readonly name: string
  /** Functions that it is known to run. */
  readonly known: Set<string>
}

/** Fields of fields in which functions are looked for. */
const MAX_FIELDS = 3

/** Where more than so many things arrive, nobody can tell which one is called: a file of many modules would be as many values at each place. */
const MAX_AT_NODE = 50

/**
 * Finds the calls of functions and methods that are known only by the values that arrive where they are called: what a service keeps in a field, what a factory
 * makes, callbacks that are handed over. Calls are not told apart here. False: the steps were used up.
 */
export function addDispatched(app: OpenApp, step: () => void): boolean {
  const { files, linker, bases, edges, names, edgesFrom, argumentsAt, callersOf, resultsAt, calls } = app
  const waiting = findWaiting(app)
  if (waiting.size === 0) return true
  const methodsOf: ((name: string) => readonly LinkedFunction[])[] = []
  const things: Thing[] = []
  const ids = new Map<string, number>()
  const known = createNodeThings(MAX_AT_NODE)

  const idOf = (callable: number, fields: readonly string[]): number => {
    const key = `${callable} ${fields.join('.')}`
    const id = ids.get(key) ?? things.push({ callable, fields }) - 1
    ids.set(key, id)
    return id
  }
  const reach = (node: number, id: number): void => {
    step()
    known.add(node, id)
  }
  const methodsRead = new Map<string, number>()
  /** `service.load` of an object: the function itself. */
  const readMethod = (callable: number, name: string): number | undefined => {
    const key = `${callable} ${name}`
    const before = methodsRead.get(key)
    if (before !== undefined) return before
    const functions = methodsOf[callable]?.(name) ?? []
    if (functions.length === 0) return undefined
    const index = methodsOf.push((method) => (method === '' ? functions : [])) - 1
    methodsRead.set(key, index)
    return index
  }
  const readFrom = ({ callable, fields }: Thing, name: string, to: number): void => {
    const [first, ...rest] = fields
    if (first === undefined) {
      const method = readMethod(callable, name)
      if (method !== undefined) reach(to, idOf(method, []))
    } else if (first === name || first === ANY_FIELD || name === ANY_FIELD) reach(to, idOf(callable, rest))
  }
  const follow = (node: number, id: number): void => {
    const thing = things[id]
    if (thing === undefined) return
    const last = edgesFrom.starts[node + 1] ?? 0
    for (let at = edgesFrom.starts[node] ?? 0; at < last; at++) {
      const edge = edgesFrom.items[at] ?? 0
      const to = edges[edge + 1] ?? 0
      const operation = edges[edge + 2] ?? 0
      if (operation === COPY || operation === CLEAN) reach(to, id)
      else if (operation === WRITE && thing.fields.length < MAX_FIELDS)
        reach(to, idOf(thing.callable, [names[edges[edge + 3] ?? 0] ?? '', ...thing.fields]))
      else if (operation === READ || operation === FIELD) readFrom(thing, names[edges[edge + 3] ?? 0] ?? '', to)
    }
    for (const { parameter } of argumentsAt.get(node) ?? []) reach(parameter, id)
    const outcome = resultsAt.get(node)
    for (const caller of outcome === undefined ? [] : (callersOf.get(outcome.callee) ?? [])) {
      const result = outcome && outcomeNode(calls[caller], outcome)
      if (result !== undefined) reach(result, id)
    }
  }
  const replay = (node: number): void => {
    for (const id of known.at(node)) follow(node, id)
  }
  const call = (node: number, { callable, fields }: Thing): void => {
    for (const { file, call, name, known: before } of waiting.get(node) ?? []) {
      const [field] = fields
      const isItself = fields.length === 0
      const isField = fields.length === 1 && name !== '' && (field === name || field === ANY_FIELD || name === ANY_FIELD)
      if (!isItself && !isField) continue
      const targets = (methodsOf[callable]?.(isItself ? name : '') ?? []).filter(({ file: at, index }) => {
        const key = `${at} ${index}`
        return !before.has(key) && before.add(key)
      })
      if (targets.length === 0) continue
      app.addCall(file, call, targets)
      addVia(file, call, app)
      // what was there before the call was known goes on by it
      const base = bases[file] ?? 0
      for (const argument of call.args) replay(base + argument)
      for (const { file: at, index } of targets) {
        const result = files[at]?.flow.functions[index]?.result
        if (result !== undefined) replay((bases[at] ?? 0) + result)
      }
    }
  }

  const isWhole = withinSteps(() => {
    for (const [file, { flow }] of files.entries())
      for (const object of flow.objects ?? []) {
        const callable = methodsOf.push((name) => linker.methodOf(file, object, name)) - 1
        reach((bases[file] ?? 0) + object.node, idOf(callable, []))
      }
    for (let at = 0; at < known.size; at++) {
      const [node, id] = [known.node(at), known.thing(at)]
      const thing = things[id]
      if (thing === undefined) continue
      call(node, thing)
      follow(node, id)
    }
  })
  const keepFunctions = (node: number): void => {
    const own = known.at(node)
    if (own.length === 0 || known.isFull(node) || app.functionsAt.has(node)) return
    app.functionsAt.set(node, new Set(own.flatMap((id) => functionsOf(things[id], methodsOf, app.functionBases))))
  }
  for (const callee of app.callsGiven) {
    for (const node of app.defaultsOf.get(callee)?.values() ?? []) keepFunctions(node)
    for (const caller of callersOf.get(callee) ?? []) for (const node of calls[caller]?.args ?? []) keepFunctions(node)
  }
  return isWhole
}

/** The functions that a thing is itself. */
function functionsOf(
  thing: Thing | undefined,
  methodsOf: readonly ((name: string) => readonly LinkedFunction[])[],
  bases: readonly number[],
): number[] {
  if (thing === undefined || thing.fields.length > 0) return []
  return (methodsOf[thing.callable]?.('') ?? []).map(({ file, index }) => (bases[file] ?? 0) + index)
}

/** Keeps which parameter the last call calls: what one caller gives is not called for another one. */
function addVia(file: number, { dispatch }: FlowCall, app: OpenApp): void {
  const { bases, files, functionBases, functionOf, vias, callsGiven, calls } = app
  if (dispatch?.via === undefined) return
  const callee = functionOf.get((bases[file] ?? 0) + dispatch.via)
  const own = callee === undefined ? undefined : files[file]?.flow.functions[callee - (functionBases[file] ?? 0)]
  const index = own?.parameters.indexOf(dispatch.via) ?? -1
  if (callee === undefined || index < 0) return
  vias.set(calls.length - 1, { callee, index })
  callsGiven.add(callee)
}

/** Calls of which the file does not say what they run, by the node of what is called. */
function findWaiting({ files, linker, bases }: OpenApp): ReadonlyMap<number, readonly WaitingCall[]> {
  const waiting = new Map<number, WaitingCall[]>()
  for (const [file, { flow }] of files.entries())
    for (const call of flow.calls) {
      if (call.dispatch === undefined || linker.called(file, call).length > 0) continue
      const { node, name } = call.dispatch
      append(waiting, (bases[file] ?? 0) + node, { file, call, name, known: new Set() })
    }
  return waiting
}
