import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  createCodeReader,
  excerptOf,
  findPart,
  keyOf,
  valuesOf,
  type Assignment,
  type Binding,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { isComparing, isNothing } from '../../../facts/values.ts'
import { append } from '../../../lists.ts'
import { CRUD_EVENT, toWords, withoutComments } from '../../../model/cap/index.ts'
import { isDeployedCode, isSentData } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { createItemReader, factorIn, type Factor } from './client-prices.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { ROLE } from './decided-states.ts'

/** A price that the client sends, and that counts where there is one, although the handler has that of a row. */
export interface PreferredPrice extends Span, EventNames {
  /** The element: `unitPrice`. */
  readonly name: string
  /** It is not sent as an element of the row itself, but of a part of it: `item.unitPrice`. */
  readonly isOfPart: boolean
  /** As they are written: `item.unitPrice`, `product.price`. */
  readonly text: string
  readonly kept: string
}

/** In words and in the languages that models are written in: what one costs. */
const PRICE_WORDS =
  /(?:^| )(?:unit ?|list ?|sales ?)?(?:prices?|costs?|fares?|preis|stueckpreis|einzelpreis|precio|costo|preco|preço|custo|prix|tarif|prezzo)(?: |$)/

/** `item.unitPrice = item.unitPrice || product.price` of items that clients send. */
export const preferredPrices: Extract<PreferredPrice> = defineExtract({
  name: 'cap-preferred-prices',
  keywords: ['price', 'cost', 'fare', 'preis', 'precio', 'preco', 'preço', 'custo', 'prix', 'tarif', 'prezzo'],
  prefilter: (text) => /\.(?:on|before)\s{0,4}\(/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const { handlerOf, handlers } = findHandledFunctions(facts)
    if (handlers.length === 0) return
    const isItem = createItemReader(facts, [])
    let isSettled: ReturnType<typeof createSettledReader> | undefined
    const asksRole = createCodeReader(text, (code) => ROLE.test(withoutComments(code)))
    for (const { at, sent, kept } of preferencesIn(facts, step)) {
      if (!isItem(sent.object) || isItem(kept.object) || !isOfRow(kept)) continue
      const handler = handlerOf(at)
      if (handler?.fact === undefined || handler.phase === 'after') continue
      const events = handler.events.flatMap((event) => event ?? [])
      if (!events.some((name) => !CRUD_EVENT.test(name) || WRITES.test(name))) continue
      step((handler.fact.end - handler.fact.start) >> 6)
      // others may enter a price of their own
      isSettled ??= createSettledReader(facts, text, step)
      if (asksRole(handler.fact) || isSettled(sent, at, handler.fact)) continue
      const { start, end } = at
      yield {
        ...eventNamesOf(handler),
        start,
        end,
        name: sent.name,
        isOfPart: !isSentData(sent.object),
        text: excerptOf(text, sent.at),
        kept: excerptOf(text, kept.at),
      }
    }
  },
})

const WRITES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|NEW|SAVE|WRITE)$/

/** A member of something else than a parameter of the handler. */
function isOfRow({ object, name }: Factor): boolean {
  return PRICE_WORDS.test(toWords(name)) && keyOf(object) !== undefined
}

/** Two prices of which the first one counts where it is not missing. */
interface Preference {
  readonly at: Span
  readonly sent: Factor
  readonly kept: Factor
}

function* preferencesIn(facts: ScriptFacts, step: (count?: number) => void): Generator<Preference> {
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'choice' || value.isAnd === true || value.options.length !== 2) continue
    const [first, second] = value.options.map((option) => factorIn(option))
    if (first === undefined || second === undefined) continue
    if (value.test === undefined) yield* preferenceOf(value, first, second)
    else if (asksForOnly(value.test, first)) yield* preferenceOf(value, first, second)
    else if (asksForOnly(value.test, second)) yield* preferenceOf(value, second, first)
  }
  for (const assignment of facts.assignments) {
    step()
    const { target, operator, value } = assignment
    const sent = factorIn(target)
    const kept = sent && factorIn(value)
    if (sent === undefined || kept === undefined || !PRICE_WORDS.test(toWords(sent.name))) continue
    const isDefault = operator === '??=' || operator === '||=' || (operator === '=' && isMissingBefore(assignment, facts, step))
    if (isDefault) yield* preferenceOf(assignment, sent, kept)
  }
  for (const binding of facts.bindings) yield* takenWithDefault(binding, step)
}

/** `const { price = product.price } = req.data` */
function* takenWithDefault(binding: Binding, step: (count?: number) => void): Generator<Preference> {
  for (const { path, value, fallback, start } of binding.definitions) {
    step()
    const [name, ...deeper] = path
    const kept = fallback && factorIn(fallback)
    if (name === undefined || deeper.length > 0 || value === undefined || fallback === undefined || kept === undefined) continue
    const at: Value = { kind: 'reference', name: binding.name, binding, start, end: start + binding.name.length }
    yield* preferenceOf({ start, end: fallback.end }, { name, object: value, at }, kept)
  }
}

function* preferenceOf({ start, end }: Span, sent: Factor, kept: Factor): Generator<Preference> {
  if (PRICE_WORDS.test(toWords(sent.name)) && keyOf(sent.object) !== keyOf(kept.object)) yield { at: { start, end }, sent, kept }
}

/** `item.price ? …`, `item.price > 0 ? …`, `item.price == null ? …` */
function asksForOnly(test: Value, { at }: Factor): boolean {
  const key = keyOf(at)
  if (keyOf(test) === key) return true
  if (test.kind !== 'operation') return false
  const [asked, other] = test.operands
  return asked !== undefined && keyOf(asked) === key && (other === undefined || other.kind === 'literal' || isNothing(other))
}

/** `if (!item.price) item.price = …` */
function isMissingBefore({ target, start, end }: Assignment, { guards }: ScriptFacts, step: (count?: number) => void): boolean {
  step(guards.length)
  return guards.some((guard) => !guard.exits && isWithin({ start, end }, guard.inside) && saysMissing(guard, keyOf(target)))
}

function saysMissing({ test }: Guard, key: string | undefined): boolean {
  if (test.kind !== 'operation') return false
  const [asked, other] = test.operands
  const isMissing = test.operator === '!' || (/^===?$/.test(test.operator) && other !== undefined && isNothing(other))
  return isMissing && asked !== undefined && keyOf(asked) === key
}

/** Tells whether the handler sets a price again later on, or something follows from how it compares with another value: it refuses, goes on, or sets it. */
function createSettledReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (price: Factor, at: Span, around: Span) => boolean {
  const later = new Map<string, Assignment[]>()
  for (const assignment of facts.assignments) {
    step()
    const { target, operator, value } = assignment
    const key = target.name !== undefined && PRICE_WORDS.test(toWords(target.name)) ? keyOf(target) : undefined
    if (key !== undefined && operator === '=' && value.kind !== 'choice' && keyOf(value) !== key) append(later, key, assignment)
  }
  const decided = new Map<string, Span[]>()
  const refuses = createRefusalReader(facts, text)
  const assignmentsIn = createInnerIndex(facts.assignments)
  for (const guard of facts.guards) {
    const keys = comparedIn(guard.test, step)
    if (keys.size === 0) continue
    step((guard.inside.end - guard.inside.start) >> 6)
    const isEnd = guard.exits || refuses(guard)
    const set = isEnd ? keys : new Set(assignmentsIn(guard.inside).map(({ target }) => keyOf(target)))
    for (const key of keys) if (set.has(key)) append(decided, key, guard)
  }
  for (const { value } of valuesOf(facts))
    if (value.kind === 'choice' && value.test !== undefined)
      for (const key of comparedIn(value.test, step)) append(decided, key, value)
  return ({ at: price }, at, around) => {
    const key = keyOf(price) ?? ''
    const [assignments, decisions] = [later.get(key) ?? [], decided.get(key) ?? []]
    step(1 + assignments.length + decisions.length)
    return (
      assignments.some((one) => one.start > at.end && isWithin(one, around)) || decisions.some((one) => isWithin(one, around))
    )
  }
}

/** What a condition compares with another value, under whatever name it does so. */
function comparedIn(test: Value, step: (count?: number) => void): ReadonlySet<string> {
  const keys = new Set<string>()
  findPart(test, (part) => {
    step()
    if (part.kind !== 'operation' || !isComparing(part.operator)) return false
    const [first, second] = part.operands
    if (first === undefined || second === undefined) return false
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const key = other.kind === 'literal' || isNothing(other) ? undefined : keyOf(one)
      if (key !== undefined) keys.add(key)
    }
    return false
  })
  return keys
}
