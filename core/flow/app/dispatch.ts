import { withinSteps } from '../../budget.ts'
import { append } from '../../lists.ts'
import {
  createFollowedEdges,
  type OwnMembers,
  createFollowedThings,
  type Arrival,
  type FollowedThings,
  type InFields,
} from './followed-things.ts'
import type { JoinedEdges } from './joined-edges.ts'
import { outcomeNode, type AddCall, type Calling } from './joined-graph.ts'
import type { LinkedFile, LinkedFunction, Linker } from './links.ts'
import { isSameField } from '../places.ts'
import type { FlowCall } from '../types.ts'

/** An app while its calls are added. */
interface OpenApp
  extends JoinedEdges, Pick<Calling, 'argumentsAt' | 'callersOf' | 'resultsAt' | 'calls' | 'functionOf' | 'defaultsOf'> {
  readonly bases: readonly number[]
  readonly files: readonly LinkedFile[]
  readonly linker: Linker
  readonly addCall: AddCall
  readonly functionBases: readonly number[]
  readonly vias: Map<number, { readonly callee: number; readonly index: number }>
  readonly callsGiven: Set<number>
  readonly functionsAt: Map<number, ReadonlySet<number>>
}

/** What may be called: a function or the methods of an object, by where that was made. */
interface Thing extends InFields {
  readonly callable: number
}

interface WaitingCall {
  readonly file: number
  readonly call: FlowCall
  readonly name: string
  /** Functions that it is known to run. */
  readonly known: Set<string>
}

/** Where more than so many things arrive, nobody can tell which one is called: a file of many modules would be as many values at each place. */
const MAX_AT_NODE = 50

/** Functions by the name of the method that is called; '' is what is called itself. */
type Methods = (name: string) => readonly LinkedFunction[]

function keyOf({ callable, fields }: Thing): string {
  return [callable, ...fields].join('\n')
}

/**
 * Finds the calls of functions and methods that are known only by the values that arrive where they are called: what a service keeps in a field, what a factory
 * makes, callbacks that are handed over. Calls are not told apart here. False: the steps were used up.
 */
export function addDispatched(app: OpenApp, step: () => void): boolean {
  const waiting = findWaiting(app)
  if (waiting.size === 0) return true
  const methodsOf: Methods[] = []
  const followed = createFollowedThings(keyOf, MAX_AT_NODE, step)
  const followEdges = createFollowedEdges(app, followed, { read: createMethodReader(methodsOf, followed) })
  const follow = (arrival: Arrival<Thing>): void => {
    followEdges(arrival)
    followCalls(arrival, app, followed)
  }
  const isWhole = withinSteps(() => {
    begin(app, methodsOf, followed)
    for (let arrival = followed.next(); arrival !== undefined; arrival = followed.next()) {
      for (const call of waiting.get(arrival.node) ?? [])
        for (const node of addRun(call, arrival.thing, methodsOf, app))
          // what was there before the call was known goes on by it
          for (const id of followed.known.at(node)) {
            const thing = followed.things[id]
            if (thing !== undefined) follow({ node, id, thing })
          }
      follow(arrival)
    }
  })
  keepFunctions(app, methodsOf, followed)
  return isWhole
}

/** What files tell to be callable where it arrives. */
function begin({ files, bases, linker }: OpenApp, methodsOf: Methods[], { reach }: FollowedThings<Thing>): void {
  for (const [file, { flow }] of files.entries())
    for (const object of flow.objects ?? []) {
      const callable = methodsOf.push((name) => linker.methodOf(file, object, name)) - 1
      reach((bases[file] ?? 0) + object.node, { callable, fields: [] })
    }
}

/** `service.load` of an object: the function itself. */
function createMethodReader(methodsOf: Methods[], { reach }: FollowedThings<Thing>): OwnMembers<Thing>['read'] {
  const known = new Map<string, number>()
  return ({ thing: { callable }, name, to }) => {
    const key = `${callable} ${name}`
    const functions = known.has(key) ? [] : (methodsOf[callable]?.(name) ?? [])
    if (functions.length > 0) known.set(key, methodsOf.push((method) => (method === '' ? functions : [])) - 1)
    const read = known.get(key)
    if (read !== undefined) reach(to, { callable: read, fields: [] })
  }
}

/** Into functions that are given it, and out of those that give it. */
function followCalls(
  { node, id }: Arrival<Thing>,
  { argumentsAt, resultsAt, callersOf, calls }: OpenApp,
  { pass }: FollowedThings<Thing>,
): void {
  for (const { parameter } of argumentsAt.get(node) ?? []) pass(parameter, id)
  const outcome = resultsAt.get(node)
  for (const caller of outcome === undefined ? [] : (callersOf.get(outcome.callee) ?? [])) {
    const result = outcome && outcomeNode(calls[caller], outcome)
    if (result !== undefined) pass(result, id)
  }
}

/** Adds a call of what arrived. Gives the nodes by which things come into the functions that it runs, and out of them. */
function addRun(
  { file, call, name, known }: WaitingCall,
  { callable, fields }: Thing,
  methodsOf: readonly Methods[],
  app: OpenApp,
): readonly number[] {
  const { files, bases } = app
  const [field, ...deeper] = fields
  const isField = field !== undefined && deeper.length === 0 && name !== '' && isSameField(field, name)
  if (field !== undefined && !isField) return []
  const targets = (methodsOf[callable]?.(isField ? '' : name) ?? []).filter(({ file: at, index }) => {
    const key = `${at} ${index}`
    return !known.has(key) && known.add(key)
  })
  if (targets.length === 0) return []
  app.addCall(file, call, targets)
  addVia(file, call, app)
  const results = targets.flatMap(({ file: at, index }) => {
    const result = files[at]?.flow.functions[index]?.result
    return result === undefined ? [] : (bases[at] ?? 0) + result
  })
  return [...call.args.map((argument) => (bases[file] ?? 0) + argument), ...results]
}

/** Keeps the functions that are handed to others which call them. */
function keepFunctions(
  { callsGiven, defaultsOf, callersOf, calls, functionsAt, functionBases }: OpenApp,
  methodsOf: readonly Methods[],
  { known, at }: FollowedThings<Thing>,
): void {
  const keep = (node: number): void => {
    const own = at(node)
    if (own.length === 0 || known.isFull(node) || functionsAt.has(node)) return
    functionsAt.set(node, new Set(own.flatMap((thing) => functionsOf(thing, methodsOf, functionBases))))
  }
  for (const callee of callsGiven) {
    for (const node of defaultsOf.get(callee)?.values() ?? []) keep(node)
    for (const caller of callersOf.get(callee) ?? []) for (const node of calls[caller]?.args ?? []) keep(node)
  }
}

/** The functions that a thing is itself. */
function functionsOf({ callable, fields }: Thing, methodsOf: readonly Methods[], bases: readonly number[]): number[] {
  if (fields.length > 0) return []
  return (methodsOf[callable]?.('') ?? []).map(({ file, index }) => (bases[file] ?? 0) + index)
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
