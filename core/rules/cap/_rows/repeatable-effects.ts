import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isWithin, createInnerIndex } from '../../../facts/span-index.ts'
import {
  accessesOf,
  constantOf,
  createCodeReader,
  findPart,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { CRUD_EVENT, findHandlers, toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContextRoot, isOfUi5App } from '../../../model/script/index.ts'
import { groupBy } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { askedIn, wordsOf, type Asked } from './asked-before.ts'
import { handsOn } from '../_handlers/handed-requests.ts'
import { entityOfUpdate, isState, reachedFrom, REFUSES, type CallsIn } from './decided-states.ts'

/** A handler of an operation that changes a number of another row, sets a state to a constant, and has not looked at that state before. */
export interface RepeatableEffect extends Span {
  readonly events: readonly string[]
  /** Last parts of names; undefined: an operation that is bound to none, or registered by its name alone. */
  readonly entities: readonly string[] | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
  /** None where the handler only runs before and may refuse. */
  readonly effect?: {
    /** Of the row whose number changes: `stock` of `Products`. */
    readonly entity: string
    readonly element: string
    /** Undefined: the row that the operation is bound to. */
    readonly stateOf: string | undefined
    readonly state: string
    /** Last parts of the names of entities that the handler reads before. */
    readonly reads: readonly string[]
    /** The request names the row whose state is set by a parameter. */
    readonly isKeyed: boolean
  }
}

/** Operations whose effect comes again with each call, and the handlers in front of operations. */
export const repeatableEffects: Extract<RepeatableEffect> = defineExtract({
  name: 'cap-repeatable-effects',
  keywords: ['UPDATE', '.update(', '.before('],
  prefilter: (text) => /\.(?:on|before)\s{0,4}\(/.test(text) && /\b(?:srv|cds|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const handlers = findHandlers(facts).filter(({ events }) =>
      events.some((name) => name === undefined || !CRUD_EVENT.test(name)),
    )
    if (handlers.length === 0) return
    step(facts.calls.length + facts.assignments.length)
    const callsIn = createInnerIndex(facts.calls)
    const isRefusing = createCodeReader(text, (code) => REFUSES.test(code))
    const wordsIn = createCodeReader(text, wordsOf)
    const looked = { facts, text, callsIn, chains: groupBy(facts.calls, ({ start }) => start), wordsIn, step }
    const updates = facts.calls.flatMap((call) => updateIn(call) ?? [])
    const added = addedNames(facts)
    const relative = updates.flatMap((update) => effectIn(update, added) ?? [])
    for (const handler of handlers) {
      const { phase, events, entities, service, fact, call } = handler
      const { start, end } = call
      const names = events.map((name) => name ?? '*')
      const known = { events: names, entities, service: service.name, isConnected: service.kind === 'connected' }
      if (phase === 'before') {
        const reached = reachedFrom(handler, facts, callsIn)
        if (fact === undefined || handsOn(handler, facts, callsIn) || reached.some(isRefusing)) yield { ...known, start, end }
        continue
      }
      if (phase !== 'on' || fact === undefined) continue
      const own = updates.filter((one) => isWithin(one.call, fact))
      const effects = relative.filter((one) => isWithin(one.update.call, fact))
      step(updates.length + relative.length)
      if (effects.length === 0 || handsOn(handler, facts, callsIn)) continue
      const found = repeated(own, effects, { ...handler, fact }, looked)
      if (found !== undefined) yield { ...known, start: found.at.start, end: found.at.end, effect: found.effect }
    }
  },
})

/** `UPDATE(Orders, ID).with({ … })`, `tx.update(Orders).set({ … })`. */
interface Update {
  readonly call: CallValue
  readonly entity: string | undefined
  readonly fields: readonly { readonly key?: string; readonly value: Value }[]
  /** Of a tagged template. */
  readonly written: string
}

function updateIn(call: CallValue): Update | undefined {
  const found = entityOfUpdate(call)
  if (found === undefined) return undefined
  const rows = call.texts === undefined ? call.args.map(resolveValue) : []
  const fields = rows.flatMap((row) => (row.kind === 'object' ? row.fields : []))
  return { call, entity: found.entity, fields, written: call.texts?.join('?') ?? '' }
}

interface Effect {
  readonly update: Update
  readonly entity: string
  readonly element: string
}

/** The number of another row that an update adds to, or takes from, what rows say. */
function effectIn(update: Update, added: ReadonlySet<string>): Effect | undefined {
  const { entity, fields, written } = update
  if (entity === undefined) return undefined
  const byText = /^\s{0,20}(\w{1,60})\s{0,4}=\s{0,4}(\w{1,60})\s{0,4}[-+]/.exec(written)
  if (byText?.[1] !== undefined && byText[1] === byText[2]) {
    if (!isAmount(byText[1])) return undefined
    const [first] = update.call.args
    return first !== undefined && isSent(first) ? undefined : { update, entity, element: byText[1] }
  }
  const field = fields.find(({ key, value }) => key !== undefined && isAmount(key) && isRelative(key, value, added))
  return field?.key === undefined ? undefined : { update, entity, element: field.key }
}

/** Something that there is so much of, and not how often something happened: views, reminders and restarts are there to go up. */
export function isAmount(name: string): boolean {
  return AMOUNT.test(toWords(name))
}

const AMOUNT =
  /\b(?:stocks?|on ?hand|inventory|quantity|quantities|qty|balances?|points|credits?|seats?|places|capacity|budgets?|amounts?|available|availability|remaining|free|left|reserved|allocated|sold|paid|spent|total|sum|value|funds|money|deposits?|quota|allowance|hours|days|units|pieces|miles|bonus|limit|debt|savings|turnover|revenue|sales|salary|wallet)\b/

function isRelative(key: string, written: Value, added: ReadonlySet<string>): boolean {
  const value = resolveValue(written)
  if (value.kind === 'object') {
    const [only] = value.fields
    return only !== undefined && /^[-+]=$/.test(only.key ?? '') && !isSent(only.value)
  }
  const isOwn = (part: Value): boolean => part.kind === 'member' && part.name === key
  const parts = addendsOf(value)
  if (parts.length > 1) return parts.some((part) => findPart(part, isOwn) !== undefined) && !parts.some(isSent)
  return isOwn(value) && added.has(key)
}

/** What is added to, or taken from, by itself: `item.stock -= line.quantity`. */
function addedNames({ assignments }: ScriptFacts): ReadonlySet<string> {
  return new Set(
    assignments.flatMap(({ target, operator, value }) =>
      target.name !== undefined && /^[-+]=$/.test(operator) && !isSent(value) ? [target.name] : [],
    ),
  )
}

/** `a + b`, which may be a text as well, and `a - b`. */
function addendsOf(value: Value): readonly Value[] {
  if (value.kind === 'concat') return value.parts
  return value.kind === 'operation' && value.operator === '-' ? value.operands : []
}

/** The caller says how much: such an operation is there to be called often. */
function isSent(value: Value): boolean {
  if (value.kind === 'operation') return value.operands.some(isSent)
  if (value.kind === 'concat') return value.parts.some(isSent)
  if (value.kind === 'choice') return value.options.some(isSent)
  return accessesOf(resolveValue(value)).some(
    ({ root, steps }) =>
      (isContextRoot(root) && steps[0] === 'data' && !steps.includes('()')) ||
      // an item of a list, of which nobody knows
      (root.startsWith('parameter:') && !isContextRoot(root)),
  )
}

/** What is looked up in a script, each of it made once. */
interface Looked {
  readonly facts: ScriptFacts
  readonly text: string
  readonly callsIn: CallsIn
  /** Of a chain, `UPDATE(X).set({ … }).where({ … })`, all calls. */
  readonly chains: ReadonlyMap<number, readonly CallValue[]>
  readonly wordsIn: (fact: FunctionFact) => ReadonlySet<string>
  readonly step: (count?: number) => void
}

/** What an update of a handler sets, and where the handler asks for it. */
interface Setting {
  readonly update: Update
  readonly state: string | undefined
  /** Of its chain. */
  readonly end: number
  /** The branches around it within the handler. */
  readonly branches: readonly Span[]
  /** Where the first of what it marks is named. */
  readonly markedAt: number
}

function repeated(
  own: readonly Update[],
  effects: readonly Effect[],
  handler: HandlerFunction & { readonly fact: FunctionFact },
  looked: Looked,
): { readonly at: Span; readonly effect: NonNullable<RepeatableEffect['effect']> } | undefined {
  const { fact } = handler
  const { facts, text, callsIn, step, wordsIn } = looked
  const helpers = reachedFrom(handler, facts, callsIn).filter((one) => one !== fact)
  step(facts.guards.length + helpers.length)
  const calls = callsIn(fact)
  step(calls.length)
  const updates = own.map(({ call }) => call)
  const asked = askedIn({ fact, updates, calls, facts, text, words: helpers.map(wordsIn) })
  const branches = facts.guards.map(({ inside }) => inside).filter((one) => isWithin(one, fact))
  const sets = own.map((update) => setOf(update, branches, asked, looked))
  const count = sets.reduce((sum, one) => sum + 1 + one.branches.length, 0)
  for (const { update, entity, element } of effects) {
    step(count)
    const others = sets.filter((one) => one.update.entity !== entity && !isConditional(one, update))
    const counted = sets.filter((one) => one.update.entity === entity && one.update !== update)
    const asks = [...others, ...counted].reduce((at, one) => Math.min(at, one.markedAt), asked.otherwise)
    for (const { update: set, state, end } of others) {
      if (state === undefined) continue
      const last = Math.max(update.call.end, end)
      if (asks < last || asked.nameAt(state) < last) continue
      const { call, entity: stateOf } = set
      const { start } = update.call
      const effect = { entity, element, stateOf, state, reads: asked.readBefore(last), isKeyed: isKeyed(call, looked) }
      return { at: { start, end: update.call.end }, effect }
    }
  }
  return undefined
}

function setOf(update: Update, branches: readonly Span[], asked: Asked, { chains, step }: Looked): Setting {
  const { call, fields } = update
  step(branches.length + fields.length)
  const state = fields.find(({ key, value }) => key !== undefined && isState(key) && (isDone(value) || isChosen(value)))?.key
  const chain = chains.get(call.start) ?? []
  step(chain.length)
  let markedAt = Infinity
  for (const { key, value } of fields)
    if (key !== undefined && isMark(key, value)) markedAt = Math.min(markedAt, asked.nameAt(key))
  return {
    update,
    state,
    end: chain.reduce((last, one) => Math.max(last, one.end), call.end),
    branches: branches.filter((one) => isWithin(call, one)),
    markedAt,
  }
}

/** It is set in some cases only, as when nothing is left to do. */
function isConditional({ branches }: Setting, effect: Update): boolean {
  return branches.some((inside) => !isWithin(effect.call, inside))
}

/** `status: req.data.status`: the caller says what the state is now, whatever it was. */
function isChosen(value: Value): boolean {
  return accessesOf(resolveValue(value)).some(
    ({ root, steps }) => isContextRoot(root) && steps[0] === 'data' && steps.length === 2,
  )
}

/** A constant that says what has been done; what has failed may be tried again. */
function isDone(value: Value): boolean {
  const constant = constantOf(value)
  return constant === true || (typeof constant === 'string' && constant !== '' && !/fail|error/i.test(constant))
}

/** What a later call could ask: a constant, or when it was done. */
function isMark(key: string, value: Value): boolean {
  return constantOf(value) !== undefined || /(?:At|On|_at|_on)$|date|time/i.test(key)
}

/** A parameter of the request names the row: `.where({ ID: req.data.order })`. */
function isKeyed(set: CallValue, { chains, callsIn, step }: Looked): boolean {
  const chain = [...(chains.get(set.start) ?? []), ...callsIn(set)]
  step(chain.length)
  return chain
    .filter((one) => one !== set)
    .flatMap(({ args }) => args)
    .some((given) => {
      const row = resolveValue(given)
      const values = row.kind === 'object' ? row.fields.map(({ value }) => value) : [given]
      return values.some(isSent)
    })
}
