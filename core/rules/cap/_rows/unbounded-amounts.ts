import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  constantOf,
  excerptOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type OperationValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { CRUD_EVENT, handlerFunction, toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { changedNumbers, compoundsOf, sentPath } from './changed-numbers.ts'
import { bareNumber } from './read-rows.ts'
import { takesRequest } from '../_handlers/handed-requests.ts'
import { reachedFrom } from './decided-states.ts'
import { createPassedNumbers, isHarmless, type PassedNumbers } from './passed-numbers.ts'

/** A handler, with what it says of the lowest value of numbers that clients send. */
export interface UnboundedAmount extends Span, EventNames {
  /** Last names of numbers that it compares with a lowest value. */
  readonly bounds: readonly string[]
  /** What it does is not all in the script. */
  readonly isOpen: boolean
  /** A number that it takes from a stock or adds to it, and compares with the stock alone, or one that it takes and compares with nothing. */
  readonly amount?: {
    /** In what the client sends: `['items', 'quantity']`. */
    readonly path: readonly string[]
    /** The last part of the name of the entity whose number changes, and that. */
    readonly entity: string
    readonly element: string
    /** The comparison, as it is written; undefined: the handler takes the number, and compares it with nothing. */
    readonly limit?: string
  }
}

/** Numbers of the client that handlers keep below a stock and let be negative, and the handlers in front that may refuse them. */
export const unboundedAmounts: Extract<UnboundedAmount> = defineExtract({
  name: 'cap-unbounded-amounts',
  keywords: ['UPDATE', '.update(', '.before('],
  prefilter: (text) => /\.(?:on|before)\s{0,4}\(/.test(text) && /[-<>]/.test(text) && /\b(?:srv|cds|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const { handlers, handlerOf } = findHandledFunctions(facts)
    if (handlers.length === 0) return
    const orders = comparisonsIn(facts, step)
    const comparisons = createInnerIndex(orders)
    const callsIn = createInnerIndex(facts.calls)
    const known = new Map<HandlerFunction, Looked>()
    const { letsPass } = createPassedNumbers(facts, text, orders, step)
    const lookAt = (handler: HandlerFunction): Looked => {
      const before = known.get(handler)
      if (before !== undefined) return before
      const functions = new Set(reachedFrom(handler, facts, callsIn))
      const calls = [...functions].flatMap(callsIn)
      const isLookedAt = ({ callee }: CallValue): boolean => {
        const called = functionOf(callee) ?? handlerFunction(callee, facts)
        return called !== undefined && functions.has(called)
      }
      const looked = {
        comparisons: [...functions].flatMap(comparisons),
        calls,
        refuses: calls.some((call) => mayRefuse(call) && !isLookedAt(call)),
        letsPass,
      }
      known.set(handler, looked)
      return looked
    }
    for (const handler of handlers) {
      if (handler.phase !== 'before') continue
      const looked = lookAt(handler)
      const bounds = looked.comparisons.flatMap(lowerBound)
      const isOpen = handler.fact === undefined || looked.refuses
      const { start, end } = handler.call
      if (bounds.length > 0 || isOpen) yield { ...eventNamesOf(handler), start, end, bounds, isOpen }
    }
    const compounds = compoundsOf(facts, step)
    const done = new Set<HandlerFunction>()
    const unlimited = new Map<HandlerFunction, UnboundedAmount>()
    for (const call of facts.calls) {
      step()
      for (const { entity, element, amount, before, isTaken } of changedNumbers(call, compounds)) {
        const path = sentPath(amount)
        const handler = path === undefined ? undefined : handlerOf(call)
        if (path === undefined || handler?.fact === undefined || done.has(handler) || !isChange(handler)) continue
        const looked = lookAt(handler)
        step(looked.comparisons.length + looked.calls.length)
        if (isKept(path, looked)) continue
        const limit = limitOf(path, element, looked, call)
        const base = { ...eventNamesOf(handler), bounds: [], isOpen: false }
        if (limit !== undefined) {
          done.add(handler)
          const { start, end } = limit
          yield { ...base, start, end, amount: { path, entity, element, limit: excerptOf(text, limit) } }
        } else if (isTaken === true || (before !== undefined && isMinus(text.slice(before.end, amount.start)))) {
          const { start, end } = call
          unlimited.set(handler, { ...base, start, end, amount: { path, entity, element } })
        }
      }
    }
    // what is compared with one stock may be taken from another one before
    for (const [handler, found] of unlimited) if (!done.has(handler)) yield found
  },
})

interface Looked {
  readonly comparisons: readonly OperationValue[]
  readonly calls: readonly CallValue[]
  /** Something that is not in the script gets the request. */
  readonly refuses: boolean
  readonly letsPass: PassedNumbers['letsPass']
}

/** An operation, or a row that a client writes. */
function isChange({ events, phase }: HandlerFunction): boolean {
  return phase !== 'after' && events.some((name) => name !== undefined && (!CRUD_EVENT.test(name) || WRITES.test(name)))
}

const WRITES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|SAVE|WRITE|NEW)$/

/** What stands between a number and what is taken from it. */
function isMinus(code: string): boolean {
  return /^[\s)]{0,20}-=?[\s(]{0,20}(?:(?:Number|parseInt|parseFloat)\()?$/.test(code)
}

/** Something keeps the number above 0, or may do so. */
function isKept(path: readonly string[], { comparisons, calls, refuses, letsPass }: Looked): boolean {
  const name = path.at(-1) ?? ''
  if (refuses || comparisons.some((one) => lowerBound(one).includes(name))) return true
  const mayLook = (call: CallValue): boolean => call.args.some(isNamed(name)) && !letsPass(call)
  return calls.some(mayLook)
}

/** Where the number is compared with the stock. */
function limitOf(path: readonly string[], element: string, { comparisons, calls }: Looked, set: CallValue): Span | undefined {
  const name = path.at(-1) ?? ''
  const compared = comparisons.find(
    ({ operands }) =>
      (operands.some(isNamed(name)) && operands.some((one) => endsWith(one, element))) ||
      operands.some((one) => isRest(one, name, element)),
  )
  return compared ?? conditionIn(calls, name, element, set)
}

/** What is left: `book.stock - quantity`, also under a name. */
function isRest(value: Value, name: string, element: string): boolean {
  const rest = bareNumber(value)
  const [stock, ...taken] = rest.kind === 'operation' && rest.operator === '-' ? rest.operands : []
  return stock !== undefined && endsWith(stock, element) && taken.some(isNamed(name))
}

/** `.where({ stock: { '>=': quantity } })` of the same query. */
function conditionIn(calls: readonly CallValue[], name: string, element: string, set: CallValue): Span | undefined {
  for (const call of calls) {
    if (call === set || lastNameOf(call.callee) !== 'where' || !isOfChain(call, set)) continue
    for (const given of call.args) {
      const row = resolveValue(given)
      const fields = row.kind === 'object' ? row.fields : []
      const field = fields.find(({ key }) => key === element)
      const inner = field && resolveValue(field.value)
      const [only] = inner?.kind === 'object' ? inner.fields : []
      if (field !== undefined && only !== undefined && /^>=?$/.test(only.key ?? '') && isNamed(name)(only.value))
        return { start: field.start, end: field.value.end }
    }
  }
  return undefined
}

function isOfChain(call: CallValue, set: CallValue): boolean {
  return isWithin(set, call) || isWithin(call, set)
}

function comparisonsIn(facts: ScriptFacts, step: (count?: number) => void): readonly OperationValue[] {
  return valuesOf(facts).flatMap(({ value }) => {
    step()
    return value.kind === 'operation' && /^[<>]=?$/.test(value.operator) ? [value] : []
  })
}

/** `quantity` of `quantity < 1`, `0 >= item.quantity` and `quantity < MIN_PIECES`; that it is no more than 100 says nothing of what is below 0. */
function lowerBound({ operator, operands }: OperationValue): readonly string[] {
  const [left, right] = operands
  if (left === undefined || right === undefined) return []
  const isSwapped = constantOf(left) !== undefined
  const [number, limit] = isSwapped ? [right, left] : [left, right]
  const constant = constantOf(limit)
  if (constant === undefined) {
    const names = [left, right].flatMap((one) => lastNameOf(bareNumber(one)) ?? [])
    return names.some((one) => LOWEST.test(toWords(one).toLowerCase())) ? names : []
  }
  const name = numberName(number)
  // below 5 may be too few, no more than 5 is a highest value
  const isTooFew = operator === (isSwapped ? '>' : '<')
  return name === undefined || (!isTooFew && Number(constant) > 1) ? [] : [name]
}

const LOWEST = /\b(?:min|minimum|minimal|lowest|least|zero)\b/

function numberName(value: Value): string | undefined {
  return sentPath(value)?.at(-1) ?? lastNameOf(bareNumber(value))
}

function isNamed(name: string): (value: Value) => boolean {
  return (value) => numberName(value) === name || lastNameOf(value) === name
}

/** `book.stock`, or `stock` that was taken out of a row. */
function endsWith(value: Value, element: string): boolean {
  const here = bareNumber(value)
  if (lastNameOf(here) === element) return true
  return here.kind === 'reference' && here.binding?.definitions.some(({ path }) => path.at(-1) === element) === true
}

/** Another function gets the request or all that it holds; queries and messages keep nobody out. */
function mayRefuse(call: CallValue): boolean {
  return takesRequest(call) && !isHarmless(call)
}
