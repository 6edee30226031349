import { type Binding, type FunctionFact, type Value, isNonText, type CallValue } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { OWN_NAMES } from '../tables/markup.ts'
import { FIXED_MODELS } from '../tables/web.ts'
import { type FlowPort, COPY, WRITE, READ } from '../types.ts'
import { COMPONENT_STORE } from '../pages/stores.ts'

/** Nodes and edges of one file while they are collected. */
export interface GraphBuilder {
  /** A node of its own, such as that of a parameter. */
  add(place: Span): number
  /** The node of a value, a name or a function's result; `isNew` says that nothing leads to it yet. */
  of(thing: Value | Binding | FunctionFact): { readonly node: number; readonly isNew: boolean }
  /** The node that a value has already. */
  nodeOf(thing: Value | Binding | FunctionFact): number | undefined
  /** A field of `this`, by the class or object that it belongs to. */
  ofField(owner: object, name: string, place: Span): number
  fieldsOf(owner: object): readonly (readonly [name: string, node: number])[]
  connect(from: number, to: number, operation: number, name?: string): void
  /** A node of its own behind an edge: a field of a value, or what becomes of it. */
  derive(from: number, place: Span, operation: number, name?: string): number
  /** Through fields, the outermost first, to a node of its own; without any it is the value itself. */
  read(from: number, path: readonly string[], place: Span): number
  /** The same to a node that is there. */
  readInto(from: number, path: readonly string[], to: number, place: Span): void
  /** A node that holds a value in a field of a field, the outermost first. */
  wrap(from: number, path: readonly string[], place: Span): number
  /** What has a node of its own, and the fields of `this`. */
  eachThing(tell: (thing: Value | Binding | FunctionFact | undefined, node: number) => void): void
  /** By node: whether anything leads to it. */
  isReached(): Uint8Array
  finish(): { readonly nodes: Int32Array; readonly edges: Int32Array; readonly names: readonly string[] }
}

export function createGraphBuilder(): GraphBuilder {
  const places: number[] = []
  const edges: number[] = []
  const names: string[] = []
  const nameIndexes = new Map<string, number>()
  const known = new Map<Value | Binding | FunctionFact, number>()
  const fields = new Map<object, Map<string, number>>()

  const add = ({ start, end }: Span): number => places.push(start, end) / 2 - 1
  const indexOf = (name: string): number => {
    const known = nameIndexes.get(name)
    if (known !== undefined) return known
    const index = names.push(name) - 1
    nameIndexes.set(name, index)
    return index
  }
  const connect: GraphBuilder['connect'] = (from, to, operation, name) =>
    void edges.push(from, to, operation, name === undefined ? -1 : indexOf(name))
  return {
    ...createSteps({ add, connect }),
    of(thing) {
      const node = known.get(thing)
      if (node !== undefined) return { node, isNew: false }
      const made = add(thing)
      known.set(thing, made)
      return { node: made, isNew: true }
    },
    nodeOf: (thing) => known.get(thing),
    ofField(owner, name, place) {
      const own = fields.get(owner) ?? new Map<string, number>()
      fields.set(owner, own)
      const node = own.get(name) ?? add(place)
      own.set(name, node)
      return node
    },
    fieldsOf: (owner) => [...(fields.get(owner) ?? [])],
    eachThing(tell) {
      known.forEach((node, thing) => tell(thing, node))
      for (const own of fields.values()) for (const node of own.values()) tell(undefined, node)
    },
    isReached() {
      const reached = new Uint8Array(places.length / 2)
      for (let at = 1; at < edges.length; at += 4) reached[edges[at] ?? 0] = 1
      return reached
    },
    finish: () => ({ nodes: new Int32Array(places), edges: new Int32Array(edges), names }),
  }
}

/** Nodes with the edges that lead to them. */
function createSteps({
  add,
  connect,
}: Pick<GraphBuilder, 'add' | 'connect'>): Pick<GraphBuilder, 'add' | 'connect' | 'derive' | 'read' | 'readInto' | 'wrap'> {
  const derive: GraphBuilder['derive'] = (from, place, operation, name) => {
    const to = add(place)
    connect(from, to, operation, name)
    return to
  }
  const read: GraphBuilder['read'] = (from, path, place) => path.reduce((here, name) => derive(here, place, READ, name), from)
  return {
    add,
    connect,
    derive,
    read,
    readInto(from, path, to, place) {
      const last = path.at(-1)
      if (last === undefined) connect(from, to, COPY)
      else connect(read(from, path.slice(0, -1), place), to, READ, last)
    },
    wrap: (from, path, place) => path.reduceRight((here, name) => derive(here, place, WRITE, name), from),
  }
}

/** Nodes that nothing leads to although they may hold any text: results of functions that are not here, imports, names that nobody declares, fields that nobody sets. */
export function unresolvedIn(graph: GraphBuilder, ports: readonly FlowPort[]): number[] {
  const reached = graph.isReached()
  // what a model, a property or the component holds, the app tells
  for (const { node, access, store } of ports)
    if (access === 'read' && (OF_APP.test(store) || store === COMPONENT_STORE)) reached[node] = 1
  const found: number[] = []
  graph.eachThing((thing, node) => {
    if (reached[node] === 0 && (thing === undefined || isOpen(thing))) found.push(node)
  })
  return found
}

/** Models, properties of controls, and the custom data and lists of those that views hold. */
const OF_APP = /^(?:model |property |shown (?:[#@][^.]{1,100}\.)?(?:data:|(?:rows|items)$))/

function isOpen(thing: Value | Binding | FunctionFact): boolean {
  if (!('kind' in thing)) return false
  switch (thing.kind) {
    case 'call':
    case 'new':
      return !isNonText(thing) && !isOwn(thing)
    case 'tagged':
    case 'unknown':
      return true
    case 'reference':
      return thing.binding === undefined && !CONSTANTS.has(thing.name)
    case 'member':
      return thing.object.kind === 'this' && !isNonText(thing)
    case 'import':
    case 'parameter':
    case 'catch':
      return true
    default:
      return false
  }
}

const CONSTANTS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity'])

/** Ids, addresses and texts of the app. */
function isOwn(call: CallValue): boolean {
  const name = lastNameOf(call.callee) ?? ''
  if (call.callee.kind !== 'member') return false
  if (OWN_NAMES.has(name) || isOfTexts(call)) return true
  return name === 'getText'
}

/** `this.getView().getModel("i18n")`, also by a name that it was given. */
function isOfTexts(value: Value): boolean {
  let here: Value | undefined = value
  for (let hops = 0; hops < 20 && here !== undefined; hops++) {
    if (here.kind === 'reference') {
      const [definition, other]: Binding['definitions'] = here.binding?.definitions ?? []
      here = other === undefined ? definition?.value : undefined
    } else if (here.kind === 'call' && here.callee.kind === 'member') {
      const [model] = here.args
      if (here.callee.name === 'getModel' && model?.kind === 'literal') return FIXED_MODELS.test(String(model.value))
      here = here.callee.object
    } else return false
  }
  return false
}
