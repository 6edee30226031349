import { createNodeThings, type NodeThings } from './node-things.ts'

/** What is followed lies in fields of what arrives, the outermost first; without one it is that itself. */
export interface InFields {
  readonly fields: readonly string[]
}

/** Functions, classes, objects and packages on their way through an app. */
export interface FollowedThings<Thing extends InFields> {
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
  const led = new Map<number, number[]>()
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
