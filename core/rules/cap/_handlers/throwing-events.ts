import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks, type Callback } from '../../../facts/callbacks.ts'
import {
  excerptOf,
  importedNames,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, createSpanIndex, isWithin } from '../../../facts/span-index.ts'
import { HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { askedIn, isAsked, isMetBefore, isProven, openPartScript, valueAsked, type PartScript } from '../_routes/part-guards.ts'
import { concerns, type SentPart } from '../_routes/sent-parts.ts'
import { rowUses, type RowUse } from '../_rows/missing-rows.ts'
import { createRefusalReader } from './refusals.ts'
import { findRequestUnits, type HandlerNames, type RequestUnit } from './request-units.ts'
import { createNeedReader, type EventNeed } from './thrown-parts.ts'

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

/** What a handler asks for, so that others can rely on it. */
export interface EventCheck extends HandlerNames {
  readonly kind: 'check'
  readonly fields: readonly string[]
  /** It hands the request or its data to a function that may check it. */
  readonly isOpen: boolean
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
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !isOfUi5App(path),
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

interface OpenHandlers extends PartScript {
  readonly units: ReadonlyMap<FunctionFact, RequestUnit>
  readonly functionAt: (offset: number) => FunctionFact | undefined
  readonly callbacks: ReadonlyMap<FunctionFact, Callback>
  readonly triedAt: (offset: number) => readonly Span[]
  readonly ends: (guard: Guard) => boolean
  readonly needsIn: (around: Span) => readonly EventNeed[]
  readonly rowsIn: (around: Span) => readonly RowUse[]
  readonly callsIn: (around: Span) => readonly CallValue[]
  readonly guardsIn: (around: Span) => readonly Guard[]
}

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
  return {
    ...script,
    units,
    functionAt: (offset) => around(offset)[0],
    callbacks: findCallbacks(facts),
    triedAt: createSpanIndex([...script.tried, ...chains], (span) => span),
    ends: (guard) =>
      refuses(guard) && REJECTS.test(text.slice(guard.inside.start, Math.min(guard.inside.end, guard.inside.start + LONGEST))),
    needsIn: createInnerIndex([...createNeedReader(facts, script, step)]),
    rowsIn: createInnerIndex([...rowUses(facts, script, step)]),
    callsIn: createInnerIndex(facts.calls),
    guardsIn: createInnerIndex(facts.guards),
  }
}

/** The exception itself ends the process also where a request is refused with it. */
const PASSES_ON =
  /(?:\bthrow\s{1,5}([\w$]{1,60})|\b(?:req|request)\.(?:reject|error)\(\s{0,9}([\w$]{1,60})\s{0,9}\))\s{0,9};?\s{0,99}\}$/

/** Fact: capire, "req.reject" throws, "req.error" collects. */
const REJECTS = /\breject\s{0,4}\(/
const LONGEST = 2000

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

/** What a function is called that may check what it is given, or fill it in. */
const CHECKS =
  /valid|check|assert|ensure|verif|requir|schema|pars|sanit|normali|default|prepare|fill|enrich|must|guard|reject|init|^set|^add|assign|comput|calc|determine|apply|derive|merge/i
const OF_CALLER = /auth|role|scope|permission|admin|tenant|transaction|^tx$|log|trace|audit|metric/i

/** A condition in front asks for the part, a function in front may check it. */
function isPresent(part: SentPart, at: Span, fact: FunctionFact, script: OpenHandlers): boolean {
  const inner = script.functionAt(at.start) ?? fact
  return (
    isAsked(part, at, inner, script, script.ends) ||
    (inner !== fact && isAsked(part, at, fact, script, script.ends)) ||
    isCheckedBefore(at, fact, script, (value) => {
      const known = script.partOf(value)
      return known !== undefined && concerns(known, part)
    })
  )
}

/** `validate(req)`, `ensureItems(req.data.items)` in front of a place. */
function isCheckedBefore(
  at: Span,
  fact: FunctionFact,
  { callsIn }: OpenHandlers,
  concernsIt: (value: Value) => boolean,
): boolean {
  return callsIn(fact).some(
    ({ callee, args, end }) =>
      end <= at.start &&
      CHECKS.test(lastNameOf(callee) ?? '') &&
      !OF_CALLER.test(lastNameOf(callee) ?? '') &&
      args.some(concernsIt),
  )
}

/** A condition in front asks for the row, or for another row of its entity. */
function isFound(use: RowUse, fact: FunctionFact, script: OpenHandlers): boolean {
  const { row } = use
  const inner = script.functionAt(use.start) ?? fact
  const isRow = (value: Value): boolean => value.kind === 'reference' && value.binding !== undefined && value.binding === row
  const isMet = (test: Value): boolean => askedIn(test, script).some((value) => isRow(value) || isOfEntity(value, use, script))
  if (isMetBefore(isMet, use, inner, script, script.ends)) return true
  if (inner !== fact && isMetBefore(isMet, use, fact, script, script.ends)) return true
  return isCheckedBefore(use, fact, script, isRow) || isWrittenBefore(use, fact, script)
}

/** What another query of the same entity gave: how many rows it changed, another look at the row. */
function isOfEntity(value: Value, { read, row }: RowUse, { text }: OpenHandlers): boolean {
  if (value.kind !== 'reference' || value.binding === undefined || value.binding === row || read.entity === '') return false
  const [definition] = value.binding.definitions
  const given = definition?.value
  if (given === undefined || definition?.kind === 'parameter') return false
  const code = text.slice(given.start, Math.min(given.end, given.start + LONGEST))
  return /\b(?:SELECT|UPDATE|DELETE|exists|find|get|read)/.test(code) && code.includes(read.entity)
}

/** The row was inserted by the handler itself. */
function isWrittenBefore({ start, read }: RowUse, fact: FunctionFact, { callsIn }: OpenHandlers): boolean {
  if (read.entity === '') return false
  return callsIn(fact).some(
    (call) =>
      call.end <= start &&
      lastNameOf(call.callee) === 'into' &&
      call.args.some((given) =>
        (lastNameOf(given) ?? (given.kind === 'literal' ? String(given.value) : '')).endsWith(read.entity),
      ),
  )
}

/** What a handler asks of the data that it gets, in conditions that end the request. */
function checkOf(fact: FunctionFact, unit: RequestUnit, script: OpenHandlers): EventCheck | undefined {
  const { partOf } = script
  const asked = script.guardsIn(fact).flatMap(({ test }) => askedIn(test, script))
  const fields = new Set<string>()
  for (const value of [...asked, ...script.writesIn(fact).map(({ target }) => target)]) {
    const part = valueAsked(value, partOf)
    if (part?.[0] === 'data' && part[1] !== undefined) fields.add(part[1])
  }
  const isOpen = script.callsIn(fact).some(
    ({ callee, args }) =>
      !OF_CALLER.test(lastNameOf(callee) ?? '') &&
      args.some((given) => {
        const part = partOf(given)
        return part !== undefined && (part.length === 0 || (part.length === 1 && part[0] === 'data'))
      }),
  )
  if (fields.size === 0 && !isOpen) return undefined
  const { from, handled, exported, request } = unit
  return { kind: 'check', from, handled, exported, request, fields: [...fields], isOpen }
}
