import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createListReader } from '../../../facts/callbacks.ts'
import {
  constantOf,
  excerptOf,
  findPart,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { toWords } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import { OF_COMPANY, ORDERED } from '../_model/open-prices.ts'
import { clientData } from './client-data.ts'
import { CHECKS_PRICES, createItemReader, factorIn, isRoute, PRICE, QUANTITY } from './client-prices.ts'
import { sqlPairs, sqlText } from './column-pairs.ts'
import { orderFronts } from './order-fronts.ts'

/**
 * What the rows of a customer cost, as a route copies it from the request, or what models of documents say about it.
 * `item`: the price of an item of the request; `whole`: a list of the request, or its total, which becomes a field of an order; `order`: a model of orders with such a
 * field; `catalogue`: a model whose documents have a price of their own; `hooked`: a model of orders that sets or reads prices before it is stored; `front`: a handler of
 * another file, and whether something in front of it lets only staff pass, or may look at prices.
 */
export type StoredPrice =
  | (Span & { readonly kind: 'item'; readonly text: string; readonly order: string; readonly handler: string })
  | (Span & {
      readonly kind: 'whole'
      readonly text: string
      readonly order: string
      readonly field: string
      readonly handler: string
    })
  | { readonly kind: 'order'; readonly order: string; readonly fields: readonly string[] }
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'hooked'; readonly order: string }
  | { readonly kind: 'front'; readonly handler: string; readonly isLooked: boolean }

/**
 * `INSERT INTO order_items (…, price) VALUES (…, item.price)`, `new Order({ items: req.body.items })`, `unit_amount: item.price * 100` in routes that know no price of their own.
 * Facts: Mongoose 8, "Models" (a document is made of what its constructor is given); Stripe API, Checkout Sessions, `line_items.price_data.unit_amount` (what is charged).
 */
export const storedPrices: Extract<StoredPrice> = defineExtract({
  name: 'cap-stored-prices',
  keywords: ['price', 'cost', 'total', 'amount', 'items', 'order', 'booking', 'cart', 'checkout', 'reservation'],
  prefilter: (text) =>
    MAKES_MODEL.test(text) || MAKES_ROUTE.test(text) || (STORES.test(text) && /\b(?:body|request)\b/.test(text)),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    yield* modelsIn(facts, text)
    step(facts.calls.length)
    const fronts = MAKES_ROUTE.test(text) ? orderFronts(facts, text) : []
    for (const { handler, fact, isLooked } of fronts)
      if (fact === undefined && handler !== '') yield { kind: 'front', handler, isLooked }
    const looked = new Set(fronts.flatMap(({ fact, isLooked }) => (isLooked && fact !== undefined ? fact : [])))
    if (STORES.test(text)) yield* findStored(facts, text, looked, step)
  },
})

const MAKES_ROUTE = /\.(?:post|put|patch|all)\s{0,4}\(/
const MAKES_MODEL = /\.model\s{0,4}(?:<[^()]{0,80}>)?\(/
const STORES =
  /\bINSERT\s{1,20}INTO\b|\bnew\s{1,4}\w{1,60}\(|\.(?:create|insertOne|insertMany|bulkCreate)\s{0,4}\(|\bunit_amount\b/i
export const TOTAL: RegExp =
  /^(?:total|amount|sub_?total|(?:grand|order|cart)_?total|total_?(?:price|amount|cost|sum)|(?:order|booking)_?(?:price|amount))$/i

/** `Order`, `orderModel`, `order_items`: as words, without what says that it is a model. */
export function orderIn(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const words = toWords(name).replace(/ (?:models?|schemas?|table)$/, '')
  return ORDERED.test(words) && !OF_COMPANY.test(words) ? words.replace(/s$/, '') : undefined
}

function* modelsIn({ calls }: ScriptFacts, text: string): Generator<StoredPrice> {
  if (!MAKES_MODEL.test(text)) return
  for (const { callee, args } of calls) {
    const [name, schema] = args
    const model = lastNameOf(callee) === 'model' && name !== undefined ? constantOf(name) : undefined
    const made = schema && resolveValue(schema)
    const columns = made?.kind === 'new' ? made.args[0] && resolveValue(made.args[0]) : undefined
    if (typeof model !== 'string' || columns?.kind !== 'object') continue
    const order = orderIn(model)
    const { fields } = columns
    if (order !== undefined && HOOKS.test(text) && (SETS_PRICE.test(text) || CHECKS_PRICES.test(text) || ASKS.test(text)))
      yield { kind: 'hooked', order }
    if (order !== undefined)
      yield {
        kind: 'order',
        order,
        fields: fields.flatMap(({ key, value }) => (key !== undefined && (TOTAL.test(key) || isPricedList(value)) ? [key] : [])),
      }
    else if (
      isPriced(fields.map(({ key }) => key)) &&
      !fields.some(({ key }) => /^(?:users?|customer|buyer)(?:_?id)?$/i.test(key ?? ''))
    )
      yield { kind: 'catalogue' }
  }
}

/** What a model does before a document is stored. Facts: Mongoose 8, "Middleware"; Sequelize 6, "Hooks". */
const HOOKS = /\.pre\s{0,4}\(|\bbefore(?:Save|Create|Validate|BulkCreate)\b/
const ASKS = /\.find\w{0,20}\s{0,4}\(/

/** A price, and nothing that says how many were bought. */
function isPriced(keys: readonly (string | undefined)[]): boolean {
  return keys.some((key) => PRICE.test(key ?? '')) && !keys.some((key) => /^(?:qty|orderQuantity)$/i.test(key ?? ''))
}

/** `[{ product: …, quantity: Number, price: Number }]` */
function isPricedList(value: Value): boolean {
  const made = resolveValue(value)
  const items = made.kind === 'object' ? made.fields.find(({ key }) => key === 'type')?.value : made
  const list = items && resolveValue(items)
  const first = list?.kind === 'array' ? list.items[0] && resolveValue(list.items[0]) : undefined
  const item = first?.kind === 'new' ? first.args[0] && resolveValue(first.args[0]) : first
  if (item?.kind !== 'object') return false
  const keys = item.fields.map(({ key }) => key ?? '')
  return keys.some((key) => PRICE.test(key)) && keys.some((key) => QUANTITY.test(key))
}

function* findStored(
  facts: ScriptFacts,
  text: string,
  looked: ReadonlySet<FunctionFact>,
  step: (count?: number) => void,
): Generator<StoredPrice> {
  const routes = facts.functions.filter((fact) => isRoute(fact) && !looked.has(fact))
  if (routes.length === 0) return
  const callsIn = createInnerIndex(facts.calls)
  const isPriceSent = createPriceReader(facts)
  let valuesIn: ((around: Span) => readonly Value[]) | undefined
  const heldBy = (route: FunctionFact): readonly Value[] =>
    (valuesIn ??= createInnerIndex(valuesOf(facts).map(({ value }) => value)))(route)
  for (const route of routes) {
    const calls = callsIn(route)
    step(calls.length + 1)
    const found = calls.flatMap((call) => storedBy(call, text, isPriceSent, lastName(route.name), step))
    if (found.length > 0 && !knowsPrices(route, heldBy, text, isPriceSent, step)) yield* found
  }
}

type PriceReader = (value: Value) => boolean

/** Tells whether a value is the price of an item that the client sends: `item.price`, `Number(price)` of `for (const { price } of req.body.items)`. */
export function createPriceReader(facts: ScriptFacts): PriceReader {
  const isItem = createItemReader(facts, [])
  const listOf = createListReader(facts)
  return (value) => {
    const factor = factorIn(value)
    if (factor !== undefined) return PRICE.test(factor.name) && isItem(factor.object)
    const [only, ...others] = (value.kind === 'reference' ? value.binding?.definitions : undefined) ?? []
    if (only === undefined || others.length > 0 || only.path.length !== 1 || !PRICE.test(only.path[0] ?? '')) return false
    const list =
      only.kind === 'parameter' && only.parameter === 0 ? listOf(only.function) : only.kind === 'each' ? only.value : undefined
    return list !== undefined && isItem(list)
  }
}

function storedBy(
  call: CallValue,
  text: string,
  isPriceSent: PriceReader,
  handler: string,
  step: (count?: number) => void,
): readonly StoredPrice[] {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const item = (value: Value, order: string): readonly StoredPrice[] => {
    const price = findPart(value, isPriceSent)
    if (price === undefined) return []
    return [{ kind: 'item', start: price.start, end: price.end, text: excerptOf(text, price), order, handler }]
  }
  const [statement] = args
  const table = INSERTED.exec((statement && sqlText(statement)) ?? '')?.[1]
  const order = orderIn(table)
  if (table !== undefined && order !== undefined)
    return sqlPairs(call, name).flatMap(({ column, value, isInserted }) =>
      isInserted === true && PRICE.test(column) ? item(value, table) : [],
    )
  const model =
    call.kind === 'new' ? name : CREATES.test(name) && callee.kind === 'member' ? lastNameOf(callee.object) : undefined
  const isCharge = name === 'create' && callee.kind === 'member' && lastNameOf(callee.object) === 'sessions'
  const made = args[0] && resolveValue(args[0])
  if (made?.kind !== 'object' || model === undefined) return []
  step(made.fields.length)
  if (isCharge) return made.fields.flatMap(({ key, value }) => (key === 'line_items' ? item(value, 'line_items') : []))
  const document = orderIn(model)
  if (document === undefined) return []
  return made.fields.flatMap(({ key, value }): readonly StoredPrice[] => {
    const sent = key === undefined ? undefined : clientData(value)
    if (key === undefined || sent === undefined) return key !== undefined && !TOTAL.test(key) ? item(value, model) : []
    const { start, end } = value
    return [{ kind: 'whole', start, end, text: sent.client, order: document, field: key, handler }]
  })
}

const CREATES = /^(?:create|insertOne|insertMany|bulkCreate)$/
const INSERTED = /^\s{0,40}insert\s{1,20}into\s{1,20}["`]?([\w.]{1,80})/i

/** The route reads what things cost, sets it, or asks a function by whose name it may be checked. */
export function knowsPrices(
  route: FunctionFact,
  heldBy: (route: FunctionFact) => readonly Value[],
  text: string,
  isPriceSent: PriceReader,
  step: (count?: number) => void,
): boolean {
  step((route.end - route.start) >> 6)
  const code = text.slice(route.start, route.end)
  if (CHECKS_PRICES.test(code) || SELECTS_PRICE.test(code) || SETS_PRICE.test(code) || VERIFIES.test(code) || BY_STAFF.test(code))
    return true
  const held = heldBy(route)
  step(held.length)
  return held.some(
    (value) =>
      (value.kind === 'member' && isOwnPrice(value.name ?? '') && !isPriceSent(value) && clientData(value) === undefined) ||
      (value.kind === 'reference' &&
        isOwnPrice(value.binding?.definitions[0]?.path.at(-1) ?? '') &&
        !isPriceSent(value) &&
        clientData(value) === undefined),
  )
}

function isOwnPrice(name: string): boolean {
  return PRICE.test(name) || (/^[a-z]{1,20}_?(?:price|cost)s?$/i.test(name) && !TOTAL.test(name))
}

const SELECTS_PRICE = /\bSELECT\b[^;'"`]{0,300}\b(?:\w{1,30}_)?(?:price|cost)\b/i
const SETS_PRICE = /\.(?:\w{1,30}_)?(?:price|cost)\s{0,4}=(?!=)/i
/** It asks for a role, or notes who of the shop has entered it. */
const BY_STAFF =
  /\.(?:roles?|permissions?)(?![\w])|\b(?:cashier|waiter|employee|clerk|sold_?by|is_?(?:admin|staff))(?:_?id)?(?![\w])/i
/** `verifyCart(items)`, `validateTotal(…)`, `calculateTotals(items)`, `priceOf(book)`, `computePrice(…)` of another file. */
const VERIFIES =
  /\b(?:(?:check|verify|validate|calculate|calc|compute|recalculate|price)_?(?:cart|order|items?|total|totals|amounts?|basket|lines?|product|products)|(?:calculate|calc|compute|recalculate|look_?up|query)_?\w{0,20}?(?:price|cost)|(?:price|cost|total)s?_?(?:of|for)(?![a-z]))\w{0,20}\s{0,4}\(/i

/** Prices that routes copy into orders. Of a list or a total, models say that it holds prices, and that something else of the project says what things cost. */
export function* storedOnes(
  found: readonly { readonly file: string; readonly value: StoredPrice }[],
  told: ReadonlySet<string>,
  step: () => void,
): Generator<Match> {
  const isCatalogued = found.some(({ value }) => value.kind === 'catalogue')
  const priced = new Set(
    found.flatMap(({ value }) => (value.kind === 'order' ? value.fields.map((field) => `${value.order} ${field}`) : [])),
  )
  const hooked = new Set(found.flatMap(({ value }) => (value.kind === 'hooked' ? value.order : [])))
  const looked = lookedHandlers(found)
  for (const { file, value } of found) {
    step()
    if (value.kind !== 'item' && value.kind !== 'whole') continue
    if (looked.has(value.handler) || hooked.has(orderIn(value.order) ?? value.order)) continue
    if (told.has(file) || (value.kind === 'whole' && !(isCatalogued && priced.has(`${value.order} ${value.field}`)))) continue
    const { start, end, text, order } = value
    yield {
      at: { file, span: { start, end } },
      args: { price: quoteWord(text), order: quoteWord(order) },
      variant: 'stored',
      groupKey: `stored ${file}`,
    }
  }
}

/** Handlers, by their last names, whose every route is for staff or looks at prices first. */
function lookedHandlers(found: readonly { readonly value: StoredPrice }[]): ReadonlySet<string> {
  const fronts = found.flatMap(({ value }) => (value.kind === 'front' ? value : []))
  const open = new Set(fronts.flatMap(({ handler, isLooked }) => (isLooked ? [] : handler)))
  return new Set(fronts.flatMap(({ handler }) => (open.has(handler) ? [] : handler)))
}
