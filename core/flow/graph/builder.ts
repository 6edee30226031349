import type { Binding, FunctionFact, Value } from '../../facts/index.ts'
import type { Span } from '../../types.ts'

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
    const index = nameIndexes.get(name) ?? names.push(name) - 1
    nameIndexes.set(name, index)
    return index
  }
  return {
    add,
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
    connect: (from, to, operation, name) => void edges.push(from, to, operation, name === undefined ? -1 : indexOf(name)),
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
