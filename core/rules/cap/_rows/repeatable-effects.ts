import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isWithin, createInnerIndex } from '../../../facts/span-index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
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
import { CRUD_EVENT, findHandlers, type HandlerFunction } from '../../../model/cap/index.ts'
import { blankComments } from '../../../model/reach/index.ts'
import { isContextRoot, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { entityOfUpdate, handsOn, isState, reachedFrom, REFUSES } from './decided-states.ts'

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
    readonly value: string
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
    const callsIn = createInnerIndex(facts.calls)
    const isRefusing = createCodeReader(text, (code) => REFUSES.test(code))
    const updates = facts.calls.flatMap((call) => updateIn(call) ?? [])
    const relative = updates.flatMap((update) => effectIn(update, facts) ?? [])
    step(facts.calls.length + relative.length * facts.assignments.length)
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
      const found = repeated(own, effects, { handler, fact, facts, text, others: reachedFrom(handler, facts, callsIn) })
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
function effectIn(update: Update, facts: ScriptFacts): Effect | undefined {
  const { entity, fields, written } = update
  if (entity === undefined) return undefined
  const byText = /^\s{0,20}(\w{1,60})\s{0,4}=\s{0,4}(\w{1,60})\s{0,4}[-+]/.exec(written)
  if (byText?.[1] !== undefined && byText[1] === byText[2]) {
    const [first] = update.call.args
    return first !== undefined && isSent(first) ? undefined : { update, entity, element: byText[1] }
  }
  const field = fields.find(({ key, value }) => key !== undefined && isRelative(key, value, facts))
  return field?.key === undefined ? undefined : { update, entity, element: field.key }
}

function isRelative(key: string, written: Value, { assignments }: ScriptFacts): boolean {
  const value = resolveValue(written)
  if (value.kind === 'object') {
    const [only] = value.fields
    return only !== undefined && /^[-+]=$/.test(only.key ?? '') && !isSent(only.value)
  }
  const isOwn = (part: Value): boolean => part.kind === 'member' && part.name === key
  const parts = addendsOf(value)
  if (parts.length > 1) return parts.some((part) => findPart(part, isOwn) !== undefined) && !parts.some(isSent)
  // item.stock -= line.quantity
  return (
    isOwn(value) &&
    assignments.some(({ target, operator, value: by }) => /^[-+]=$/.test(operator) && isOwn(target) && !isSent(by))
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

interface Handled {
  readonly handler: HandlerFunction
  readonly fact: FunctionFact
  readonly facts: ScriptFacts
  readonly text: string
  /** The functions of the script that it calls, itself among them. */
  readonly others: readonly FunctionFact[]
}

function repeated(
  own: readonly Update[],
  effects: readonly Effect[],
  handled: Handled,
): { readonly at: Span; readonly effect: NonNullable<RepeatableEffect['effect']> } | undefined {
  const { fact, facts, text, others } = handled
  for (const { update, entity, element } of effects) {
    const sets = own.filter((one) => one.entity !== entity && !isConditional(one, update, facts))
    for (const set of sets) {
      const state = set.fields.find(({ key, value }) => key !== undefined && isState(key) && isDone(value))
      if (state?.key === undefined) continue
      const end = Math.max(update.call.end, chainEnd(set.call, facts))
      const code = codeBefore({ start: fact.start, end }, own, text)
      const marks = [...sets, ...own.filter((one) => one.entity === entity && one !== update)].flatMap(({ fields }) =>
        fields.flatMap(({ key, value }) => (key !== undefined && isMark(key, value) ? [key] : [])),
      )
      const helpers = others.filter((one) => one !== fact).map((one) => text.slice(one.start, one.end))
      if (ASKS_OTHERWISE.test(code) || asksForRows(facts, fact, end)) continue
      if ([state.key, ...marks].some((name) => [code, ...helpers].some((one) => isNamedIn(one, name)))) continue
      return {
        at: { start: update.call.start, end: update.call.end },
        effect: {
          entity,
          element,
          stateOf: set.entity,
          state: state.key,
          value: String(constantOf(state.value)),
          isKeyed: isKeyed(set.call, facts),
        },
      }
    }
  }
  return undefined
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

/** It is set in some cases only, as when nothing is left to do. */
function isConditional({ call }: Update, effect: Update, { guards }: ScriptFacts): boolean {
  return guards.some(({ inside }) => isWithin(call, inside) && !isWithin(effect.call, inside))
}

/** `UPDATE(X).set({ … }).where({ … })`: up to the end of the last call. */
function chainEnd({ start, end }: Span, { calls }: ScriptFacts): number {
  return calls.reduce((last, one) => (one.start === start && one.end > last ? one.end : last), end)
}

/** Without comments and without what updates set. */
function codeBefore({ start, end }: Span, own: readonly Update[], text: string): string {
  let code = ''
  let from = start
  const spans = own.flatMap(({ call }) => call.args).toSorted((one, other) => one.start - other.start)
  for (const span of spans) {
    if (span.start < from || span.end > end) continue
    code += text.slice(from, span.start)
    from = span.end
  }
  return blankComments(code + text.slice(from, end))
}

/** Functions that check rows, rows that were made before, and rows that are gone afterwards. */
const ASKS_OTHERWISE =
  /\b(?:check|validate|assert|ensure|verify|guard|can[A-Z])\w{0,60}\s{0,9}\(|already|duplicat|\bexist|idempot|processed|\bDELETE\b|\.delete\s{0,9}\(/i

/** `if (existing) return req.reject(409)`, `if (receipts.length > 0) throw …`. */
function asksForRows({ guards }: ScriptFacts, fact: Span, end: number): boolean {
  return guards.some(({ exits, inside, test }) => exits && isWithin(inside, fact) && inside.start < end && asksForRow(test))
}

function asksForRow(test: Value): boolean {
  if (test.kind === 'choice') return test.options.some(asksForRow)
  if (test.kind === 'reference' || test.kind === 'await') return true
  if (test.kind === 'member') return test.name === 'length'
  if (test.kind === 'call') return !ASKS_NO_ROW.test(lastNameOf(test.callee) ?? '')
  if (test.kind !== 'operation') return false
  const [first] = test.operands
  if (test.operator === '!' && first?.kind === 'call') return asksForRow(first)
  return /^[>!]==?$|^>$/.test(test.operator) && first?.kind === 'member' && first.name === 'length'
}

const ASKS_NO_ROW = /^(?:is|isArray|isInteger|isNaN|isFinite|hasRole)$/

/** A parameter of the request names the row: `.where({ ID: req.data.order })`. */
function isKeyed(set: CallValue, { calls }: ScriptFacts): boolean {
  const chain = calls.filter((one) => one.start === set.start || isWithin(one, set))
  return chain
    .filter((one) => one !== set)
    .flatMap(({ args }) => args)
    .some((given) => {
      const row = resolveValue(given)
      const values = row.kind === 'object' ? row.fields.map(({ value }) => value) : [given]
      return values.some(isSent)
    })
}

function isNamedIn(code: string, name: string): boolean {
  return code.match(/[\w$]+/g)?.includes(name) === true
}
