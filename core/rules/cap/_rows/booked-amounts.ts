import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { entityOf } from '../_handlers/query-chains.ts'
import { isData } from './computed-elements.ts'
import { entityOfUpdate } from './decided-states.ts'
import { lookUpBehind } from './own-profiles.ts'

/** Names of numbers of rows that scripts add to other numbers, or take from them, in an update: `usedDays: { '+=': leave.days }`. */
export interface BookedAmounts {
  /** The last part of the name of their entity, and theirs. */
  readonly entity: string
  readonly name: string
}

export const bookedAmounts: Extract<BookedAmounts> = defineExtract({
  name: 'cap-booked-amounts',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => BOOKS_IN_TEXT.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      step()
      if (entityOfUpdate(call) === undefined) continue
      for (const given of call.args) yield* bookedIn(given, step)
    }
  },
})

/** `'+=':`, `-=`, or a sum of members. */
const BOOKS_IN_TEXT = /['"][+-]=['"]\s{0,4}:|\w\s{0,4}[+-]\s{1,4}\w/

/** The numbers that the fields of a row are changed by. */
function bookedIn(given: Value, step: (count?: number) => void): readonly BookedAmounts[] {
  const row = resolveValue(given)
  if (row.kind !== 'object') return []
  return row.fields.flatMap(({ value }) => {
    const made = resolveValue(value)
    const change = made.kind === 'object' ? made.fields.find(({ key }) => key === '+=' || key === '-=')?.value : sumIn(value)
    if (change === undefined || constantOf(change) !== undefined) return []
    const found: BookedAmounts[] = []
    // what the client sends now is no number of a row
    findPart(change, (part) => {
      const read =
        part.kind === 'member' && part.name !== undefined && !isData(part.object) ? lookUpBehind(part.object, step) : undefined
      const entity = read && entityOf(read.args[0])
      if (read === undefined || entity === undefined || part.kind !== 'member' || part.name === undefined) return false
      // of several rows it is their number
      if (part.name !== 'length' || isOfOneRow(read)) found.push({ entity, name: part.name })
      return false
    })
    return found
  })
}

/** `SELECT.one.from(Trips)`, `SELECT.from(Trips, ID)`. */
function isOfOneRow({ callee, args }: CallValue): boolean {
  return args.length > 1 || accessesOf(callee).some(({ steps }) => steps.includes('one'))
}

/** `balance.used + leave.days`, also within `Math.max(0, …)`. */
function sumIn(value: Value): Value | undefined {
  return findPart(value, (part) => part.kind === 'operation' && /^[+-]$/.test(part.operator) && part.operands.length > 1)
}

/** The entities with such a number, by its name. Needs the extract `bookedAmounts`. */
export function bookedNames(root: CapRoot): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { value } of root.scripts.get(bookedAmounts))
    found.set(value.name, (found.get(value.name) ?? new Set<string>()).add(value.entity))
  return found
}
