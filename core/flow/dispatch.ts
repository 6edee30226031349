import { StopSignal } from '../budget.ts'
import type { LinkedFile, LinkedFunction, Linker } from './links.ts'
import { ANY_FIELD, CLEAN, COPY, READ, WRITE, type FlowCall } from './types.ts'

/** The graph of an app while its calls are added. */
export interface OpenGraph {
  readonly bases: readonly number[]
  edgesFrom(node: number): Iterable<{ readonly to: number; readonly operation: number; readonly name: string }>
  /** The parameters that an argument fills. */
  parametersAt(node: number): Iterable<number>
  /** Where calls give what a function returns, by the node of its result. */
  resultsOf(node: number): Iterable<number>
  /** Adds that a call runs functions. */
  call(file: number, call: FlowCall, targets: readonly LinkedFunction[]): void
}

/** What is called: a function or the method of an object, by where that was made. */
interface Callable {
  methods(name: string): readonly LinkedFunction[]
}

/** Fields of fields in which functions are looked for. */
const MAX_FIELDS = 3

/** Where more than so many things arrive, nobody can tell which one is called: a file of many modules would be as many values at each place. */
const MAX_AT_NODE = 50

/**
 * Finds the calls of functions and methods that are known only by the values that arrive where they are called: what a service keeps in a field, what a factory
 * makes, callbacks that are handed over. Calls are not told apart here. False: the steps were used up.
 */
export function addDispatched(files: readonly LinkedFile[], linker: Linker, graph: OpenGraph, step: () => void): boolean {
  const waiting = new Map<
    number,
    { readonly file: number; readonly call: FlowCall; readonly name: string; readonly known: Set<string> }[]
  >()
  const callables: Callable[] = []
  const open: (readonly [node: number, callable: number, fields: readonly string[]])[] = []
  const known = new Map<number, Map<string, readonly [callable: number, fields: readonly string[]]>>()

  const reach = (node: number, callable: number, fields: readonly string[]): void => {
    step()
    const key = `${callable} ${fields.join('.')}`
    const here = known.get(node) ?? new Map<string, readonly [number, readonly string[]]>()
    if (here.has(key) || here.size >= MAX_AT_NODE) return
    known.set(node, here.set(key, [callable, fields]))
    open.push([node, callable, fields])
  }
  const methodsRead = new Map<string, number>()
  /** `service.load` of an object: the function itself. */
  const readMethod = (callable: number, name: string): number | undefined => {
    const key = `${callable} ${name}`
    const before = methodsRead.get(key)
    if (before !== undefined) return before
    const functions = callables[callable]?.methods(name) ?? []
    if (functions.length === 0) return undefined
    const index = callables.push({ methods: (method) => (method === '' ? functions : []) }) - 1
    methodsRead.set(key, index)
    return index
  }
  const follow = (node: number, callable: number, fields: readonly string[]): void => {
    for (const { to, operation, name } of graph.edgesFrom(node)) {
      if (operation === COPY || operation === CLEAN) reach(to, callable, fields)
      else if (operation === WRITE && fields.length < MAX_FIELDS) reach(to, callable, [name, ...fields])
      else if (operation === READ) {
        const [first, ...rest] = fields
        if (first === undefined) {
          const method = readMethod(callable, name)
          if (method !== undefined) reach(to, method, [])
        } else if (first === name || first === ANY_FIELD || name === ANY_FIELD) reach(to, callable, rest)
      }
    }
    for (const parameter of graph.parametersAt(node)) reach(parameter, callable, fields)
    for (const result of graph.resultsOf(node)) reach(result, callable, fields)
  }
  const call = (node: number, callable: number, fields: readonly string[]): void => {
    for (const { file, call, name, known: before } of waiting.get(node) ?? []) {
      const [field] = fields
      const isItself = fields.length === 0
      const isField = fields.length === 1 && name !== '' && (field === name || field === ANY_FIELD || name === ANY_FIELD)
      if (!isItself && !isField) continue
      const targets = (callables[callable]?.methods(isItself ? name : '') ?? []).filter(({ file: at, index }) => {
        const key = `${at} ${index}`
        return !before.has(key) && before.add(key)
      })
      if (targets.length === 0) continue
      graph.call(file, call, targets)
      // what was there before the call was known goes on by it
      const base = graph.bases[file] ?? 0
      for (const argument of call.args) replay(base + argument)
      for (const { file: at, index } of targets) {
        const result = files[at]?.flow.functions[index]?.result
        if (result !== undefined) replay((graph.bases[at] ?? 0) + result)
      }
    }
  }
  const replay = (node: number): void => {
    for (const [callable, fields] of known.get(node)?.values() ?? []) follow(node, callable, fields)
  }

  for (const [file, { flow }] of files.entries()) {
    const base = graph.bases[file] ?? 0
    for (const one of flow.calls) {
      if (one.dispatch === undefined || linker.called(file, one).length > 0) continue
      const node = base + one.dispatch.node
      const here = waiting.get(node) ?? []
      here.push({ file, call: one, name: one.dispatch.name, known: new Set() })
      waiting.set(node, here)
    }
  }
  if (waiting.size === 0) return true
  try {
    for (const [file, { flow }] of files.entries())
      for (const object of flow.objects ?? []) {
        const index = callables.push({ methods: (name) => linker.methodOf(file, object, name) }) - 1
        reach((graph.bases[file] ?? 0) + object.node, index, [])
      }
    for (let at = 0; at < open.length; at++) {
      const here = open[at]
      if (here === undefined) break
      call(...here)
      follow(...here)
    }
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason !== 'steps') throw error
    return false
  }
  return true
}
