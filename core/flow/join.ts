import { addDispatched } from './dispatch.ts'
import { createLinker, type LinkedClass, type LinkedFile, type LinkedFunction, type Linker } from './links.ts'
import {
  COPY,
  MODULE_STORE,
  READ,
  WRITE,
  type FlowCall,
  type FlowPort,
  type FlowSink,
  type FlowSource,
  type Realm,
} from './types.ts'

/** What is known at its beginning is known at its end, changed as the operation says. */
export interface Edge {
  readonly to: number
  readonly operation: number
  readonly name: string
}

/** What a function gives back: its result, or what it puts into an argument. */
export interface Outcome {
  readonly callee: number
  /** The position of the argument; -1 for the result. */
  readonly argument: number
}

export interface JoinedCall {
  readonly result: number
  readonly filled: ReadonlyMap<number, number>
}

/** Where a call gives an outcome. */
export function outcomeNode(call: JoinedCall | undefined, { argument }: Outcome): number | undefined {
  return argument < 0 ? call?.result : call?.filled.get(argument)
}

/** The files of an app as one graph: the nodes of a file begin where those of the one before end. */
export interface JoinedGraph {
  readonly bases: readonly number[]
  /** Nodes of files; behind them come those of what the app shares. */
  readonly nodes: number
  /** What the app shares, by node. */
  readonly stores: ReadonlyMap<number, string>
  readonly edgesFrom: ReadonlyMap<number, readonly Edge[]>
  readonly sources: readonly FlowSource[]
  readonly sinksAt: ReadonlyMap<number, readonly { readonly file: number; readonly sink: FlowSink }[]>
  readonly calls: readonly JoinedCall[]
  /** By the node of an argument: the parameter that it fills. */
  readonly argumentsAt: ReadonlyMap<
    number,
    readonly { readonly call: number; readonly callee: number; readonly parameter: number }[]
  >
  /** By the node of a result, or of what a function puts into an object that it is given: the function. */
  readonly resultsAt: ReadonlyMap<number, Outcome>
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  /** By file. */
  readonly realms: readonly Realm[]
  /** Results of calls that run a function of the project. */
  readonly called: ReadonlySet<number>
  /** False: the steps were used up before all calls were known. */
  readonly isWhole: boolean
  /** Values that nothing in the app tells; a parameter is one only where nobody fills it. */
  readonly unresolved: ReadonlySet<number>
  readonly parameters: ReadonlySet<number>
  /** By the node of a parameter: its function. */
  readonly functionOf: ReadonlyMap<number, number>
}

export function joinFiles(files: readonly LinkedFile[], step: () => void): JoinedGraph {
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
  const sources: FlowSource[] = []
  const calls: JoinedCall[] = []
  const argumentsAt = new Map<number, { call: number; callee: number; parameter: number }[]>()
  const resultsAt = new Map<number, Outcome>()
  const callersOf = new Map<number, number[]>()
  const unresolved = new Set<number>()
  const parameters = new Set<number>()
  const functionOf = new Map<number, number>()
  const linker = createLinker(files)
  const addCall = (file: number, call: FlowCall, targets: readonly LinkedFunction[]): void => {
    if (targets.length === 0) return
    const base = bases[file] ?? 0
    unresolved.delete(base + call.result)
    const filled = new Map((call.filled ?? []).map(([argument, node]) => [argument, base + node]))
    const index = calls.push({ result: base + call.result, filled }) - 1
    for (const target of targets) {
      const callee = (functionBases[target.file] ?? 0) + target.index
      append(callersOf, callee, index)
      const { parameters = [], rest = Infinity } = files[target.file]?.flow.functions[target.index] ?? {}
      for (const [position, argument] of call.args.entries()) {
        const parameter = parameters[Math.min(position, rest)]
        if (parameter !== undefined)
          append(argumentsAt, base + argument, { call: index, callee, parameter: (bases[target.file] ?? 0) + parameter })
      }
    }
  }
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
    for (const source of flow.sources) sources.push({ ...source, node: base + source.node })
    for (const node of flow.unresolved) unresolved.add(base + node)
    for (const [index, own] of flow.functions.entries())
      for (const node of own.parameters) {
        parameters.add(base + node)
        functionOf.set(base + node, (functionBases[file] ?? 0) + index)
      }
    for (const sink of flow.sinks) append(sinksAt, base + sink.node, { file, sink })
    for (const [index, { result, filled = [] }] of flow.functions.entries()) {
      const callee = (functionBases[file] ?? 0) + index
      resultsAt.set(base + result, { callee, argument: -1 })
      for (const [argument, node] of filled) resultsAt.set(base + node, { callee, argument })
    }
    for (const call of flow.calls) addCall(file, call, linker.called(file, call))
  }
  const connect = (from: number, edge: Edge): void => append(edgesFrom, from, edge)
  connectClasses(files, bases, linker, connect)
  connectMade(files, bases, linker, connect)
  const stores = connectStores(files, { bases, nodes, linker }, connect)
  const isWhole = addDispatched(
    files,
    linker,
    {
      bases,
      edgesFrom: (node) => edgesFrom.get(node) ?? [],
      parametersAt: (node) => (argumentsAt.get(node) ?? []).map(({ parameter }) => parameter),
      resultsOf: (node) => {
        const outcome = resultsAt.get(node)
        return outcome === undefined
          ? []
          : (callersOf.get(outcome.callee) ?? []).flatMap((call) => outcomeNode(calls[call], outcome) ?? [])
      },
      call: addCall,
    },
    step,
  )
  // a name says nothing where calls say what the parameter gets
  const filled = new Set([...argumentsAt.values()].flatMap((given) => given.map(({ parameter }) => parameter)))
  const telling = sources.filter(({ node, weak }) => !weak || !filled.has(node))
  return {
    bases,
    nodes,
    stores,
    edgesFrom,
    sources: telling,
    sinksAt,
    calls,
    argumentsAt,
    resultsAt,
    callersOf,
    isWhole,
    called: new Set(calls.map(({ result }) => result)),
    realms: files.map(({ flow }) => flow.realm),
    unresolved,
    parameters,
    functionOf,
  }
}

/** A store is one object of the whole app: a node behind those of all files, that ports write fields of and read fields from. */
function connectStores(
  files: readonly LinkedFile[],
  { bases, nodes, linker }: { readonly bases: readonly number[]; readonly nodes: number; readonly linker: Linker },
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
  for (const [file, { flow }] of files.entries()) {
    for (const port of flow.ports) {
      const store = nameOf(port.store, file, linker)
      if (store !== undefined) add({ ...port, store }, bases[file] ?? 0)
    }
  }
  return new Map([...stores].map(([store, node]) => [node, store]))
}

/** A module is known by its file, whatever others call it. Undefined: none of the app. */
function nameOf(store: string, file: number, linker: Linker): string | undefined {
  if (!store.startsWith(MODULE_STORE)) return store
  const source = store.slice(MODULE_STORE.length)
  const target = source === '' ? file : linker.fileOf(file, source)
  return target === undefined ? undefined : `${MODULE_STORE}${target}`
}

/** A field of `this` is the same in a class and in those that extend it. */
function connectClasses(
  files: readonly LinkedFile[],
  bases: readonly number[],
  linker: Linker,
  connect: (from: number, edge: Edge) => void,
): void {
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
          connect(one, { to: other, operation: COPY, name: '' })
          connect(other, { to: one, operation: COPY, name: '' })
        }
        above = linker.parentOf(above.file, above.class)
      }
    }
  }
}

/** The fields of an object that another file's class makes are those of `this` in the class. */
function connectMade(
  files: readonly LinkedFile[],
  bases: readonly number[],
  linker: Linker,
  connect: (from: number, edge: Edge) => void,
): void {
  for (const [file, { flow }] of files.entries())
    for (const object of flow.objects ?? []) {
      const made = object.isMade === true ? linker.classOf(file, object) : undefined
      const node = (bases[file] ?? 0) + object.node
      for (const [name, field] of made?.class.fields ?? []) {
        const inside = (bases[made?.file ?? 0] ?? 0) + field
        connect(inside, { to: node, operation: WRITE, name })
        connect(node, { to: inside, operation: READ, name })
      }
    }
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
