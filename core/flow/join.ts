import type { CallGraph } from './call-graph.ts'
import { linkCallables } from './callables.ts'
import { addDispatched } from './dispatch.ts'
import { connectMade, toOpenGraph } from './open-graph.ts'
import { addLinks, connectObjects } from './call-links.ts'
import { createEdges, type Connect, type JoinedEdges } from './joined-edges.ts'
import { createLinker, type LinkedClass, type LinkedFile, type LinkedFunction, type Linker } from './links.ts'
import { connectRouters, createRouteJudge, type RouteJudge } from './route-sinks.ts'
import { connectStores } from './store-edges.ts'
import { COPY, type FlowCall, type FlowSink, type FlowSource, type Realm } from './types.ts'

/** What a function gives back: its result, or what it puts into an argument. */
export interface Outcome {
  readonly callee: number
  /** The position of the argument; -1 for the result. */
  readonly argument: number
}

/** Where a call gives an outcome. */
export function outcomeNode(call: JoinedCall | undefined, { argument }: Outcome): number | undefined {
  return argument < 0 ? call?.result : call?.filled?.get(argument)
}

/** The files of an app as one graph: the nodes of a file begin where those of the one before end. */
export interface JoinedGraph extends JoinedEdges {
  readonly bases: readonly number[]
  /** Nodes of files; behind them come those of what the app shares. */
  readonly nodes: number
  /** What the app shares, by node. */
  readonly stores: ReadonlyMap<number, string>
  readonly sources: readonly FlowSource[]
  readonly sinksAt: ReadonlyMap<number, readonly { readonly file: number; readonly sink: FlowSink }[]>
  readonly calls: readonly JoinedCall[]
  /** Calls of what a function was given, by the function and the position of its parameter. */
  readonly vias: ReadonlyMap<number, { readonly callee: number; readonly index: number }>
  /** Functions that call what they are given. */
  readonly callsGiven: ReadonlySet<number>
  /** By the node of a value: the functions that it may be. */
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
  /** By the node of the object that a method is called with: the method, where each object has values of its own. */
  readonly selvesAt: ReadonlyMap<number, number>
  /** By the node of an argument: the parameter that it fills. */
  readonly argumentsAt: ReadonlyMap<number, readonly Filled[]>
  /** By the node of a result, or of what a function puts into an object that it is given: the function. */
  readonly resultsAt: ReadonlyMap<number, Outcome>
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  /** By file. */
  readonly realms: readonly Realm[]
  /** Results of calls that run a function of the project. */
  readonly called: ReadonlySet<number>
  /** By node: whether nothing in the app tells its value; a parameter is one only where nobody fills it. */
  readonly isUnresolved: Uint8Array
  readonly isParameter: Uint8Array
  /** By the node of a parameter: its function. */
  readonly functionOf: ReadonlyMap<number, number>
  /** False: the steps were used up before all calls were known. */
  readonly isWhole: boolean
}

export interface JoinedCall {
  readonly result: number
  readonly args: readonly number[]
  readonly receiver: number | undefined
  /** By the position of an argument: the node of what is put into it. */
  readonly filled?: ReadonlyMap<number, number>
}

export interface Filled {
  readonly call: number
  readonly callee: number
  readonly parameter: number
}

/** Where the nodes and the functions of each file begin among those of the app. */
export interface Bases {
  readonly nodes: readonly number[]
  readonly functions: readonly number[]
  readonly end: number
}

export function joinFiles(files: readonly LinkedFile[], step: () => void): JoinedGraph {
  const bases = basesOf(files)
  const linker = createLinker(files)
  const edges = createEdges()
  for (const [file, { flow }] of files.entries()) edges.addFile(flow, bases.nodes[file] ?? 0)
  connectClasses(files, bases.nodes, linker, edges.add)
  connectMade(files, bases.nodes, linker, edges.add)
  const { stores, end } = connectStores(files, { bases: bases.nodes, nodes: bases.end, linker }, edges.add)
  const { filled, isUnresolved, addCall, ...calls } = joinCalls(files, bases, linker)
  const { calls: joined, argumentsAt, callersOf } = calls
  const first = edges.finish(end, new Set())
  const found = linkCallables({ files, bases: bases.nodes, functionBases: bases.functions, ...first }, step)
  const given = addLinks({ files, bases, calls: joined, argumentsAt, callersOf, filled }, found)
  for (const [from, to] of found.copies) edges.add(from, to, COPY, '')
  const { selvesAt, cut } = connectObjects({ files, bases, calls: joined, argumentsAt, callersOf, filled }, found)
  const hasRouters = connectRouters({ files, bases, calls: joined, callersOf }, edges.add)
  const judge = createRouteJudge(files, bases, found)
  for (const node of judge.closedMounts) cut.add(node)
  const finished = hasRouters || found.copies.length > 0 || cut.size > 0 ? edges.finish(end, cut) : first
  const functions = joinFunctions(files, bases)
  const open = toOpenGraph({ bases: bases.nodes, ...finished, ...functions, ...calls, addCall })
  const isWhole = addDispatched(files, linker, open, step) && found.isWhole
  return {
    bases: bases.nodes,
    nodes: bases.end,
    stores,
    isWhole,
    ...finished,
    ...calls,
    ...given,
    selvesAt,
    functionsAt: found.functionsAt,
    ...functions,
    sources: joinSources(files, bases.nodes, filled, found),
    sinksAt: joinSinks(files, bases.nodes, found, judge),
    called: new Set(joined.map(({ result }) => result)),
    realms: files.map(({ flow }) => flow.realm),
    isUnresolved,
  }
}

function basesOf(files: readonly LinkedFile[]): Bases {
  const nodes: number[] = []
  const functions: number[] = []
  let end = 0
  let functionsEnd = 0
  for (const { flow } of files) {
    nodes.push(end)
    functions.push(functionsEnd)
    end += flow.nodes.length / 2
    functionsEnd += flow.functions.length
  }
  return { nodes, functions, end }
}

/** Calls while they are joined. */
export interface OpenCalls {
  readonly calls: JoinedCall[]
  readonly argumentsAt: Map<number, Filled[]>
  readonly callersOf: Map<number, number[]>
  /** Parameters that calls fill. */
  readonly filled: Set<number>
}

export type AddCall = (file: number, call: FlowCall, targets: readonly LinkedFunction[]) => void

/** Which functions calls run, and what they hand them. */
function joinCalls(
  files: readonly LinkedFile[],
  bases: Bases,
  linker: Linker,
): OpenCalls & Pick<JoinedGraph, 'isUnresolved'> & { readonly addCall: AddCall } {
  const calls: JoinedCall[] = []
  const argumentsAt = new Map<number, Filled[]>()
  const callersOf = new Map<number, number[]>()
  const filled = new Set<number>()
  const isUnresolved = new Uint8Array(bases.end)
  const addTarget = (call: FlowCall, base: number, index: number, target: LinkedFunction): void => {
    const callee = (bases.functions[target.file] ?? 0) + target.index
    append(callersOf, callee, index)
    const { parameters = [], rest = Infinity } = files[target.file]?.flow.functions[target.index] ?? {}
    for (const [position, argument] of call.args.entries()) {
      const own = parameters[Math.min(position, rest)]
      if (own === undefined) continue
      const parameter = (bases.nodes[target.file] ?? 0) + own
      filled.add(parameter)
      append(argumentsAt, base + argument, { call: index, callee, parameter })
    }
  }
  const addCall: AddCall = (file, call, targets) => {
    if (targets.length === 0) return
    const base = bases.nodes[file] ?? 0
    isUnresolved[base + call.result] = 0
    const index = calls.push(toJoined(call, base)) - 1
    for (const target of targets) addTarget(call, base, index, target)
  }
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const node of flow.unresolved) isUnresolved[base + node] = 1
    for (const call of flow.calls) addCall(file, call, linker.called(file, call))
  }
  return { calls, argumentsAt, callersOf, isUnresolved, filled, addCall }
}

function toJoined({ result, args, receiver, filled }: FlowCall, base: number): JoinedCall {
  return {
    result: base + result,
    args: args.map((node) => base + node),
    receiver: receiver === undefined ? undefined : base + receiver,
    ...(filled !== undefined && { filled: new Map(filled.map(([argument, node]) => [argument, base + node])) }),
  }
}

function joinFunctions(
  files: readonly LinkedFile[],
  bases: Bases,
): Pick<JoinedGraph, 'resultsAt' | 'isParameter' | 'functionOf'> {
  const resultsAt = new Map<number, Outcome>()
  const functionOf = new Map<number, number>()
  const isParameter = new Uint8Array(bases.end)
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const [index, { result, parameters, filled = [] }] of flow.functions.entries()) {
      const callee = (bases.functions[file] ?? 0) + index
      resultsAt.set(base + result, { callee, argument: -1 })
      for (const [argument, node] of filled) resultsAt.set(base + node, { callee, argument })
      for (const node of parameters) {
        isParameter[base + node] = 1
        functionOf.set(base + node, callee)
      }
    }
  }
  return { resultsAt, isParameter, functionOf }
}

/** A name says nothing where calls say what the parameter gets. */
function joinSources(
  files: readonly LinkedFile[],
  bases: readonly number[],
  filled: ReadonlySet<number>,
  found: CallGraph,
): FlowSource[] {
  const sources: FlowSource[] = []
  const handed = new Set(found.sources.map(({ source }) => source.node))
  for (const { file, source } of found.sources) {
    const { typed } = files[file] ?? {}
    const known = typed === undefined ? source : typed(source)
    if (known !== undefined) sources.push(known)
  }
  for (const [file, { flow }] of files.entries())
    for (const source of flow.sources) {
      const node = (bases[file] ?? 0) + source.node
      if (!source.weak || (!filled.has(node) && !handed.has(node))) sources.push({ ...source, node })
    }
  return sources
}

function joinSinks(
  files: readonly LinkedFile[],
  bases: readonly number[],
  { packages, isMadeOnce }: CallGraph,
  { judged }: RouteJudge,
): JoinedGraph['sinksAt'] {
  const sinksAt = new Map<number, { file: number; sink: FlowSink }[]>()
  for (const [file, { flow }] of files.entries())
    for (const sink of flow.sinks) {
      const { whenCalled, ofClass } = sink
      if (ofClass !== undefined && !isMadeOnce(file, ofClass)) continue
      const called = whenCalled && packages.get((bases[file] ?? 0) + whenCalled.called)
      if (whenCalled === undefined || whenCalled.paths.some((path) => called?.has(path) === true)) {
        const own = sink.gates === undefined ? sink : judged(file, sink)
        if (own !== undefined) append(sinksAt, (bases[file] ?? 0) + sink.node, { file, sink: own })
      }
    }
  return sinksAt
}

/** A field of `this` is the same in a class and in those that extend it. */
function connectClasses(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries()) {
    for (const own of flow.classes) {
      const open = new Map(own.fields)
      const seen = new Set([own])
      for (let above: LinkedClass | undefined = linker.parentOf(file, own); above !== undefined && !seen.has(above.class);) {
        seen.add(above.class)
        for (const [name, node] of above.class.fields) {
          const here = open.get(name)
          if (here === undefined) continue
          open.delete(name)
          const one = (bases[file] ?? 0) + here
          const other = (bases[above.file] ?? 0) + node
          connect(one, other, COPY, '')
          connect(other, one, COPY, '')
        }
        above = linker.parentOf(above.file, above.class)
      }
    }
  }
}

export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
