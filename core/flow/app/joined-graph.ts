import { findFirst, append } from '../../lists.ts'
import type { JoinedEdges } from './joined-edges.ts'
import type { LinkedFunction, LinkedFile } from './links.ts'
import type { OverriddenMethods } from '../classes/overrides.ts'
import type { FlowCall, FlowSink, FlowSource, Realm } from '../types.ts'
import { isAround, isWithin } from '../../facts/span-index.ts'

/** What a function gives back: its result, or what it puts into an argument. */
export interface Outcome {
  readonly callee: number
  /** The position of the argument, or `RESULT_ARGUMENT`. */
  readonly argument: number
}

/** The position that stands for the result of a function. */
export const RESULT_ARGUMENT = -1

/** Where a call gives an outcome. */
export function outcomeNode(call: JoinedCall | undefined, { argument }: Outcome): number | undefined {
  return argument === RESULT_ARGUMENT ? call?.result : call?.filled?.get(argument)
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
  readonly calling: Calling
  /** By file: the one that it is a copy of, or itself. */
  readonly originals: readonly number[]
  /** By file. */
  readonly realms: readonly Realm[]
  /** By node: whether nothing in the app tells its value. */
  readonly isUnresolved: Uint8Array
  /** False: the steps were used up before all calls were known. */
  readonly isWhole: boolean
}

/** Which functions calls run, how values come into them, and how they come out again. Functions and calls are numbers, as nodes are. */
export interface Calling {
  readonly calls: readonly JoinedCall[]
  /** Calls of what a function was given, by the function and the position of its parameter. */
  readonly vias: ReadonlyMap<number, { readonly callee: number; readonly index: number }>
  /** Functions that call what they are given. */
  readonly callsGiven: ReadonlySet<number>
  /** By function: what its parameters are where a call leaves them out. */
  readonly defaultsOf: ReadonlyMap<number, ReadonlyMap<number, number>>
  /** By the node of a value: the functions that it may be. */
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
  /** Nodes of values that are functions of packages. */
  readonly packagesAt: { has(node: number): boolean }
  /** By the node of the object that a method is called with: the method, where each object has values of its own. */
  readonly selvesAt: ReadonlyMap<number, number>
  /** By the node of an argument: the parameter that it fills. */
  readonly argumentsAt: ReadonlyMap<number, readonly Filled[]>
  /** By the node of a result, or of what a function puts into an object that it is given: the function. */
  readonly resultsAt: ReadonlyMap<number, Outcome>
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  /** By function: its values, where it is written. */
  readonly valuesOf: ReadonlyMap<number, readonly number[]>
  readonly boundsOf: (callee: number) => FunctionBounds | undefined
  /** Undefined: no class has a method instead of one that it inherits. */
  readonly methods: OverriddenMethods | undefined
  /** Results of calls that run a function of the project. */
  readonly called: ReadonlySet<number>
  /** By the node of a parameter: its function. */
  readonly functionOf: ReadonlyMap<number, number>
}

export interface JoinedCall {
  readonly result: number
  readonly args: readonly number[]
  readonly receiver: number | undefined
  /** `super.run(x)`. */
  readonly isSuper?: true
  /** By the position of an argument: the node of what is put into it. */
  readonly filled?: ReadonlyMap<number, number>
}

/** Where the code of a function is: among the nodes of its file, and in the file's text. */
export interface FunctionBounds {
  readonly first: number
  /** As in the flow of the file: two numbers a node. */
  readonly nodes: Int32Array
  readonly start: number
  readonly end: number
}

/** Whether a node is of the code of a function, or of one that is written in it. */
export function isOfCode(bounds: FunctionBounds, node: number): boolean {
  const at = bounds.nodes[(node - bounds.first) * 2]
  return at !== undefined && isAround(bounds, at)
}

/** Whether a function is written inside another one. */
export function isWrittenIn(outer: FunctionBounds, inner: FunctionBounds): boolean {
  return inner !== outer && inner.nodes === outer.nodes && isWithin(inner, outer)
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

/** The file that a node belongs to, by where those of each file begin. */
export function fileAt(bases: readonly number[], node: number): number {
  return findFirst(bases.length, (index) => (bases[index] ?? 0) > node) - 1
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

/** Where functions are written, and where they are values: one that is written in another one may hold something of it. */
export function joinPlaces(files: readonly LinkedFile[], bases: Bases): Pick<Calling, 'valuesOf' | 'boundsOf'> {
  const valuesOf = new Map<number, number[]>()
  for (const [file, { flow }] of files.entries())
    for (const [node, index] of flow.server?.callables.functions ?? [])
      append(valuesOf, (bases.functions[file] ?? 0) + index, (bases.nodes[file] ?? 0) + node)
  const known = new Map<number, FunctionBounds | undefined>()
  return {
    valuesOf,
    boundsOf(callee) {
      if (known.has(callee)) return known.get(callee)
      const file = fileAt(bases.functions, callee)
      const flow = files[file]?.flow
      const own = flow?.functions[callee - (bases.functions[file] ?? 0)]
      const bounds = flow && own && { first: bases.nodes[file] ?? 0, nodes: flow.nodes, start: own.start, end: own.end }
      known.set(callee, bounds)
      return bounds
    },
  }
}

/** By file: the one that it is a copy of, which stands before it, or itself. */
export function originalsOf(files: readonly LinkedFile[]): readonly number[] {
  const originals: number[] = []
  for (const [index, { copy }] of files.entries()) originals.push(copy === undefined ? index : (originals[copy.of] ?? copy.of))
  return originals
}
