import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, resolveValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { keysGiven } from '../../../facts/values.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findHandlers, toWords, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isData } from './computed-elements.ts'
import { entityOfUpdate } from './decided-states.ts'

/** A handler that runs when clients write an entity, and the total that it makes of the items of a new row. */
export interface ItemTotal extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
  /** `amount`, of the composition `items`. */
  readonly total?: string
  readonly items?: string
  /** Elements that updates of the script set, and totals that it puts into rows which no client sends. */
  readonly updated: readonly string[]
}

/** Handlers of writes, with totals over the items that clients send; and what other scripts set. */
export const itemTotals: Extract<ItemTotal> = defineExtract({
  name: 'cap-item-totals',
  keywords: ['.before(', '.on(', '.after(', 'UPDATE', '.update(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) || /CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|['"]\*['"]/.test(text) || TOTALS.test(text),
  isFor: isDeployedCode,
  collect({ facts, step }): readonly ItemTotal[] {
    const handlers = findHandlers(facts).filter(({ events }) => events.some((name) => name === undefined || WRITE.test(name)))
    const early = handlers.flatMap(({ phase, fact }) => (phase === 'before' && fact !== undefined ? [fact] : []))
    const updated = updatedIn(facts, early, step)
    // what a checkout sets, or a helper, is set all the same
    if (handlers.length === 0) return updated.length === 0 ? [] : [{ ...NO_HANDLER, updated }]
    return handlers.map(({ phase, events, entities, service, fact, call }) => {
      const isForNew = phase === 'before' && events.some((name) => name === 'CREATE' || name === 'INSERT')
      const found = isForNew && fact !== undefined ? totalIn(facts, fact, step) : undefined
      const { start, end } = call
      return {
        start,
        end,
        service: service.name,
        isConnected: service.kind === 'connected',
        events: events.map((name) => name ?? '*'),
        entities,
        updated,
        ...found,
      }
    })
  },
})

const NO_HANDLER: Omit<ItemTotal, 'updated'> = {
  start: 0,
  end: 0,
  service: undefined,
  isConnected: false,
  events: [],
  entities: [],
}

const WRITE = /^(?:CREATE|UPDATE|DELETE|INSERT|UPSERT|PATCH|SAVE|WRITE|\*)$/
/** In words: a summary and a display value are texts. */
const TOTAL = /(?:^| )(?:totals?|amounts?|sums?|prices?|costs?|netto|brutto|values?)(?: |$)/
const TOTALS = /total|amount|sum|price|cost|netto|brutto|value/i

function updatedIn(
  { calls, assignments }: ScriptFacts,
  early: readonly Span[],
  step: (count?: number) => void,
): readonly string[] {
  step(calls.length + assignments.length)
  const found = calls.flatMap((call) => (entityOfUpdate(call) === undefined ? [] : keysGiven(call.args.map(resolveValue))))
  // `row.total = …`, as of what was read; before a write it is that of an item
  const put = assignments.flatMap(({ target: { name, object }, start, end }) => {
    if (name === undefined || object === undefined || !TOTAL.test(toWords(name)) || isData(object)) return []
    step(early.length)
    return early.some((fact) => isWithin({ start, end }, fact)) ? [] : name
  })
  return [...new Set([...found, ...put])]
}

/** `for (const item of req.data.items) sum += …; req.data.amount = sum`. */
function totalIn(
  facts: ScriptFacts,
  fact: Span,
  step: (count?: number) => void,
): { readonly total: string; readonly items: string } | undefined {
  step(facts.assignments.length + facts.bindings.length + facts.calls.length)
  const total = facts.assignments.find(
    ({ target, value, operator, start, end }) =>
      operator === '=' &&
      target.name !== undefined &&
      TOTAL.test(toWords(target.name)) &&
      isWithin({ start, end }, fact) &&
      isData(target.object) &&
      isAddedUp(value),
  )?.target.name
  const items = total === undefined ? undefined : itemsIn(facts, fact)
  return total === undefined || items === undefined ? undefined : { total, items }
}

function isAddedUp(value: Value): boolean {
  return (
    findPart(
      value,
      (part) =>
        (part.kind === 'reference' &&
          ((part.binding?.additions.length ?? 0) > 0 || (part.binding?.definitions.length ?? 0) > 1)) ||
        (part.kind === 'call' && lastNameOf(part.callee) === 'reduce'),
    ) !== undefined
  )
}

/** The list of the request that a function goes through. */
function itemsIn({ bindings, calls }: ScriptFacts, fact: Span): string | undefined {
  for (const { definitions } of bindings)
    for (const { kind, value, start, end } of definitions)
      if (kind === 'each' && value !== undefined && isWithin({ start, end }, fact)) {
        const name = listOf(value)
        if (name !== undefined) return name
      }
  for (const call of calls) {
    const { callee } = call
    if (callee.kind !== 'member' || !/^(?:forEach|reduce|map)$/.test(callee.name ?? '') || !isWithin(call, fact)) continue
    const name = listOf(callee.object)
    if (name !== undefined) return name
  }
  return undefined
}

/** `items` of `req.data.items`, also with a default or taken out. */
function listOf(written: Value): string | undefined {
  // const { items } = req.data
  const [only, ...others] = written.kind === 'reference' ? (written.binding?.definitions ?? []) : []
  if (only?.kind === 'init' && only.value !== undefined && only.path.length === 1 && others.length === 0)
    return isData(only.value) ? only.path[0] : undefined
  const value = resolveValue(written)
  if (value.kind === 'choice') return value.options.flatMap((option) => listOf(option) ?? [])[0]
  return value.kind === 'member' && isData(value.object) ? value.name : undefined
}
