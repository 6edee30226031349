import { resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { CRUD_EVENT, toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { bareNumber, readFrom } from './read-rows.ts'

/** Money, in words. */
const TOTAL = /(?:^| )(?:(?:sub|grand)? ?total|amount|price|sum|cost|fee|value|net|gross)(?: (?:amount|price|value|sum|cost))?$/
const MAX_DEPTH = 5
const LONGEST = 300
/** A name may be given values in thousands of places. */
const MOST_GIVEN = 8

/** A total that an update sets. */
interface WorkedOut {
  readonly element: string
  /** By something else than an operation: when rows are written, or by a job, so that it counts whatever clients send. */
  readonly isSettled: boolean
}

/** Totals of an update, of those that operations set such alone as these make of other elements of the row: `total: order.pieces * order.price`. */
export function workedOutTotals(
  call: CallValue,
  entity: string,
  handlersOf: (call: CallValue) => readonly HandlerFunction[],
  step: (count?: number) => void,
): readonly WorkedOut[] {
  const named = (call.texts ?? []).flatMap((text) =>
    [...text.slice(0, LONGEST).matchAll(/(\w{1,60})\s{0,4}=/g)].flatMap(([, key = '']) =>
      TOTAL.test(toWords(key)) ? [key] : [],
    ),
  )
  if (named.length > 0) return isMadeBesides(call, handlersOf) ? named.map((element) => ({ element, isSettled: true })) : []
  const totals = call.args.flatMap((given) => {
    const row = resolveValue(given)
    const fields = row.kind === 'object' ? row.fields : []
    return fields.flatMap(({ key, value }) => (key !== undefined && TOTAL.test(toWords(key)) ? [{ key, value }] : []))
  })
  if (totals.length === 0) return []
  const isSettled = isMadeBesides(call, handlersOf)
  return totals.flatMap(({ key, value }) =>
    isSettled || isProduct(value, { key, entity, step }, 0) ? [{ element: key, isSettled }] : [],
  )
}

/** Not by operations alone. */
function isMadeBesides(call: CallValue, handlersOf: (call: CallValue) => readonly HandlerFunction[]): boolean {
  const handlers = handlersOf(call)
  return handlers.length === 0 || handlers.some(({ events }) => !events.every(isOperation))
}

function isOperation(name: string | undefined): boolean {
  return name !== undefined && name !== '*' && !CRUD_EVENT.test(name)
}

interface Asked {
  readonly key: string
  readonly entity: string
  readonly step: (count?: number) => void
}

/** A product of two other elements of such a row, also under a name or as a part of what is worked out. */
function isProduct(value: Value, asked: Asked, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  asked.step()
  const here = bareNumber(value)
  if (here.kind === 'operation') {
    const factors = here.operands.flatMap((one) => bareNumber(one)).filter((one) => isElement(one, asked))
    if (here.operator === '*' && factors.length > 1) return true
    return here.operands.some((one) => isProduct(one, asked, depth + 1))
  }
  if (here.kind !== 'reference') return false
  const given = here.binding?.definitions.slice(0, MOST_GIVEN) ?? []
  return given.some((one) => one.value !== undefined && one.path.length === 0 && isProduct(one.value, asked, depth + 1))
}

function isElement(value: Value, { key, entity, step }: Asked): boolean {
  return value.kind === 'member' && value.name !== undefined && value.name !== key && readFrom(value, step) === entity
}
