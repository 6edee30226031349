import { withinSteps } from '../../budget.ts'
import { linkCallables } from './callables.ts'
import { addDispatched } from './dispatch.ts'
import { addLinks, connectObjects, fillParameters, createKeyedCalls, type KeyedCalls } from './call-links.ts'
import { createEdges, type Connect, connectStores } from './joined-edges.ts'
import {
  type AddCall,
  type Bases,
  type Calling,
  type Filled,
  type JoinedCall,
  type JoinedGraph,
  type OpenCalls,
  type Outcome,
  RESULT_ARGUMENT,
  joinPlaces,
  originalsOf,
} from './joined-graph.ts'
import { joinSinks, joinSources } from './joined-ends.ts'
import { createLinker, type LinkedClass, type LinkedFile, type LinkedFunction, type Linker } from './links.ts'
import { addOverrides, findOverridden } from '../classes/overrides.ts'
import { checksAt, connectAsked } from '../solve/asked-edges.ts'
import { createUseReader } from '../frameworks/route-calls.ts'
import { connectRouters, createRouteJudge } from './route-sinks.ts'
import { COPY, MODULE_STORE, READ, WRITE, type FlowCall } from '../types.ts'

export function joinFiles(files: readonly LinkedFile[], step: () => void): JoinedGraph {
  const bases = basesOf(files)
  const linker = createLinker(files)
  const edges = createEdges()
  for (const [file, { flow }] of files.entries()) edges.addFile(flow, bases.nodes[file] ?? 0)
  connectClasses(files, bases.nodes, linker, edges.add)
  connectMade(files, bases.nodes, linker, edges.add)
  const { stores, end: ofStores } = connectStores(files, { bases: bases.nodes, nodes: bases.end, linker }, edges.add)
  const keyed = createKeyedCalls(files, bases.nodes, ofStores, edges.add)
  const { filled, isUnresolved, addCall, ...calls } = joinCalls(files, bases, linker, keyed)
  const isOverridden = withinSteps(() => addOverrides(files, linker, addCall, step))
  const end = keyed.close()
  const { calls: joined, argumentsAt, callersOf } = calls
  const first = edges.finish(end, new Set())
  const found = linkCallables({ files, bases: bases.nodes, functionBases: bases.functions, ...first }, step)
  const given = addLinks({ files, bases, calls: joined, argumentsAt, callersOf, filled }, found)
  for (const [from, to] of found.copies) edges.add(from, to, COPY, '')
  const { selvesAt, cut } = connectObjects({ files, bases, calls: joined, argumentsAt, callersOf, filled }, found)
  const hasRouters = connectRouters({ files, bases, calls: joined, callersOf }, edges.add)
  const judge = createRouteJudge(
    { files, bases, linker },
    found,
    createUseReader(files, bases, { ...calls, packages: found.packages }, step),
  )
  for (const node of judge.closedMounts) cut.add(node)
  for (const node of found.taken) cut.add(node)
  const finished = hasRouters || found.copies.length > 0 || cut.size > 0 ? edges.finish(end, cut) : first
  const functionsAt = new Map(found.functionsAt)
  const open = { ...joinFunctions(files, bases), ...calls, ...given, functionsAt }
  const isWhole =
    addDispatched({ files, linker, bases: bases.nodes, functionBases: bases.functions, ...finished, ...open, addCall }, step) &&
    found.isWhole &&
    isOverridden
  const checks = checksAt(files, bases.nodes)
  const called = new Set(joined.map(({ result }) => result))
  const isAdded = cutAdditions(files, bases.nodes, called, cut)
  const isAsked = connectAsked({ files, linker, bases, calls: joined, argumentsAt, functionsAt, checks }, cut, edges.add)
  return {
    bases: bases.nodes,
    nodes: bases.end,
    stores,
    isWhole,
    ...(isAsked || isAdded ? edges.finish(end, cut) : finished),
    calling: {
      ...open,
      selvesAt,
      packagesAt: found.packages,
      ...joinPlaces(files, bases),
      methods: findOverridden(files, bases, joined, found),
      called,
    },
    sources: joinSources(files, bases, { filled, found, calls: joined, callersOf, checks, argumentsAt, step }),
    sinksAt: joinSinks(files, bases.nodes, found, judge),
    originals: originalsOf(files),
    realms: files.map(({ flow }) => flow.realm),
    isUnresolved,
  }
}

/** What a method of the app puts into its object, is what its code does. */
function cutAdditions(
  files: readonly LinkedFile[],
  bases: readonly number[],
  called: ReadonlySet<number>,
  cut: Set<number>,
): boolean {
  const before = cut.size
  for (const [file, { flow }] of files.entries())
    for (const [node, result] of flow.page?.additions ?? [])
      if (called.has((bases[file] ?? 0) + result)) cut.add((bases[file] ?? 0) + node)
  return cut.size > before
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

/** Which functions calls run, and what they hand them. */
function joinCalls(
  files: readonly LinkedFile[],
  bases: Bases,
  linker: Linker,
  keyed: KeyedCalls,
): OpenCalls & Pick<JoinedGraph, 'isUnresolved'> & { readonly addCall: AddCall } {
  const calls: JoinedCall[] = []
  const argumentsAt = new Map<number, Filled[]>()
  const callersOf = new Map<number, number[]>()
  const filled = new Set<number>()
  const isUnresolved = new Uint8Array(bases.end)
  const addCall: AddCall = (file, call, targets) => {
    if (targets.length === 0) return
    const base = bases.nodes[file] ?? 0
    isUnresolved[base + call.result] = 0
    const joined = toJoined(call, base)
    const index = calls.push(joined) - 1
    for (const target of targets)
      if (keyed.connect(file, call, target)) noteCalled(target)
      else fillParameters({ files, bases, argumentsAt, callersOf, filled }, index, joined.args, target)
  }
  /** What its parameters get is known. */
  const noteCalled = ({ file, index }: LinkedFunction): void => {
    const callee = (bases.functions[file] ?? 0) + index
    if (!callersOf.has(callee)) callersOf.set(callee, [])
    for (const node of files[file]?.flow.functions[index]?.parameters ?? []) filled.add((bases.nodes[file] ?? 0) + node)
  }
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const node of flow.unresolved) isUnresolved[base + node] = 1
    // what another file of the app gives is what that file says
    for (const { node, access, store } of flow.ports)
      if (
        access === 'read' &&
        store.startsWith(MODULE_STORE) &&
        linker.fileOf(file, store.slice(MODULE_STORE.length)) !== undefined
      )
        isUnresolved[base + node] = 0
    for (const call of flow.calls) {
      addCall(file, call, linker.called(file, call))
      // an object of a class of the app, which has no constructor
      const { module } = call
      if (module?.name.endsWith('#constructor') === true && linker.fileOf(file, module.source) !== undefined)
        isUnresolved[base + call.result] = 0
    }
  }
  // what runs in a copy is called
  for (const [file, { flow, copy }] of files.entries()) {
    for (const [index, { isCopied }] of flow.functions.entries()) {
      const callee = (bases.functions[file] ?? 0) + index
      if (isCopied === true && !callersOf.has(callee)) callersOf.set(callee, [])
    }
    if (copy === undefined) continue
    const [own, base] = [bases.functions[file] ?? 0, bases.functions[copy.of] ?? 0]
    for (const index of flow.functions.keys()) {
      if (callersOf.has(own + index) && !callersOf.has(base + index)) callersOf.set(base + index, [])
      // what is not called of this object, nobody fills
      if (copy.made !== undefined && !callersOf.has(own + index)) callersOf.set(own + index, [])
    }
  }
  return { calls, argumentsAt, callersOf, isUnresolved, filled, addCall }
}

function toJoined({ result, args, receiver, isSuper, filled }: FlowCall, base: number): JoinedCall {
  return {
    result: base + result,
    args: args.map((node) => base + node),
    receiver: receiver === undefined ? undefined : base + receiver,
    ...(isSuper && { isSuper }),
    ...(filled !== undefined && { filled: new Map(filled.map(([argument, node]) => [argument, base + node])) }),
  }
}

function joinFunctions(files: readonly LinkedFile[], bases: Bases): Pick<Calling, 'resultsAt' | 'functionOf' | 'defaultsOf'> {
  const defaultsOf = new Map<number, ReadonlyMap<number, number>>()
  const resultsAt = new Map<number, Outcome>()
  const functionOf = new Map<number, number>()
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const [index, { result, parameters, filled = [], defaults }] of flow.functions.entries()) {
      const callee = (bases.functions[file] ?? 0) + index
      if (defaults !== undefined) defaultsOf.set(callee, new Map(defaults.map(([parameter, node]) => [parameter, base + node])))
      resultsAt.set(base + result, { callee, argument: RESULT_ARGUMENT })
      for (const [argument, node] of filled) resultsAt.set(base + node, { callee, argument })
      for (const node of parameters) functionOf.set(base + node, callee)
    }
  }
  return { resultsAt, functionOf, defaultsOf }
}

/** A field of `this` is the same in a class and in those that extend it. */
function connectClasses(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries()) {
    for (const own of flow.exports.classes) {
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

/** The fields of an object that another file's class makes are those of `this` in the class. */
function connectMade(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries())
    for (const object of flow.objects ?? []) {
      const made = object.isMade === true ? linker.classOf(file, object) : undefined
      const node = (bases[file] ?? 0) + object.node
      for (const [name, field] of made?.class.fields ?? []) {
        const inside = (bases[made?.file ?? 0] ?? 0) + field
        connect(inside, node, WRITE, name)
        connect(node, inside, READ, name)
      }
    }
}
