import { listOf } from '../solve/adjacency.ts'
import type { OpenGraph, Thing } from './call-graph.ts'
import type { ClassReader } from '../classes/class-reader.ts'
import type { Arrival, FollowedThings } from './followed-things.ts'
import { isSameField, moveFields, RESULT } from '../places.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, FIELD, LOG, MOVE, READ, WRITE } from '../types.ts'

const MAX_FIELDS = 4
const MAX_PATH = 60

/** Methods of lists and maps: no item is called so. */
const OF_LISTS: ReadonlySet<string> = new Set(
  'add push unshift set get has delete clear map forEach filter find some every flatMap reduce keys values entries concat slice join includes size length'.split(
    ' ',
  ),
)

/** Moves that leave a single value what it is. */
const STAYING = /^(?:shift|mix|item|without)/

/** Where things go from the nodes at which they arrive. */
export interface FollowedEdges {
  /** Along all edges that begin there. */
  follow(arrival: Arrival): void
  /** What was read from objects, and became a part of a text: the classes of objects may have become known since. */
  readAgain(): void
}

/** An edge, with what arrived where it begins. */
interface Crossing extends Arrival {
  readonly to: number
  readonly name: string
}

/** The access path of a package with what is done to it. Too long a path is none. */
export function packageBehind(thing: Thing, what: string): Thing | undefined {
  return thing.path.length < MAX_PATH ? { ...thing, path: `${thing.path} ${what}` } : undefined
}

export function createFollowedEdges(
  { edges, names, edgesFrom }: Pick<OpenGraph, 'edges' | 'names' | 'edgesFrom'>,
  { reach, pass }: FollowedThings,
  { readMember, readText }: Pick<ClassReader, 'readMember' | 'readText'>,
): FollowedEdges {
  const texts = new Map<string, { thing: Thing; from: number; to: number }>()
  const reads = new Map<string, { thing: Thing; name: string; from: number; to: number }>()

  const read = ({ node, id, thing, to, name }: Crossing): void => {
    const [first, ...fields] = thing.fields
    if (first !== undefined) {
      if (isSameField(first, name) && (first !== ANY_FIELD || name === ANY_FIELD || !OF_LISTS.has(name)))
        reach(to, { ...thing, fields })
      return
    }
    if (thing.kind === 'function') return
    if (thing.kind === 'package') {
      const behind = name === 'default' ? thing : packageBehind(thing, name)
      if (behind !== undefined) reach(to, behind)
    } else if (thing.kind === 'class' && name === 'prototype') reach(to, { ...thing, kind: 'instance' })
    else {
      const key = `${id} ${name} ${node} ${to}`
      if (reads.has(key)) return
      reads.set(key, { thing, name, from: node, to })
      readMember(thing, name, node, to)
    }
  }
  const move = ({ thing, to, name }: Crossing): void => {
    if (name === 'called' && thing.fields[0] !== RESULT) return
    const [first, ...rest] = thing.fields
    const fields = first === undefined ? (STAYING.test(name) ? [] : undefined) : moveFields([first, ...rest], name)
    if (fields !== undefined && fields.length <= MAX_FIELDS) reach(to, { ...thing, fields })
  }
  const cross = (crossing: Crossing, operation: number): void => {
    const { node, id, thing, to, name } = crossing
    switch (operation) {
      case COPY:
      case CLEAN:
      case LOG:
        pass(to, id)
        break
      case CONCAT:
        if (thing.kind === 'instance' && thing.fields.length === 0) texts.set(`${id} ${node} ${to}`, { thing, from: node, to })
        break
      case WRITE:
        if (thing.fields.length < MAX_FIELDS) reach(to, { ...thing, fields: [name, ...thing.fields] })
        break
      case MOVE:
        move(crossing)
        break
      case READ:
      case FIELD:
        read(crossing)
        break
    }
  }
  return {
    follow(arrival) {
      for (const edge of listOf(edgesFrom, arrival.node)) {
        const [to = 0, operation = 0] = [edges[edge + 1], edges[edge + 2]]
        cross({ ...arrival, to, name: names[edges[edge + 3] ?? 0] ?? '' }, operation)
      }
    },
    readAgain() {
      for (const { thing, name, from, to } of reads.values()) readMember(thing, name, from, to)
      for (const { thing, from, to } of texts.values()) readText(thing, from, to)
    },
  }
}
