import { createLinker, type LinkedFile } from './links.ts'
import { READ, WRITE, COPY, type FlowPort, type FlowSink, type Origin } from './types.ts'

/** What is known at its beginning is known at its end, changed as the operation says. */
export interface Edge {
  readonly to: number
  readonly operation: number
  readonly name: string
}

/** The files of an app as one graph: the nodes of a file begin where those of the one before end. */
export interface JoinedGraph {
  readonly bases: readonly number[]
  readonly edgesFrom: ReadonlyMap<number, readonly Edge[]>
  readonly sources: readonly { readonly node: number; readonly origin: Origin; readonly weak: boolean }[]
  readonly sinksAt: ReadonlyMap<number, readonly { readonly file: number; readonly sink: FlowSink }[]>
  readonly calls: readonly { readonly result: number }[]
  /** By the node of an argument: the parameter that it fills. */
  readonly argumentsAt: ReadonlyMap<
    number,
    readonly { readonly call: number; readonly callee: number; readonly parameter: number }[]
  >
  /** By the node of a result: the function. */
  readonly resultsAt: ReadonlyMap<number, number>
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  /** Nodes of files; behind them come those of what the app shares. */
  readonly nodes: number
  /** What the app shares, by node. */
  readonly stores: ReadonlyMap<number, string>
  /** Values that nothing in the app tells; a parameter is one only where nobody fills it. */
  readonly unresolved: ReadonlySet<number>
  readonly parameters: ReadonlySet<number>
}

export function joinFiles(files: readonly LinkedFile[]): JoinedGraph {
  const bases: number[] = []
  const functionBases: number[] = []
  let nodes = 0
  let functions = 0
  for (const { flow } of files) {
    bases.push(nodes)
    functionBases.push(functions)
    nodes += flow.nodes.length / 2
    functions += flow.functions.length
  }
  const edgesFrom = new Map<number, Edge[]>()
  const sinksAt = new Map<number, { file: number; sink: FlowSink }[]>()
  const sources: { node: number; origin: Origin; weak: boolean }[] = []
  const calls: { result: number }[] = []
  const argumentsAt = new Map<number, { call: number; callee: number; parameter: number }[]>()
  const resultsAt = new Map<number, number>()
  const callersOf = new Map<number, number[]>()
  const unresolved = new Set<number>()
  const parameters = new Set<number>()
  const link = createLinker(files)
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    for (let at = 0; at < flow.edges.length; at += 4) {
      const name = flow.names[flow.edges[at + 3] ?? -1] ?? ''
      append(edgesFrom, base + (flow.edges[at] ?? 0), {
        to: base + (flow.edges[at + 1] ?? 0),
        operation: flow.edges[at + 2] ?? 0,
        name,
      })
    }
    for (const { node, origin, weak } of flow.sources) sources.push({ node: base + node, origin, weak })
    for (const node of flow.unresolved) unresolved.add(base + node)
    for (const own of flow.functions) for (const node of own.parameters) parameters.add(base + node)
    for (const sink of flow.sinks) append(sinksAt, base + sink.node, { file, sink })
    for (const [index, { result }] of flow.functions.entries()) resultsAt.set(base + result, (functionBases[file] ?? 0) + index)
    for (const call of flow.calls) {
      const targets = link(file, call)
      if (targets.length === 0) continue
      unresolved.delete(base + call.result)
      const index = calls.push({ result: base + call.result }) - 1
      for (const target of targets) {
        const callee = (functionBases[target.file] ?? 0) + target.index
        append(callersOf, callee, index)
        const parameters = files[target.file]?.flow.functions[target.index]?.parameters ?? []
        for (const [position, argument] of call.args.entries()) {
          const parameter = parameters[position]
          if (parameter !== undefined)
            append(argumentsAt, base + argument, { call: index, callee, parameter: (bases[target.file] ?? 0) + parameter })
        }
      }
    }
  }
  const stores = connectStores(files, bases, nodes, (from, edge) => append(edgesFrom, from, edge))
  return {
    bases,
    edgesFrom,
    sources,
    sinksAt,
    calls,
    argumentsAt,
    resultsAt,
    callersOf,
    nodes,
    stores,
    unresolved,
    parameters,
  }
}

/** A store is one object of the whole app: a node behind those of all files, that ports write fields of and read fields from. */
function connectStores(
  files: readonly LinkedFile[],
  bases: readonly number[],
  nodes: number,
  connect: (from: number, edge: Edge) => void,
): ReadonlyMap<number, string> {
  const stores = new Map<string, number>()
  let last = nodes
  const add = ({ node, access, store, path }: FlowPort, base: number): void => {
    const shared = stores.get(store) ?? last++
    stores.set(store, shared)
    const isWrite = access === 'write'
    let here = isWrite ? base + node : shared
    for (const [index, name] of (isWrite ? path.toReversed() : path).entries()) {
      const isEnd = index === path.length - 1
      const to = isEnd ? (isWrite ? shared : base + node) : last++
      connect(here, { to, operation: isWrite ? WRITE : READ, name })
      here = to
    }
    if (path.length === 0) connect(here, { to: isWrite ? shared : base + node, operation: COPY, name: '' })
  }
  for (const [file, { flow }] of files.entries()) for (const port of flow.ports) add(port, bases[file] ?? 0)
  return new Map([...stores].map(([store, node]) => [node, store]))
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
