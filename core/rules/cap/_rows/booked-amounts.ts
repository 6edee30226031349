import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, findPart, resolveValue, type Value } from '../../../facts/index.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import { isData } from './computed-elements.ts'
import { entityOfUpdate } from './decided-states.ts'

/** Names of numbers of rows that scripts add to other numbers, or take from them, in an update: `usedDays: { '+=': leave.days }`. */
export interface BookedAmounts {
  readonly names: readonly string[]
}

export const bookedAmounts: Extract<BookedAmounts> = defineExtract({
  name: 'cap-booked-amounts',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => BOOKS_IN_TEXT.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    const names = new Set<string>()
    for (const call of facts.calls) {
      step()
      if (entityOfUpdate(call) === undefined) continue
      for (const given of call.args) for (const name of bookedIn(given)) names.add(name)
    }
    if (names.size > 0) yield { names: [...names] }
  },
})

/** `'+=':`, `-=`, or a sum of members. */
const BOOKS_IN_TEXT = /['"][+-]=['"]\s{0,4}:|\w\s{0,4}[+-]\s{1,4}\w/

/** The numbers that the fields of a row are changed by. */
function bookedIn(given: Value): readonly string[] {
  const row = resolveValue(given)
  if (row.kind !== 'object') return []
  return row.fields.flatMap(({ value }) => {
    const made = resolveValue(value)
    const change = made.kind === 'object' ? made.fields.find(({ key }) => key === '+=' || key === '-=')?.value : sumIn(value)
    if (change === undefined || constantOf(change) !== undefined) return []
    const names = new Set<string>()
    // what the client sends now is no number of a row
    findPart(change, (part) => {
      if (part.kind === 'member' && part.name !== undefined && !isData(part.object)) names.add(part.name)
      return false
    })
    return [...names]
  })
}

/** `balance.used + leave.days`, also within `Math.max(0, …)`. */
function sumIn(value: Value): Value | undefined {
  return findPart(value, (part) => part.kind === 'operation' && /^[+-]$/.test(part.operator) && part.operands.length > 1)
}

/** The names of all of them. Needs the extract `bookedAmounts`. */
export function bookedNames(root: CapRoot): ReadonlySet<string> {
  return new Set(root.scripts.get(bookedAmounts).flatMap(({ value }) => value.names))
}
