import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import {
  excerptOf,
  importedNames,
  type CallValue,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createOffsetIndex, createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import { HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isProven, openPartScript } from '../_routes/part-guards.ts'
import { rowUses } from '../_rows/missing-rows.ts'
import { asksForErrors, createRefusalReader } from './refusals.ts'
import { findRequestUnits, type HandlerNames, type RequestUnit } from './request-units.ts'
import {
  checkOf,
  createCalledReader,
  createCheckReader,
  isFound,
  isPresent,
  type EventCheck,
  type OpenHandlers,
} from './throw-checks.ts'
import { createNeedReader } from './thrown-parts.ts'

/** What a script says of an event that it handles. */
export type EventNote = EventThrow | EventCheck | HandedCall

/** A place in a handler where a request makes it throw, and nothing catches. */
export interface EventThrow extends Span, HandlerNames {
  /** A part of the data that is missing, a text that cannot be read, a row that does not exist, a header that is missing. */
  readonly kind: 'missing' | 'malformed' | 'row' | 'header'
  readonly code: string
  /** The element or parameter; of a row that by which it is found, empty where the address names it. */
  readonly field: string
  /** Of a row: the last part of the name of its entity; empty: that of the request. */
  readonly entity: string
  /** The handler behind this one has run. */
  readonly isBehind?: boolean
  /** It throws for undefined, and not for null. */
  readonly isDate?: boolean
}

/** A call by which a handler hands its request to a function of another file. */
export interface HandedCall extends HandlerNames, ImportedName {
  readonly kind: 'call'
  /** The position of the request among its arguments. */
  readonly position: number
  /** What the handler asks for itself. */
  readonly fields: readonly string[]
}

const MAX_FOUND = 60

/** What handlers throw for a request where nothing catches, and what they ask for. */
export const throwingEvents: Extract<EventNote> = defineExtract({
  name: 'cap-throwing-events',
  keywords: ['.on(', '.before(', '.after(', '.data', '.params', ...HANDLER_PACKAGES],
  prefilter: (text) => /\b(?:data|params|subject|headers|before)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const units = findRequestUnits(facts, step)
    if (units.size === 0) return
    const script = openHandlers(facts, text, units, step)
    let left = MAX_FOUND
    for (const [fact, unit] of units) {
      step(1 + script.guardsIn(fact).length + script.callsIn(fact).length)
      const check = checkOf(fact, unit, script)
      if (check !== undefined) yield check
      if (unit.handled.length > 0) yield* handedCalls(fact, unit, check?.fields ?? [], script)
      for (const place of placesIn(fact, script, step)) {
        yield place
        if (--left === 0) return
      }
    }
  },
})

function openHandlers(
  facts: ScriptFacts,
  text: string,
  units: ReadonlyMap<FunctionFact, RequestUnit>,
  step: (count?: number) => void,
): OpenHandlers {
  const caught = new Map(
    facts.bindings.flatMap(({ kind, name, definitions: [definition] }) =>
      kind === 'catch' && definition?.tried !== undefined ? [[definition.tried.start, name] as const] : [],
    ),
  )
  const passesOn = (end: string, { start }: Span): boolean => {
    const name = PASSES_ON.exec(end)
      ?.slice(1)
      .find((one) => one !== undefined)
    return name !== undefined && name === caught.get(start)
  }
  const script = openPartScript(facts, text, (fact) => units.get(fact)?.request, passesOn)
  // asyncCall().catch(…)
  const chains = facts.calls.flatMap(({ callee }) => (callee.kind === 'member' && callee.name === 'catch' ? callee.object : []))
  const around = createSpanIndex(facts.functions, (fact) => fact)
  const refuses = createRefusalReader(facts, text)
  // if (req.errors) return
  const leavesForErrors = createOffsetIndex(
    facts.guards.flatMap(({ exits, test, inside }) => (exits && asksForErrors(test) ? inside.end - 1 : [])),
  )
  // fact: capire, "req.reject" throws, "req.error" collects
  const errors = facts.calls.flatMap(({ callee, start }) => (lastNameOf(callee) === 'error' ? start : []))
  const rejections = facts.calls.flatMap((call) => (isRejection(call) ? call.start : []))
  const rejectsIn = createOffsetIndex(rejections)
  const errorsIn = createOffsetIndex(errors)
  const callsIn = createInnerIndex(facts.calls)
  const guardsIn = createInnerIndex(facts.guards)
  return {
    ...script,
    units,
    functionAt: (offset) => around(offset)[0],
    callbacks: findCallbacks(facts),
    triedAt: createSpanIndex([...script.tried, ...chains], (span) => span),
    refuses,
    refusesWithin: createOffsetIndex([...rejections, ...errors, ...[...text.matchAll(/\bthrow\b/g)].map(({ index }) => index)]),
    ends: ({ inside }, at) => rejectsIn(inside) || (errorsIn(inside) && leavesForErrors({ start: inside.end, end: at })),
    needsIn: createInnerIndex([...createNeedReader(facts, script, step)]),
    rowsIn: createInnerIndex([...rowUses(facts, script, step)]),
    callsIn,
    guardsIn,
    checksIn: createCheckReader({ guardsIn, callsIn, refuses }),
    calledBy: createCalledReader(facts, step),
  }
}

/** The exception itself ends the process also where a request is refused with it. */
const PASSES_ON =
  /(?:\bthrow\s{1,5}([\w$]{1,60})|\b(?:req|request|oReq|oRequest)\.(?:reject|error)\(\s{0,9}([\w$]{1,60})\s{0,9}\))\s{0,9};?\s{0,99}\}$/

/** `req.reject(404)`, `raiseNotFound(req)` of another file. */
function isRejection({ kind, callee }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (name === 'reject') return true
  return kind === 'call' && name !== 'error' && RAISES.test(name) && !/log|trace/i.test(name) && functionOf(callee) === undefined
}

const RAISES = /throw|raise|fail|reject|abort|error|refus/i

/** Functions of other files that a handler hands its request to, outside of try and catch. */
function* handedCalls(
  fact: FunctionFact,
  { from, handled, exported, request }: RequestUnit,
  fields: readonly string[],
  script: OpenHandlers,
): Generator<HandedCall> {
  const given = fact.parameters[request]
  for (const call of given === undefined ? [] : script.callsIn(fact)) {
    const position = call.args.findIndex((argument) => argument.kind === 'reference' && argument.binding === given)
    if (position < 0 || !isOpenAt(call, fact, script)) continue
    for (const name of importedNames(call.callee))
      yield { kind: 'call', from, handled, exported, request, ...name, position, fields }
  }
}

const MAX_CALLS = 3

/** How the requests of a function come to it where nothing on the way catches, or asks for what it needs. */
function waysTo(
  fact: FunctionFact,
  script: OpenHandlers,
  isMet: (at: Span, fact: FunctionFact) => boolean,
  step: (count?: number) => void,
  hops = MAX_CALLS,
): readonly HandlerNames[] {
  const unit = script.units.get(fact)
  if (unit === undefined || hops === 0) return []
  const { from, handled, exported, request, callers } = unit
  step(
    1 + callers.reduce((sum, caller) => sum + script.guardsAround(caller.fact).length + script.valuesIn(caller.fact).length, 0),
  )
  const own = handled.length > 0 || exported !== undefined ? [{ from, handled, exported, request }] : []
  const called = callers.filter(({ fact: caller, call }) => isOpenAt(call, caller, script) && !isMet(call, caller))
  return [...own, ...called.flatMap((one) => waysTo(one.fact, script, isMet, step, hops - 1))]
}

/** The first place for each part of the request and each row. */
function* placesIn(fact: FunctionFact, script: OpenHandlers, step: (count?: number) => void): Generator<EventThrow> {
  const { text } = script
  const told = new Set<unknown>()
  const cost = script.guardsAround(fact).length + script.callsIn(fact).length + script.valuesIn(fact).length
  const isBehind = (at: Span): boolean =>
    script.callsIn(fact).some((call) => call.function === fact && call.end <= at.start && lastNameOf(call.callee) === 'next')
  for (const need of script.needsIn(fact)) {
    const { part, what, start, end, before = '', isDate = false } = need
    const field = part[1] ?? ''
    const key = `${part[0]} ${field}`
    if (told.has(key) || !isOpenAt(need, fact, script)) continue
    step(2 * cost)
    if (what === 'presence' ? isPresent(part, need, fact, script) : isProven(part, need, fact, script, script.ends)) continue
    told.add(key)
    const kind = part[0] === 'headers' ? 'header' : what === 'presence' ? 'missing' : 'malformed'
    const code = before + excerptOf(text, { start, end }) + (before.startsWith('for') ? ')' : '')
    for (const way of waysTo(fact, script, (at, caller) => what === 'presence' && isPresent(part, at, caller, script), step))
      yield { ...way, kind, start, end, code, field, entity: '', isDate }
  }
  for (const use of script.rowsIn(fact)) {
    const { read, row, start, end } = use
    if (told.has(row ?? read) || !isOpenAt(use, fact, script)) continue
    step(2 * cost)
    if (isFound(use, fact, script)) continue
    told.add(row ?? read)
    const field = read.by[0] === 'data' ? (read.by[1] ?? '') : ''
    const code = excerptOf(text, { start, end })
    for (const way of waysTo(fact, script, () => false, step))
      yield { ...way, kind: 'row', start, end, code, field, entity: read.entity, isBehind: isBehind(use) }
  }
}

/** What runs a function before it returns, or gives what its promise gives. */
const INLINE =
  /^(?:map|forEach|filter|some|every|find|findIndex|findLast|findLastIndex|reduce|reduceRight|flatMap|sort|then|finally|tx|transaction|setTimeout|setImmediate|nextTick)$/

/** It runs when the handler does, and nothing catches what it throws. */
function isOpenAt({ start }: Span, fact: FunctionFact, { functionAt, callbacks, triedAt, units }: OpenHandlers): boolean {
  const unawaited: Span[] = []
  for (let here = functionAt(start); here !== fact; here = here.parent) {
    if (here === undefined || units.has(here)) return false
    const callback = callbacks.get(here)
    const name = callback && lastNameOf(callback.call.callee)
    if (name === undefined || !INLINE.test(name) || callback?.index !== (name.startsWith('set') ? 0 : callback?.index))
      return false
    if (here.isAsync && (name === 'forEach' || name.startsWith('set'))) unawaited.push(here)
  }
  return !triedAt(start).some((span) => isWithin(span, fact) && !unawaited.some((inner) => isWithin(inner, span)))
}
