import { createFactTable, createNodeColumn, NO_FACT } from '../solve/fact-table.ts'
import type { OpenGraph } from './call-graph.ts'
import { isSameField, moveFields, RESULT } from '../places.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, FIELD, LOG, MOVE, READ, WRITE } from '../types.ts'

/** What is followed lies in fields of what arrives, the outermost first; without one it is that itself. */
export interface InFields {
  readonly fields: readonly string[]
}

/** Functions, classes, objects and packages on their way through an app. */
export interface FollowedThings<Thing extends InFields> {
  readonly things: readonly Thing[]
  readonly known: NodeThings
  /** The number of a thing: the same for two that are one. */
  idOf(thing: Thing): number
  /** A thing arrives at a node. */
  reach(node: number, thing: Thing): void
  /** The same of one that has its number already. */
  pass(node: number, id: number): void
  /** What is at a node, now or later, arrives at another one as well. */
  lead(from: number, to: number): void
  at(node: number): Thing[]
  /** An arrival that nobody followed yet. */
  next(): Arrival<Thing> | undefined
  /** The nodes that one leads to by `lead`. */
  ledFrom(node: number): readonly number[]
}

export interface Arrival<Thing extends InFields> {
  readonly node: number
  readonly id: number
  readonly thing: Thing
}

const NONE: readonly number[] = []

/** `keyOf`: the same for two that are one thing. `most`: where more arrive, nobody can tell which one is called. */
export function createFollowedThings<Thing extends InFields>(
  keyOf: (thing: Thing) => string,
  most: number,
  step: () => void,
): FollowedThings<Thing> {
  const things: Thing[] = []
  const ids = new Map<string, number>()
  const known = createNodeThings(most)
  const open: number[] = []
  // each lead leads to the one before from the same node
  const leads = createFactTable()
  const lastLeads = createNodeColumn(NO_FACT)
  const idOf = (thing: Thing): number => {
    const key = keyOf(thing)
    const id = ids.get(key) ?? things.push(thing) - 1
    ids.set(key, id)
    return id
  }
  const pass = (node: number, id: number): void => {
    step()
    if (known.add(node, id)) open.push(known.size - 1)
  }
  return {
    things,
    known,
    idOf,
    pass,
    reach: (node, thing) => pass(node, idOf(thing)),
    lead(from, to) {
      const { size } = leads
      leads.add(0, from, to, lastLeads.at(from), false)
      if (leads.size === size) return
      lastLeads.put(from, size)
      for (const id of known.at(from)) pass(to, id)
    },
    at: (node) => known.at(node).flatMap((id) => things[id] ?? []),
    next() {
      for (let arrival = open.pop(); arrival !== undefined; arrival = open.pop()) {
        const id = known.thing(arrival)
        const thing = things[id]
        if (thing !== undefined) return { node: known.node(arrival), id, thing }
      }
      return undefined
    },
    ledFrom(node) {
      const led: number[] = []
      for (let lead = lastLeads.at(node); lead !== NO_FACT; lead = leads.from(lead)) led.push(leads.label(lead))
      return led.toReversed()
    },
  }
}

/** Things by their numbers, and the nodes where they arrive, in the order in which they did: a large app has a quarter of a million. */
export interface NodeThings {
  /** How many arrivals there are; they are numbered. */
  readonly size: number
  node(arrival: number): number
  thing(arrival: number): number
  /** False: it is there, or so many are that no more are taken. */
  add(node: number, thing: number): boolean
  /** What has arrived at a node so far. */
  at(node: number): readonly number[]
  isFull(node: number): boolean
  nodes(): Iterable<number>
}

/**
 * A large app has a quarter of a million arrivals. Where all functions are handed to all others there are millions, which would use up the steps of the app before
 * anything flows by its calls: from so many on, a node takes fewer.
 */
const MANY_ARRIVALS = 500_000
const MOST_OF_MANY = 24

/** `most`: how many things one node takes. */
function createNodeThings(most: number): NodeThings {
  // each arrival leads to the one before at the same node
  const arrivals = createFactTable()
  const lasts = createNodeColumn(NO_FACT)
  const counts = createNodeColumn(0)
  const nodes: number[] = []
  const isFull = (node: number): boolean =>
    counts.at(node) >= (arrivals.size < MANY_ARRIVALS ? most : Math.min(most, MOST_OF_MANY))
  return {
    get size() {
      return arrivals.size
    },
    node: arrivals.node,
    thing: arrivals.label,
    add(node, thing) {
      if (isFull(node)) return false
      const { size } = arrivals
      arrivals.add(0, node, thing, lasts.at(node), false)
      if (arrivals.size === size) return false
      if (counts.at(node) === 0) nodes.push(node)
      lasts.put(node, size)
      counts.put(node, counts.at(node) + 1)
      return true
    },
    at(node) {
      const count = counts.at(node)
      if (count === 0) return NONE
      const things = Array.from<number>({ length: count })
      for (let arrival = lasts.at(node), place = count; arrival !== NO_FACT; arrival = arrivals.from(arrival))
        things[--place] = arrivals.label(arrival)
      return things
    },
    isFull,
    nodes: () => nodes,
  }
}

const MAX_FIELDS = 4

/** Methods of lists and maps: no item is called so. */
const OF_LISTS: ReadonlySet<string> = new Set(
  'add push unshift set get has delete clear map forEach filter find some every flatMap reduce keys values entries concat slice join includes size length'.split(
    ' ',
  ),
)

/** Moves that leave a single value what it is. */
const STAYING = /^(?:shift|mix|item|without)/

/** An edge, with what arrived where it begins. */
interface Crossing<Thing extends InFields> extends Arrival<Thing> {
  readonly to: number
  readonly name: string
}

/** What things are themselves, beside the fields that they lie in. */
export interface OwnMembers<Thing extends InFields> {
  /** A member of it is read. */
  read(crossing: Crossing<Thing>): void
  /** It becomes a part of a text. */
  join?(crossing: Crossing<Thing>): void
}

/** What becomes of a thing along an edge; undefined: it does not go on there. */
function moved<Thing extends InFields>(thing: Thing, operation: number, name: string): Thing | undefined {
  const [first, ...rest] = thing.fields
  switch (operation) {
    case WRITE:
      return thing.fields.length < MAX_FIELDS ? { ...thing, fields: [name, ...thing.fields] } : undefined
    case MOVE: {
      if (name === 'called' && first !== RESULT) return undefined
      const fields = first === undefined ? (STAYING.test(name) ? [] : undefined) : moveFields([first, ...rest], name)
      return fields !== undefined && fields.length <= MAX_FIELDS ? { ...thing, fields } : undefined
    }
    case READ:
    case FIELD: {
      const isThere =
        first !== undefined && isSameField(first, name) && (first !== ANY_FIELD || name === ANY_FIELD || !OF_LISTS.has(name))
      return isThere ? { ...thing, fields: rest } : undefined
    }
    default:
      return undefined
  }
}

const NOWHERE = -1

/** Follows things along all edges that begin where they arrive: into fields and out of them. What each is itself, its `own` knows. */
export function createFollowedEdges<Thing extends InFields>(
  { edges, names, edgesFrom: { starts, items } }: Pick<OpenGraph, 'edges' | 'names' | 'edgesFrom'>,
  { idOf, pass }: FollowedThings<Thing>,
  own: OwnMembers<Thing>,
): (arrival: Arrival<Thing>) => void {
  // the same things cross edges of the same kind and name over and over: what they become is worked out once
  const known = createFactTable()
  const goOn = ({ id, thing }: Arrival<Thing>, to: number, operation: number, name: number): void => {
    const fact = known.find(operation, id, name)
    let next = NOWHERE
    if (fact === NO_FACT) {
      const found = moved(thing, operation, names[name] ?? '')
      next = found === undefined ? NOWHERE : idOf(found)
      // what it becomes stands where other tables keep what a fact follows from
      known.add(operation, id, name, next, false)
    } else next = known.from(fact)
    if (next !== NOWHERE) pass(to, next)
  }
  return (arrival) => {
    const isItself = arrival.thing.fields.length === 0
    const last = starts[arrival.node + 1] ?? 0
    for (let at = starts[arrival.node] ?? 0; at < last; at++) {
      const edge = items[at] ?? 0
      const [to = 0, operation = 0, name = 0] = [edges[edge + 1], edges[edge + 2], edges[edge + 3]]
      // most edges hand on what arrives as it is
      if (operation === COPY || operation === CLEAN || operation === LOG) pass(to, arrival.id)
      else if (isItself && (operation === READ || operation === FIELD)) own.read({ ...arrival, to, name: names[name] ?? '' })
      else if (operation === CONCAT) {
        if (isItself) own.join?.({ ...arrival, to, name: names[name] ?? '' })
      } else goOn(arrival, to, operation, name)
    }
  }
}
