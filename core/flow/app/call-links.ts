import type { CallGraph } from './call-graph.ts'
import { append } from '../../lists.ts'
import type { Bases, Calling, OpenCalls } from './joined-graph.ts'
import type { LinkedFile, LinkedFunction } from './links.ts'
import { segmentsOf } from '../views/bindings.ts'
import type { Connect } from './joined-edges.ts'
import { COPY, READ, WRITE, type FlowCall } from '../types.ts'

interface OpenApp extends OpenCalls {
  readonly files: readonly LinkedFile[]
  readonly bases: Bases
}

/** Adds that a call runs a function, which gets its arguments. `shift`: parameters that were filled before. */
export function fillParameters(
  { files, bases, argumentsAt, callersOf, filled }: Omit<OpenApp, 'calls'>,
  call: number,
  args: readonly number[],
  target: LinkedFunction,
  shift = 0,
): void {
  const callee = (bases.functions[target.file] ?? 0) + target.index
  append(callersOf, callee, call)
  const { parameters = [], rest = Infinity } = files[target.file]?.flow.functions[target.index] ?? {}
  for (const [position, argument] of args.entries()) {
    const own = parameters[Math.min(position + shift, rest)]
    if (own === undefined) continue
    const parameter = (bases.nodes[target.file] ?? 0) + own
    filled.add(parameter)
    append(argumentsAt, argument, { call, callee, parameter })
  }
}

/** `vias` and `callsGiven` of `Calling`, to which others add. */
interface GivenCalls {
  readonly vias: Map<number, { callee: number; index: number }>
  readonly callsGiven: Set<number>
}

/** Adds the calls whose functions were found by following values. */
export function addLinks(app: OpenApp, { links }: CallGraph): GivenCalls {
  const { bases, calls, callersOf } = app
  const vias = new Map<number, { callee: number; index: number }>()
  if (links.length === 0) return { vias, callsGiven: new Set() }
  const positions = positionsIn(app)
  const known = new Set([...callersOf].flatMap(([callee, own]) => own.map((index) => `${calls[index]?.result} ${callee}`)))
  for (const { args, result, receiver, isSuper, filled, target, shift, via } of links) {
    const callee = (bases.functions[target.file] ?? 0) + target.index
    if (known.has(`${result} ${callee}`)) continue
    const index =
      calls.push({
        result,
        args,
        receiver,
        ...(isSuper && { isSuper }),
        ...(filled !== undefined && { filled: shifted(filled, shift) }),
      }) - 1
    const given = via === undefined ? undefined : positions.get(via)
    if (given !== undefined) vias.set(index, given)
    fillParameters(app, index, args, target, shift)
  }
  return { vias, callsGiven: new Set([...vias.values()].map(({ callee }) => callee)) }
}

/** By the positions of the parameters. */
function shifted(filled: ReadonlyMap<number, number>, shift: number): ReadonlyMap<number, number> {
  return shift === 0 ? filled : new Map([...filled].map(([argument, node]) => [argument + shift, node]))
}

/** By the node of a parameter: its function, and its place there. */
function positionsIn({ files, bases }: OpenApp): ReadonlyMap<number, { readonly callee: number; readonly index: number }> {
  const positions = new Map<number, { callee: number; index: number }>()
  for (const [file, { flow }] of files.entries()) {
    if (flow.server?.callables === undefined) continue
    for (const [at, own] of flow.functions.entries())
      for (const [index, node] of own.parameters.entries())
        positions.set((bases.nodes[file] ?? 0) + node, { callee: (bases.functions[file] ?? 0) + at, index })
  }
  return positions
}

/** Of a class with several objects each call brings its own along; the fields of `this` that all code shares are cut off. */
export function connectObjects(
  { files, bases, calls, argumentsAt, callersOf }: OpenApp,
  { isShared }: CallGraph,
): Pick<Calling, 'selvesAt'> & { readonly cut: Set<number> } {
  const selvesAt = new Map<number, number>()
  const cut = new Set<number>()
  for (const [file, { flow }] of files.entries()) {
    const base = bases.nodes[file] ?? 0
    for (const [index, { methods, fields }] of (flow.server?.callables.classes ?? []).entries()) {
      if (isShared(file, index)) continue
      for (const [, node] of fields) cut.add(base + node)
      for (const method of methods) {
        const self = flow.functions[method]?.self
        if (self === undefined) continue
        const callee = (bases.functions[file] ?? 0) + method
        selvesAt.set(base + self, callee)
        for (const call of callersOf.get(callee) ?? []) {
          const receiver = calls[call]?.receiver
          if (receiver !== undefined) append(argumentsAt, receiver, { call, callee, parameter: base + self })
        }
      }
    }
  }
  return { selvesAt, cut }
}

/** Calls of functions that read or write what a key names. */
export interface KeyedCalls {
  /** Connects a call with a constant key to that field alone; false: it is a call like others. */
  connect(file: number, call: FlowCall, target: LinkedFunction): boolean
  /** No more edges are added; gives where the nodes end. */
  close(): number
}

/** `first`: the number of the first node that is free. */
export function createKeyedCalls(
  files: readonly LinkedFile[],
  bases: readonly number[],
  first: number,
  add: Connect,
): KeyedCalls {
  let last = first
  let isOpen = true
  /** Through as many fields as the key has. */
  const lead = (from: number, to: number, operation: number, names: readonly string[]): void => {
    let here = from
    for (const [index, name] of names.entries()) {
      const next = index === names.length - 1 ? to : last++
      add(here, next, operation, name)
      here = next
    }
  }
  return {
    connect(file, { key, result, args }, target) {
      const keyed = files[target.file]?.flow.functions[target.index]?.keyed
      if (keyed === undefined || key === undefined || !isOpen) return false
      const names = keyed.isPath ? segmentsOf(key.slice(key.indexOf('>') + 1)) : [key]
      if (names.length === 0) return false
      const base = bases[file] ?? 0
      const object = (bases[target.file] ?? 0) + keyed.object
      const given = keyed.value === undefined ? undefined : args[keyed.value]
      if (given !== undefined) lead(base + given, object, WRITE, names.toReversed())
      if (keyed.value === undefined) lead(object, base + result, READ, names)
      for (const index of keyed.passed ?? []) {
        const other = args[index]
        if (other !== undefined) add(base + other, base + result, COPY, '')
      }
      return true
    },
    close() {
      isOpen = false
      return last
    },
  }
}
