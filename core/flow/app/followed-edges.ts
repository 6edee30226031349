import { listOf } from '../solve/adjacency.ts'
import type { OpenGraph } from './call-graph.ts'
import type { Arrival, FollowedThings, InFields } from './followed-things.ts'
import { isSameField, moveFields, RESULT } from '../places.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, FIELD, LOG, MOVE, READ, WRITE } from '../types.ts'

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
export interface Crossing<Thing extends InFields> extends Arrival<Thing> {
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

/** Follows things along all edges that begin where they arrive: into fields and out of them. What each is itself, its `own` knows. */
export function createFollowedEdges<Thing extends InFields>(
  { edges, names, edgesFrom }: Pick<OpenGraph, 'edges' | 'names' | 'edgesFrom'>,
  { reach, pass }: FollowedThings<Thing>,
  own: OwnMembers<Thing>,
): (arrival: Arrival<Thing>) => void {
  const read = (crossing: Crossing<Thing>): void => {
    const { thing, to, name } = crossing
    const [first, ...fields] = thing.fields
    if (first === undefined) own.read(crossing)
    else if (isSameField(first, name) && (first !== ANY_FIELD || name === ANY_FIELD || !OF_LISTS.has(name)))
      reach(to, { ...thing, fields })
  }
  const move = ({ thing, to, name }: Crossing<Thing>): void => {
    if (name === 'called' && thing.fields[0] !== RESULT) return
    const [first, ...rest] = thing.fields
    const fields = first === undefined ? (STAYING.test(name) ? [] : undefined) : moveFields([first, ...rest], name)
    if (fields !== undefined && fields.length <= MAX_FIELDS) reach(to, { ...thing, fields })
  }
  const cross = (crossing: Crossing<Thing>, operation: number): void => {
    const { id, thing, to, name } = crossing
    switch (operation) {
      case COPY:
      case CLEAN:
      case LOG:
        pass(to, id)
        break
      case CONCAT:
        if (thing.fields.length === 0) own.join?.(crossing)
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
  return (arrival) => {
    for (const edge of listOf(edgesFrom, arrival.node)) {
      const [to = 0, operation = 0] = [edges[edge + 1], edges[edge + 2]]
      cross({ ...arrival, to, name: names[edges[edge + 3] ?? 0] ?? '' }, operation)
    }
  }
}
