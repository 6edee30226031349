import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, findPart, resolveValue, valuesOf, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { CRUD_EVENT } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { sentElement } from './client-data.ts'
import { PRICE } from './client-prices.ts'
import { createPriceReader, knowsPrices, orderIn, TOTAL } from './stored-prices.ts'

/** What an order costs, as an operation stores it from its parameters. */
export interface ActionTotal extends Span, EventNames {
  /** The last part of the name of the entity, and the element. */
  readonly order: string
  readonly field: string
  /** As it is written: `req.data.total`. */
  readonly text: string
}

/**
 * `INSERT.into(Orders).entries({ total: req.data.total })`, `items: req.data.items.map(({ price }) => ({ price }))` in handlers of actions that know no price of their own.
 * Fact: capire, "Querying": the row is written as it is given; a handler's own queries pass no @readonly.
 */
export const actionTotals: Extract<ActionTotal> = defineExtract({
  name: 'cap-action-totals',
  keywords: ['price', 'cost', 'total', 'Total', 'amount', 'Amount'],
  prefilter: (text) => /\.on\s{0,4}\(/.test(text) && /\bINSERT\b/.test(text) && /\bdata\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const { handlerOf, handlers } = findHandledFunctions(facts)
    if (handlers.every(({ events }) => events.every((event) => event === undefined || CRUD_EVENT.test(event)))) return
    const isPriceSent = createPriceReader(facts)
    let valuesIn: ((around: Span) => readonly Value[]) | undefined
    const heldBy = (around: Span): readonly Value[] =>
      (valuesIn ??= createInnerIndex(valuesOf(facts).map(({ value }) => value)))(around)
    for (const { base, kind, entity, rows } of scriptQueries(facts, step)) {
      if (kind !== 'insert' || orderIn(entity) === undefined) continue
      const handler = handlerOf(base)
      const events = handler?.events.flatMap((event) => event ?? []) ?? []
      if (handler?.fact === undefined || handler.phase !== 'on' || !isWithin(base, handler.fact)) continue
      if (events.length === 0 || events.some((name) => CRUD_EVENT.test(name))) continue
      const found = rows.flatMap((row) => costsIn(row, isPriceSent))
      step(found.length + 1)
      if (found.length === 0 || knowsPrices(handler.fact, heldBy, text, isPriceSent, step)) continue
      for (const { field, at } of found)
        yield { ...eventNamesOf(handler), start: at.start, end: at.end, order: entity, field, text: excerptOf(text, at) }
    }
  },
})

/** The total of a row, and prices of its parts. */
function costsIn(
  given: Value,
  isPriceSent: (value: Value) => boolean,
): readonly { readonly field: string; readonly at: Value }[] {
  const row = resolveValue(given)
  if ('items' in row) return row.items.flatMap((item) => costsIn(item, () => false))
  if (!('fields' in row)) return []
  return row.fields.flatMap(({ key, value }) => {
    if (key === undefined) return []
    const isCost = TOTAL.test(key) || PRICE.test(key)
    if (isCost && sentElement(plain(value)) !== undefined) return [{ field: key, at: value }]
    const part = isCost ? undefined : findPart(value, isPriceSent)
    return part === undefined ? [] : [{ field: key, at: part }]
  })
}

/** `total` of `Number(total)`. */
function plain(value: Value): Value {
  const made = resolveValue(value)
  const [given] =
    'callee' in made && /^(?:Number|parseFloat|parseInt|String)$/.test(lastNameOf(made.callee) ?? '') ? made.args : []
  return given ?? value
}
