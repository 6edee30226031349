import { append, groupBy } from '../../lists.ts'
import type { AskedValue } from '../check-types.ts'
import { createLinker, type LinkedFile } from '../app/links.ts'
import { NO_FLOW, type FileFlow, type FlowCall, type FlowExports, type FlowFunction, type FlowObject } from '../types.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Calls of one function; of more the values are not told apart. */
const MAX_SITES = 12
const MAX_INSTANCES = 60
/** Nodes of one function or class: a module that is a function of its own is more than what it makes. */
const MAX_NODES = 600

interface Site {
  readonly file: number
  readonly call: number
}

/**
 * Gives each call of a function that makes functions a copy of it, so that what one of them knows is not taken for what the others know: `memo(read)` and
 * `memo(encoded)`, `withTag('b', text)(prefix)`.
 */
export function withInstances(files: readonly LinkedFile[]): readonly LinkedFile[] {
  if (!files.some(({ flow }) => flow.functions.some(({ isMaker }) => isMaker === true))) return files
  const linker = createLinker(files)
  const sites = new Map<string, Site[]>()
  for (const [file, { flow }] of files.entries())
    for (const [call, own] of flow.calls.entries()) {
      const [target, other] = linker.called(file, own)
      if (target === undefined || other !== undefined) continue
      if (files[target.file]?.flow.functions[target.index]?.isMaker === true)
        append(sites, `${target.file} ${target.index}`, { file, call })
    }
  const changed = new Map<number, Draft>()
  const draftOf = (file: number): Draft => {
    const known = changed.get(file) ?? toDraft(files[file]?.flow)
    changed.set(file, known)
    return known
  }
  let instances = 0
  for (const [key, calls] of sites) {
    const [file = 0, index = 0] = key.split(' ').map(Number)
    const own = files[file]?.flow
    const made = own?.functions[index]
    if (own === undefined || made === undefined || calls.length < 2 || calls.length > MAX_SITES) continue
    const nodes = nodesWithin(own, made)
    if (nodes.length > MAX_NODES) continue
    leaveToCopies(draftOf(file), made, new Set(nodes))
    for (const site of calls) {
      if (instances++ >= MAX_INSTANCES) break
      const copy = addInstance(draftOf(file), own, made, nodes)
      const name = `@${copy}`
      draftOf(file).exports.functions.push([name, copy])
      const from = draftOf(site.file)
      const call = from.calls[site.call]
      if (call === undefined) continue
      const { module, ...rest } = call
      from.calls[site.call] =
        module === undefined ? { ...rest, targets: [copy] } : { ...rest, module: { source: module.source, name } }
    }
  }
  return changed.size === 0 ? files : files.map((file, index) => withDraft(file, changed.get(index)))
}

/** A file while functions are added to it. */
interface Draft {
  readonly flow: FileFlow
  readonly nodes: number[]
  readonly edges: number[]
  readonly functions: FlowFunction[]
  readonly calls: FlowCall[]
  readonly sources: FileFlow['sources'][number][]
  readonly sinks: FileFlow['sinks'][number][]
  readonly ports: FileFlow['ports'][number][]
  readonly unresolved: number[]
  readonly objects: NonNullable<FileFlow['objects']>[number][]
  readonly asked: NonNullable<FileFlow['asked']>[number][]
  readonly exports: FlowExports & { readonly functions: FlowExports['functions'][number][] }
  readonly shown: Map<number, string>
}

function toDraft(given: FileFlow | undefined): Draft {
  const flow = given ?? NO_FLOW
  return {
    flow,
    nodes: [...flow.nodes],
    edges: [...flow.edges],
    functions: [...flow.functions],
    calls: [...flow.calls],
    sources: [...flow.sources],
    sinks: [...flow.sinks],
    ports: [...flow.ports],
    unresolved: [...flow.unresolved],
    objects: [...(flow.objects ?? [])],
    asked: [...(flow.asked ?? [])],
    exports: { ...flow.exports, functions: [...flow.exports.functions] },
    shown: new Map(flow.shown),
  }
}

function withDraft(file: LinkedFile, draft: Draft | undefined): LinkedFile {
  if (draft === undefined) return file
  const { flow, nodes, edges, ...lists } = draft
  return { ...file, flow: { ...flow, ...lists, nodes: new Int32Array(nodes), edges: new Int32Array(edges) } }
}

/** The nodes of a function: those that stand inside of it, and its own. */
function nodesWithin({ nodes }: FileFlow, { start, end, parameters, result }: FlowFunction): readonly number[] {
  const found = new Set([...parameters, result])
  for (let node = 0; node * 2 < nodes.length; node++)
    if (start < (nodes[node * 2] ?? 0) && (nodes[node * 2 + 1] ?? 0) <= end) found.add(node)
  return [...found]
}

/** What nobody fills and nobody tells in the function itself, its copies tell. */
function leaveToCopies({ functions, unresolved }: Draft, around: FlowFunction, nodes: ReadonlySet<number>): void {
  for (const [index, one] of functions.entries()) if (isWithin(one, around)) functions[index] = { ...one, isCopied: true }
  const left = unresolved.filter((node) => !nodes.has(node))
  unresolved.splice(0, unresolved.length, ...left)
}

/** Gives the index of the copy. */
function addInstance(draft: Draft, own: FileFlow, made: FlowFunction, nodes: readonly number[]): number {
  const copies = new Map<number, number>()
  for (const node of nodes) {
    copies.set(node, draft.nodes.push(own.nodes[node * 2] ?? 0, own.nodes[node * 2 + 1] ?? 0) / 2 - 1)
    const text = own.shown.get(node)
    if (text !== undefined) draft.shown.set(copies.get(node) ?? 0, text)
  }
  const to = (node: number): number => copies.get(node) ?? node
  const functions = new Map<number, number>()
  for (const [index, one] of own.functions.entries())
    if (one === made || (made.start < one.start && one.end <= made.end)) functions.set(index, draft.functions.push(one) - 1)
  const target = (index: number): number => functions.get(index) ?? index
  for (const [index, copy] of functions) {
    const one = own.functions[index]
    if (one !== undefined) draft.functions[copy] = copyFunction(one, to)
  }
  for (let at = 0; at < own.edges.length; at += 4) {
    const [from, end] = [own.edges[at] ?? 0, own.edges[at + 1] ?? 0]
    if (copies.has(from) || copies.has(end)) draft.edges.push(to(from), to(end), own.edges[at + 2] ?? 0, own.edges[at + 3] ?? -1)
  }
  for (const call of own.calls) if (copies.has(call.result)) draft.calls.push(copyCall(call, to, target))
  for (const source of own.sources) if (copies.has(source.node)) draft.sources.push({ ...source, node: to(source.node) })
  for (const sink of own.sinks) if (copies.has(sink.node)) draft.sinks.push({ ...sink, node: to(sink.node) })
  for (const port of own.ports) if (copies.has(port.node)) draft.ports.push({ ...port, node: to(port.node) })
  for (const node of own.unresolved) if (copies.has(node)) draft.unresolved.push(to(node))
  for (const object of own.objects ?? [])
    if (copies.has(object.node))
      draft.objects.push({
        ...object,
        node: to(object.node),
        methods: object.methods.map(([name, index]) => [name, target(index)]),
      })
  for (const value of own.asked ?? []) if (copies.has(value.to)) draft.asked.push(copyAsked(value, to))
  return target(own.functions.indexOf(made))
}

function copyFunction(one: FlowFunction, to: (node: number) => number): FlowFunction {
  const { parameters, result, filled, defaults, keyed } = one
  return {
    ...one,
    parameters: parameters.map(to),
    result: to(result),
    ...(filled !== undefined && { filled: filled.map(([parameter, node]) => [parameter, to(node)] as const) }),
    ...(defaults !== undefined && { defaults: defaults.map(([parameter, node]) => [parameter, to(node)] as const) }),
    ...(keyed !== undefined && { keyed: { ...keyed, object: to(keyed.object) } }),
  }
}

function copyAsked({ by, ...value }: AskedValue, to: (node: number) => number): AskedValue {
  return {
    ...value,
    from: to(value.from),
    between: to(value.between),
    to: to(value.to),
    by: 'call' in by ? { call: to(by.call), given: to(by.given) } : 'front' in by ? { front: to(by.front) } : by,
  }
}

function copyCall(call: FlowCall, to: (node: number) => number, target: (index: number) => number): FlowCall {
  const { result, args, receiver, filled, targets, dispatch } = call
  return {
    ...call,
    result: to(result),
    args: args.map(to),
    targets: targets.map(target),
    ...(receiver !== undefined && { receiver: to(receiver) }),
    ...(filled !== undefined && { filled: filled.map(([argument, node]) => [argument, to(node)] as const) }),
    ...(dispatch !== undefined && {
      dispatch: { ...dispatch, node: to(dispatch.node), ...(dispatch.via !== undefined && { via: to(dispatch.via) }) },
    }),
  }
}

/** Objects of one class; of more the values are not told apart. */
const MAX_OBJECTS = 8
const MAX_COPIES = 24

/**
 * Gives each object that a file makes of a class of its own a copy of the class in that file, so that what one holds is not taken for what the others hold:
 * `new Lines('Cause')`, `new Lines('Hours')`. Of classes of other files `withObjects` does it.
 */
export function withOwnObjects(files: readonly LinkedFile[]): readonly LinkedFile[] {
  let copies = 0
  return files.map((file) => {
    const classes = objectsByClass(file.flow)
    if (classes.length === 0) return file
    const draft = toDraft(file.flow)
    for (const objects of classes) {
      const own = classOf(objects, file.flow)
      if (own === undefined || objects.length > MAX_OBJECTS || copies + objects.length > MAX_COPIES) continue
      copies += objects.length
      separate(own, objects, draft)
    }
    return withDraft(file, draft)
  })
}

/** The objects of each class of which the file makes several. */
function objectsByClass({ objects = [] }: FileFlow): readonly (readonly FlowObject[])[] {
  const ofClasses = objects.filter(({ of }) => of !== undefined)
  return [...groupBy(ofClasses, ({ of }) => `${of?.start} ${of?.end}`).values()].filter((own) => own.length > 1)
}

/** A class with the nodes and functions that are written in it. */
interface OwnClass {
  readonly flow: FileFlow
  readonly place: FlowFunction
  readonly nodes: ReadonlySet<number>
  readonly functions: ReadonlySet<number>
}

/** Undefined: the class is too large, or some call of its methods does not say of which object it is. */
function classOf([first, ...others]: readonly FlowObject[], flow: FileFlow): OwnClass | undefined {
  if (first?.of === undefined) return undefined
  const { start, end } = first.of
  const place: FlowFunction = { name: '', parameters: [], result: first.node, start, end }
  const nodes = new Set(nodesWithin(flow, place))
  const made = new Set([first, ...others].map(({ node }) => node))
  for (const node of made) nodes.delete(node)
  const functions = new Set(flow.functions.flatMap((one, index) => (start < one.start && one.end <= end ? [index] : [])))
  const isKnown = flow.calls.every(
    ({ result, receiver, targets }) =>
      nodes.has(result) || made.has(receiver ?? result) || !targets.some((target) => functions.has(target)),
  )
  return isKnown && nodes.size <= MAX_NODES ? { flow, place, nodes, functions } : undefined
}

function separate({ flow, place, nodes, functions }: OwnClass, objects: readonly FlowObject[], draft: Draft): void {
  leaveToCopies(draft, place, nodes)
  const made = new Set(objects.map(({ node }) => node))
  /** By the node of a copy: its object. */
  const objectOf = new Map<number, number>()
  for (const { node } of objects) {
    const [firstNode, firstFunction] = [draft.nodes.length / 2, draft.functions.length]
    addInstance(draft, flow, place, [...nodes])
    for (let copy = firstNode; copy < draft.nodes.length / 2; copy++) objectOf.set(copy, node)
    const copies = new Map([...functions].map((index, at) => [index, firstFunction + at]))
    const to = (index: number): number => copies.get(index) ?? index
    for (const [index, call] of draft.calls.entries())
      if ((call.receiver ?? call.result) === node) draft.calls[index] = { ...call, targets: call.targets.map(to) }
    for (const [index, object] of draft.objects.entries())
      if (object.node === node)
        draft.objects[index] = { ...object, methods: object.methods.map(([name, method]) => [name, to(method)] as const) }
  }
  cutEdges(draft, (from, to) => {
    const [object, inside] = made.has(from) ? [from, to] : [to, from]
    return made.has(object) && (nodes.has(inside) || (objectOf.get(inside) ?? object) !== object)
  })
}

/** Takes out the edges between an object and what is that of another one. */
function cutEdges({ edges }: Draft, isCut: (from: number, to: number) => boolean): void {
  let end = 0
  for (let at = 0; at < edges.length; at += 4) {
    if (isCut(edges[at] ?? 0, edges[at + 1] ?? 0)) continue
    for (let part = 0; part < 4; part++) edges[end++] = edges[at + part] ?? 0
  }
  edges.length = end
}
