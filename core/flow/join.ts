import { linkCallables, type CallGraph } from './callables.ts'
import { createLinker, type LinkedClass, type LinkedFile, type Linker } from './links.ts'
import { COPY, MODULE_STORE, READ, WRITE, type FlowCall, type FlowPort, type FlowSink, type FlowSource, type Realm } from './types.ts'

/** What is known at its beginning is known at its end, changed as the operation says. */
export interface Edge {
  readonly to: number
  readonly operation: number
  readonly name: string
}

export interface JoinedCall {
  readonly result: number
  readonly args: readonly number[]
  readonly receiver: number | undefined
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
  /** Calls of what a function was given, by the function and the position of its parameter. */
  readonly vias: ReadonlyMap<number, { readonly callee: number; readonly index: number }>
  /** Functions that call what they are given. */
  readonly callsGiven: ReadonlySet<number>
  /** By the node of a value: the functions that it may be. */
  readonly functionsAt: ReadonlyMap<number, ReadonlySet<number>>
  /** By the node of an argument: the parameter that it fills. */
  readonly argumentsAt: ReadonlyMap<
    number,
    readonly { readonly call: number; readonly callee: number; readonly parameter: number }[]
  >
  /** By the node of the object that a method is called with: the method, where each object has values of its own. */
  readonly selvesAt: ReadonlyMap<number, number>
  /** By the node of a result: the function. */
  readonly resultsAt: ReadonlyMap<number, number>
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  /** By file. */
  readonly realms: readonly Realm[]
  /** Results of calls that run a function of the project. */
  readonly called: ReadonlySet<number>
  /** Values that nothing in the app tells; a parameter is one only where nobody fills it. */
  readonly unresolved: ReadonlySet<number>
  readonly parameters: ReadonlySet<number>
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
  const vias = new Map<number, { callee: number; index: number }>()
  const positions = new Map<number, { callee: number; index: number }>()
  const linkedPairs = new Set<string>()
  const argumentsAt = new Map<number, { call: number; callee: number; parameter: number }[]>()
  const resultsAt = new Map<number, number>()
  const callersOf = new Map<number, number[]>()
  const unresolved = new Set<number>()
  const parameters = new Set<number>()
  const linker = createLinker(files)
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
    for (const [at, own] of flow.functions.entries())
      for (const [index, node] of own.parameters.entries()) {
        parameters.add(base + node)
        if (flow.callables !== undefined) positions.set(base + node, { callee: (functionBases[file] ?? 0) + at, index })
      }
    for (const [index, { result }] of flow.functions.entries()) resultsAt.set(base + result, (functionBases[file] ?? 0) + index)
    for (const call of flow.calls) {
      const targets = linker.called(file, call)
      if (targets.length === 0) continue
      unresolved.delete(base + call.result)
      const index = calls.push(toJoined(call, base)) - 1
      for (const target of targets) {
        const callee = (functionBases[target.file] ?? 0) + target.index
        append(callersOf, callee, index)
        linkedPairs.add(`${base + call.result} ${callee}`)
        const { parameters = [], rest = Infinity } = files[target.file]?.flow.functions[target.index] ?? {}
        for (const [position, argument] of call.args.entries()) {
          const parameter = parameters[Math.min(position, rest)]
          if (parameter !== undefined)
            append(argumentsAt, base + argument, { call: index, callee, parameter: (bases[target.file] ?? 0) + parameter })
        }
      }
    }
  }
  const connect = (from: number, edge: Edge): void => append(edgesFrom, from, edge)
  connectClasses(files, bases, linker, connect)
  const stores = connectStores(files, { bases, nodes, linker }, connect)
  const found = linkCallables({ files, bases, functionBases, edgesFrom }, step)
  for (const { args, result, receiver, target, shift, via } of found.links) {
    const callee = (functionBases[target.file] ?? 0) + target.index
    if (linkedPairs.has(`${result} ${callee}`)) continue
    const index = calls.push({ result, args, receiver }) - 1
    const given = via === undefined ? undefined : positions.get(via)
    if (given !== undefined) vias.set(index, given)
    append(callersOf, callee, index)
    const { parameters: own = [], rest = Infinity } = files[target.file]?.flow.functions[target.index] ?? {}
    for (const [position, argument] of args.entries()) {
      const parameter = own[Math.min(position + shift, rest)]
      if (parameter !== undefined)
        append(argumentsAt, argument, { call: index, callee, parameter: (bases[target.file] ?? 0) + parameter })
    }
  }
  for (const [from, to] of found.copies) connect(from, { to, operation: COPY, name: '' })
  const selvesAt = connectObjects({ files, bases, functionBases, edgesFrom, calls, callersOf, argumentsAt }, found)
  for (const { file, source } of found.sources) {
    const typed = files[file]?.typed?.(source) ?? (files[file]?.typed === undefined ? source : undefined)
    if (typed !== undefined) sources.push(typed)
  }
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    for (const sink of flow.sinks) {
      const { whenCalled } = sink
      const called = whenCalled && found.packages.get(base + whenCalled.callee)
      if (whenCalled === undefined || whenCalled.paths.some((path) => called?.has(path) === true))
        append(sinksAt, base + sink.node, { file, sink })
    }
  }
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
    selvesAt,
    resultsAt,
    callersOf,
    vias,
    callsGiven: new Set([...vias.values()].map(({ callee }) => callee)),
    functionsAt: found.functionsAt,
    called: new Set(calls.map(({ result }) => result)),
    realms: files.map(({ flow }) => flow.realm),
    unresolved,
    parameters,
  }
}

function toJoined({ result, args, receiver }: FlowCall, base: number): JoinedCall {
  return {
    result: base + result,
    args: args.map((node) => base + node),
    receiver: receiver === undefined ? undefined : base + receiver,
  }
}

interface OpenObjects {
  readonly files: readonly LinkedFile[]
  readonly bases: readonly number[]
  readonly functionBases: readonly number[]
  readonly edgesFrom: Map<number, Edge[]>
  readonly calls: readonly JoinedCall[]
  readonly callersOf: ReadonlyMap<number, readonly number[]>
  readonly argumentsAt: Map<number, { call: number; callee: number; parameter: number }[]>
}

/** Of a class with several objects each call brings its own along; the fields of `this` that all code shares are cut off. */
function connectObjects(graph: OpenObjects, { isShared }: CallGraph): ReadonlyMap<number, number> {
  const { files, bases, functionBases, edgesFrom, calls, callersOf, argumentsAt } = graph
  const selvesAt = new Map<number, number>()
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    for (const [index, { methods, fields }] of (flow.callables?.classes ?? []).entries()) {
      if (isShared(file, index)) continue
      for (const [, node] of fields) edgesFrom.delete(base + node)
      for (const method of methods) {
        const self = flow.functions[method]?.self
        if (self === undefined) continue
        const callee = (functionBases[file] ?? 0) + method
        selvesAt.set(base + self, callee)
        for (const call of callersOf.get(callee) ?? []) {
          const receiver = calls[call]?.receiver
          if (receiver !== undefined) append(argumentsAt, receiver, { call, callee, parameter: base + self })
        }
      }
    }
  }
  return selvesAt
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

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}
