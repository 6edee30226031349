import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  accessesOf,
  createSpanIndex,
  excerptOf,
  keyOf,
  resolveValue,
  valuesOf,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { comparedWithRow } from './compared-prices.ts'
import { isRequestData } from '../../../flow/request-data.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** What one costs. */
export const PRICE: RegExp = /^(?:(?:unit|list|sales|item|net|gross|product)_?)?(?:price|cost)$/i
/** How many of it. */
export const QUANTITY: RegExp = /^(?:(?:order|item)_?)?(?:quantity|qty|count|amount|menge|anzahl)$/i

/** A sum of prices as the client sends them, or a price that a script sets by itself. */
export interface ClientPrice extends Span {
  /** The element: `unit_price`. */
  readonly name: string
  /** `item.unit_price`; none where a script sets it. */
  readonly text?: string
  /** Last parts of the names of the entities whose changes the handler is for; none where it is one of an operation, or of all entities. */
  readonly entities?: readonly string[]
  /** The handler refuses a product that is more than that of the row of this entity, or less. */
  readonly limitedBy?: string
  /** In a route of Express, which stores a total and knows no other price. */
  readonly isRoute?: true
}

/** `total += item.unit_price * item.quantity` of items of the request, in handlers that read no price. */
export const clientPrices: Extract<ClientPrice> = defineExtract({
  name: 'cap-client-prices',
  keywords: ['price', 'cost'],
  prefilter: (text) => /\b\w{0,20}(?:price|cost)\b/i.test(text) && /\b(?:req|data|params|CREATE)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    for (const { target } of facts.assignments)
      if (target.name !== undefined && PRICE.test(target.name)) yield { start: target.start, end: target.end, name: target.name }
    const found = findHandlers(facts)
    // what has been created is what the client sent
    const created = found.flatMap(({ phase, events, fact }) =>
      fact !== undefined && phase === 'after' && events.length > 0 && events.every((event) => event === 'CREATE') ? [fact] : [],
    )
    const handlers = found
      .flatMap(({ phase, fact }) => (fact !== undefined && (phase === 'before' || phase === 'on') ? [fact] : []))
      .concat(created)
    const routes = facts.functions.filter((fact) => isRoute(fact) && storesTotal(text.slice(fact.start, fact.end)))
    if (handlers.length === 0 && routes.length === 0) return
    const routeAt = createSpanIndex(routes, (fact) => fact)
    const handlerAt = createSpanIndex(handlers, (fact) => fact)
    const entitiesOf = (fact: FunctionFact): readonly string[] | undefined => {
      const own = found.filter((handler) => handler.fact === fact)
      const isOfEntity = own.every(({ events }) => events.every((event) => CHANGES.test(event ?? '')))
      return isOfEntity ? own.flatMap(({ entities }) => entities ?? ['']) : undefined
    }
    const isItem = createItemReader(facts, created)
    for (const { value } of valuesOf(facts)) {
      step()
      const price = pricedIn(value)
      const [handler] = price === undefined ? [] : handlerAt(price.at.start)
      const around = handler ?? (price && routeAt(price.at.start)[0])
      if (price === undefined || around === undefined || !isItem(price.object)) continue
      const written = excerptOf(text, price.at)
      step((around.end - around.start) >> 6)
      const code = text.slice(around.start, around.end)
      if (READS_PRICE.test(code.replaceAll(written, '').replace(TELLS, ''))) continue
      // by a name alone nothing tells it from the column of a query
      if (price.at.kind === 'reference' && ASKS.test(code)) continue
      const { start, end } = price.at
      const { name } = price
      const entities = handler && entitiesOf(handler)
      const compared = comparedWithRow(value, around, facts, text, step)
      if (compared?.isSame === true) continue
      yield {
        start,
        end,
        name,
        text: written,
        ...(entities && { entities }),
        ...(compared && { limitedBy: compared.entity }),
        ...(handler === undefined && { isRoute: true }),
      }
    }
  },
})

/** `(req, res) => …`: a route of Express. */
export function isRoute({ parameters: [request, response] }: FunctionFact): boolean {
  return request !== undefined && isRequestName(request.name) && /^_?res/i.test(response?.name ?? '')
}

/** It keeps a total, and asks nobody whether the prices are right. Facts: Mongoose 8, Sequelize 6, TypeORM 0.3, Prisma 6 (README of each). */
function storesTotal(code: string): boolean {
  return STORES.test(code) && /total|amount|\bsum\b|subtotal/i.test(code) && !CHECKS_PRICES.test(code)
}

const STORES = /\.(?:create|createMany|bulkCreate|insert|insertOne|insertMany|save)\s{0,4}\(|\bINSERT\s{1,20}INTO\b/
export const CHECKS_PRICES: RegExp = /(?:check|verify|validate|compare|load|get|fetch|read|find)\w{0,20}(?:price|cost|catalog)/i

const CHANGES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|NEW|SAVE|WRITE)$/

/** What a handler tells the client: `req.error(400, 'the price is missing')`. */
const TELLS = /\.(?:error|reject|warn|info|notify|log)\([^()]{0,300}\)/g

/** A price beside that of the request: a column of a query, a member of a row. */
const READS_PRICE = /(?:^|[.'"`\s,{[(])(?:(?:unit|list|sales|item|net|gross|product)_?)?(?:price|cost)s?(?![\w])/i

const ASKS = /\bSELECT\b|\.(?:read|run|find\w{0,20}|one|query)\s{0,4}\(/

/** A field of an object that is multiplied. */
export interface Factor {
  readonly name: string
  readonly object: Value
  /** The member, or a name that it was given. */
  readonly at: Value
}

/** The price in `item.unit_price * item.quantity`, `Number(item.price) * (item.quantity || 1)`, `const { price, quantity } = req.data; price * quantity`. */
function pricedIn(value: Value): Factor | undefined {
  if (value.kind !== 'operation' || value.operator !== '*') return undefined
  const factors = value.operands.flatMap((operand) => factorIn(operand) ?? [])
  const price = factors.find(({ name }) => PRICE.test(name))
  const object = price && keyOf(price.object)
  const isCounted = factors.some((one) => one !== price && COUNTED.test(one.name) && keyOf(one.object) === object)
  return object !== undefined && isCounted ? price : undefined
}

/** Of a line that is sent a prefix says no more: `metricQuantity`, `orderedQty`. */
const COUNTED = /^(?:[a-z]{1,12}_?)?(?:quantity|qty)$|^(?:(?:order|item)_?)?(?:count|amount|menge|anzahl)$/i
const CONVERTS = /^(?:Number|parseFloat|parseInt)$/

/** The field that a value is, behind conversions and defaults. */
export function factorIn(value: Value): Factor | undefined {
  if (value.kind === 'member') return value.name === undefined ? undefined : { name: value.name, object: value.object, at: value }
  if (value.kind === 'choice') return value.options.flatMap((option) => factorIn(option) ?? [])[0]
  if (value.kind === 'reference') return takenOut(value)
  const [first] = value.kind === 'call' && CONVERTS.test(lastNameOf(value.callee) ?? '') ? value.args : []
  return first && factorIn(first)
}

/** `const { price } = req.data` */
function takenOut(at: Value & { readonly kind: 'reference' }): Factor | undefined {
  const [only, ...others] = at.binding?.definitions ?? []
  if (only?.kind !== 'init' || only.value === undefined || others.length > 0) return undefined
  const [name, ...deeper] = only.path
  return name === undefined || deeper.length > 0 ? undefined : { name, object: only.value, at }
}

const EACH: ReadonlyMap<string, number> = new Map([
  ['forEach', 0],
  ['map', 0],
  ['reduce', 1],
])

/** Tells whether a value is an item of a list that the client sends: of a loop, or a parameter of a function that gets each. */
export function createItemReader(facts: ScriptFacts, created: readonly FunctionFact[]): (value: Value) => boolean {
  const callbacks = findCallbacks(facts)
  const isSent = (value: Value): boolean =>
    accessesOf(resolveValue(value)).some(
      (access) =>
        (isRequestData(access, callbacks) ||
          created.some(({ parameters: [row] }) => row !== undefined && row === access.binding)) &&
        !access.steps.includes('()'),
    )
  const given = new Map(
    facts.calls.flatMap(({ callee, args: [handed] }) => {
      const index = EACH.get(lastNameOf(callee) ?? '')
      const item = index === undefined || handed === undefined ? undefined : functionOf(handed)?.parameters[index]
      return item === undefined || callee.kind !== 'member' ? [] : [[item, callee.object] as const]
    }),
  )
  return (value) => {
    const binding = value.kind === 'reference' ? value.binding : undefined
    const [only, ...others] = binding?.definitions ?? []
    const list = binding && (given.get(binding) ?? (only?.kind === 'each' && others.length === 0 ? only.value : undefined))
    return list === undefined ? isSent(value) : isSent(list)
  }
}
