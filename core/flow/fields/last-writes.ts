import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { append, findFirst } from '../../lists.ts'
import type { Span } from '../../types.ts'
import type { Owners } from '../calls/owners.ts'
import { addFirstWrites } from './first-writes.ts'
import { createPlaces } from '../graph/places.ts'
import { isSilent, type Place } from '../values/silent-calls.ts'

/** What is written to one place. */
export interface PlaceWrite extends Span, Place {
  /** The assignment, the call or the value of a field that writes. */
  readonly by: object
  /** Undefined: more than a value, or a part of one. */
  readonly value: Value | undefined
  readonly function: FunctionFact
  /** The end of what names the place. */
  readonly named: number
}

/**
 * Fields of `this` and of objects, paths of models and entries of the storage that are written twice in one straight run of code: what was written first is gone, and
 * what is read between the two is the first.
 */
export interface LastWrites {
  /** Whether nothing is left of what an assignment, a call or a field of a class or an object writes. */
  isGone(by: object): boolean
  /** What a field or a path of a model holds where it is read, if the lines above say it for certain. */
  read(value: Value): Value | undefined
}

export const NO_LAST_WRITES: LastWrites = { isGone: () => false, read: () => undefined }

/** More writes to one place are a table that is filled line by line. */
const MAX_WRITES = 20
const MAX_BETWEEN = 4000
/** What ends the straight run, or lets other code run meanwhile. */
const LEAVING = /\b(?:return|await|yield|throw|break|continue)\b/
const WAITING = /\b(?:await|yield)\b/

interface WritingScript {
  readonly facts: ScriptFacts
  readonly text: string
  readonly owners: Owners
  readonly step: (count?: number) => void
}

export function createLastWrites({ facts, text, owners, step }: WritingScript): LastWrites {
  const { guards, partial, calls } = facts
  const places = createPlaces(owners)
  const writes = new Map<string, PlaceWrite[]>()
  const add = (write: PlaceWrite): void => append(writes, `${write.key} ${write.function.start}`, write)
  for (const assignment of facts.assignments) {
    const { target, value, operator, start, end, function: within } = assignment
    const place = places.ofMember(target)
    if (place !== undefined)
      add({
        ...place,
        by: assignment,
        value: operator === '=' ? value : undefined,
        start,
        end,
        function: within,
        named: target.end,
      })
  }
  for (const call of calls) {
    const { start, end, function: within } = call
    const written = places.ofWriting(call)
    if (written !== undefined) add({ ...written.place, by: call, value: written.value, start, end, function: within, named: end })
  }
  if (writes.size === 0) return NO_LAST_WRITES
  addFirstWrites({ facts, owners, places, writes, add })
  for (const own of writes.values()) own.sort((a, b) => a.start - b.start)

  const isAround = ({ start, end }: Span, at: number): boolean => start <= at && at < end
  /** Whether no condition and no loop stands around one place that does not stand around the other. */
  const isAsCertain = (at: number, other: number): boolean => {
    step(1 + ((guards.length + partial.length) >> 3))
    return (
      !guards.some(({ inside }) => isAround(inside, at) && !isAround(inside, other)) &&
      !partial.some((span) => isAround(span, at) && !isAround(span, other))
    )
  }
  let sorted: readonly CallValue[] | undefined
  const callsBetween = (from: number, to: number): readonly CallValue[] => {
    sorted ??= calls.toSorted((one, other) => one.start - other.start)
    const startOf = (index: number): number => sorted?.[index]?.start ?? 0
    const begun = sorted.slice(
      findFirst(sorted.length, (index) => startOf(index) >= from),
      findFirst(sorted.length, (index) => startOf(index) >= to),
    )
    step(1 + (begun.length >> 2))
    return begun.filter((call) => call.end <= to)
  }
  const isUnseen = (write: PlaceWrite, to: number): boolean =>
    callsBetween(write.end, to).every(
      (call) => call.function !== write.function || isSilent(call, write) || places.ofReading(call)?.key === write.key,
    )
  const settledAt = (own: readonly PlaceWrite[], at: number): PlaceWrite | undefined => {
    step(1 + (own.length >> 2))
    const last = own.findLast(({ end }) => end <= at)
    if (last === undefined || at - last.end > MAX_BETWEEN || WAITING.test(text.slice(last.end, at))) return undefined
    if (!isAsCertain(last.start, at) || !isUnseen(last, at)) return undefined
    step(1 + (partial.length >> 3))
    // what is written further down in the same loop comes around
    const loops = partial.filter((span) => isAround(span, at))
    return loops.some((span) => own.some((one) => one.start > at && isAround(span, one.start))) ? undefined : last
  }
  /** Whether all that is read of the place between two writes is known to be the first. */
  const isReadKnown = (write: PlaceWrite, next: PlaceWrite, own: readonly PlaceWrite[]): boolean => {
    if (write.name === '')
      return callsBetween(write.end, next.end).every((call) => {
        const read = places.ofReading(call)
        return read === undefined || read.key !== write.key || settledAt(own, call.start) === write
      })
    const { name } = write
    for (let at = text.indexOf(name, write.end); at >= 0 && at < next.end; at = text.indexOf(name, at + name.length)) {
      step()
      if (at < next.start || at >= next.named) {
        const isWord = !/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')
        if (isWord && (text[at - 1] !== '.' || settledAt(own, at) !== write)) return false
      }
    }
    return true
  }
  const gone = new Set<object>()
  for (const own of writes.values()) {
    if (own.length < 2 || own.length > MAX_WRITES) continue
    for (const [index, write] of own.entries()) {
      const next = own[index + 1]
      if (next === undefined || next.end - write.end > MAX_BETWEEN || next.start < write.end) continue
      if (LEAVING.test(text.slice(write.end, next.end)) || !isAsCertain(next.start, write.start)) continue
      if (isUnseen(write, next.end) && isReadKnown(write, next, own)) gone.add(write.by)
    }
  }
  return {
    isGone: (by) => gone.has(by),
    read(value) {
      const found = value.kind === 'member' ? places.ofMember(value) : value.kind === 'call' ? places.ofReading(value) : undefined
      const within = found && places.functionOf(value)
      const own = found && within && writes.get(`${found.key} ${within.start}`)
      return own === undefined ? undefined : settledAt(own, value.start)?.value
    },
  }
}
