import type { Thing } from './call-graph.ts'
import { createNodeThings, type NodeThings } from './node-things.ts'

/** Functions, classes, objects and packages on their way through an app. */
export interface FollowedThings {
  readonly things: readonly Thing[]
  readonly known: NodeThings
  /** A thing arrives at a node. */
  reach(node: number, thing: Thing): void
  /** The same of one that has its number already. */
  pass(node: number, id: number): void
  /** What is at a node, now or later, arrives at another one as well. */
  lead(from: number, to: number): void
  at(node: number): Thing[]
  /** An arrival that nobody followed yet. */
  next(): Arrival | undefined
  /** The nodes that one leads to by `lead`. */
  ledFrom(node: number): readonly number[]
}

export interface Arrival {
  readonly node: number
  readonly id: number
  readonly thing: Thing
}

/** Where more than so many things arrive, nobody can tell which one is called: a table of a thousand functions would lead from each of its calls to all of them. */
const MAX_AT_NODE = 200
const NONE: readonly number[] = []

export function createFollowedThings(step: () => void): FollowedThings {
  const things: Thing[] = []
  const ids = new Map<string, number>()
  const known = createNodeThings(MAX_AT_NODE)
  const open: number[] = []
  const led = new Map<number, number[]>()
  const idOf = (thing: Thing): number => {
    const { kind, file, index, shift, path, fields } = thing
    const key = `${kind} ${file} ${index} ${shift} ${path} ${fields.join('.')}`
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
    pass,
    reach: (node, thing) => pass(node, idOf(thing)),
    lead(from, to) {
      const leading = led.get(from)
      if (leading?.includes(to) === true) return
      if (leading === undefined) led.set(from, [to])
      else leading.push(to)
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
    ledFrom: (node) => led.get(node) ?? NONE,
  }
}
