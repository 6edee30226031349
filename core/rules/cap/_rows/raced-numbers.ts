import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createCodeReader, excerptOf, valuesOf, type CallValue, type OperationValue, type Value } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { CRUD_EVENT } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { bareNumber, changedNumbers, compoundsOf, readFrom } from './changed-numbers.ts'

/** An update that writes a number which a handler has read and compared before, and has worked out by itself. */
export interface RacedNumber extends Span, EventNames {
  /** The last part of the name of the entity, and the number. */
  readonly entity: string
  readonly element: string
  /** The comparison, as it is written. */
  readonly limit: string
}

/** Numbers that handlers read, compare and write back, with nothing that keeps others from doing so at the same time. */
export const racedNumbers: Extract<RacedNumber> = defineExtract({
  name: 'cap-raced-numbers',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /\.(?:on|before|after)\s{0,4}\(/.test(text) && /[<>]/.test(text) && /\b(?:srv|cds|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const compounds = compoundsOf(facts, step)
    let found: Looked | undefined
    for (const call of facts.calls) {
      step()
      for (const { entity, element, before } of changedNumbers(call, compounds)) {
        if (before === undefined || readFrom(before, step) !== entity) continue
        found ??= {
          ...findHandledFunctions(facts),
          comparisons: createInnerIndex(
            valuesOf(facts).flatMap(({ value }) => (value.kind === 'operation' && COMPARES.test(value.operator) ? [value] : [])),
          ),
          callsAt: groupBy(facts.calls, ({ start }) => start),
          locks: createCodeReader(text, (code) => LOCKS.test(code)),
        }
        const handler = found.handlerOf(call)
        const events = handler?.events.flatMap((name) => name ?? []) ?? []
        if (handler?.fact === undefined || !events.some((name) => !CRUD_EVENT.test(name) || WRITES.test(name))) continue
        if (found.locks(call.function) || found.locks(handler.fact) || isConditional(call, element, found)) continue
        const compared = found.comparisons(call.function).find((one) => one.start < call.end && isOf(one, before, element))
        if (compared === undefined) continue
        const { start, end } = call
        yield { ...eventNamesOf(handler), start, end, entity, element, limit: excerptOf(text, compared) }
        break
      }
    }
  },
})

interface Looked extends Pick<ReturnType<typeof findHandledFunctions>, 'handlerOf'> {
  readonly comparisons: (around: Span) => readonly OperationValue[]
  readonly callsAt: ReadonlyMap<number, readonly CallValue[]>
  readonly locks: (fact: CallValue['function']) => boolean
}

const COMPARES = /^[<>]=?$/
const WRITES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|SAVE|WRITE|DELETE)$/
/** Fact: capire, "Pessimistic Locking" (`forUpdate`, `forShareLock`). Others have locks of their own. */
const LOCKS = /\bforUpdate\b|\bforShareLock\b|lock|mutex|semaphore|serializ|\bENQUEUE/i

/** The where of the update names the number. */
function isConditional(call: CallValue, element: string, { callsAt }: Looked): boolean {
  return (callsAt.get(call.start) ?? []).some(
    (one) =>
      /^(?:where|and|set|with|byKey)$/.test(lastNameOf(one.callee) ?? '') &&
      one !== call &&
      (one.texts?.some((text) => text.includes(element)) === true || one.args.some((given) => names(given, element))),
  )
}

function names(given: Value, element: string): boolean {
  const here = bareNumber(given)
  if (here.kind === 'object') return here.fields.some(({ key }) => key === element || key === undefined)
  return here.kind !== 'literal' || String(here.value).includes(element)
}

/** `book.stock < quantity`, of the same row; `stock < quantity` of what was taken out of it. */
function isOf({ operands }: OperationValue, before: Value, element: string): boolean {
  const row = rowOf(before)
  return operands.some((one) => nameOf(one) === element && rowOf(one) === row)
}

function nameOf(value: Value): string | undefined {
  const here = bareNumber(value)
  if (here.kind !== 'reference') return lastNameOf(here)
  return here.binding?.definitions.find(({ path }) => path.length > 0)?.path.at(-1) ?? here.name
}

/** What holds the row: the declaration of its name. */
function rowOf(value: Value): unknown {
  const here = bareNumber(value)
  const row = here.kind === 'member' ? here.object : here
  return row.kind === 'reference' ? row.binding : undefined
}
