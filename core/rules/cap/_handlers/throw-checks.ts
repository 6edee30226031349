import { functionOf, type Callback } from '../../../facts/callbacks.ts'
import {
  constantOf,
  pathsOf,
  resolveValue,
  type CallValue,
  type Definition,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { handlerFunction } from '../../../model/cap/index.ts'
import { isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { askedIn, isAsked, isMetBefore, valueAsked, type PartScript } from '../_routes/part-guards.ts'
import { ANY, concerns, type SentPart } from '../_routes/sent-parts.ts'
import type { RowUse } from '../_rows/missing-rows.ts'
import type { HandlerNames, RequestUnit } from './request-units.ts'
import type { EventNeed } from './thrown-parts.ts'

/** What a handler asks for, so that others can rely on it. */
export interface EventCheck extends HandlerNames {
  readonly kind: 'check'
  readonly fields: readonly string[]
  /** Elements that it hands to a function which may look at their form. */
  readonly formed: readonly string[]
  /** Words of the queries whose rows it asks for: the entities are among them. */
  readonly rows: readonly string[]
  /** It hands the request or its data to a function that may check it. */
  readonly isOpen: boolean
}

/** A script with its handlers, and what is worked out of it once. */
export interface OpenHandlers extends PartScript {
  readonly units: ReadonlyMap<FunctionFact, RequestUnit>
  readonly functionAt: (offset: number) => FunctionFact | undefined
  readonly callbacks: ReadonlyMap<FunctionFact, Callback>
  readonly triedAt: (offset: number) => readonly Span[]
  readonly ends: (guard: Guard, at: number) => boolean
  readonly refuses: (guard: Guard) => boolean
  /** A refusal stands in a span. */
  readonly refusesWithin: (around: Span) => boolean
  readonly checksIn: (fact: FunctionFact) => boolean
  readonly calledBy: (call: CallValue) => FunctionFact | undefined
  readonly needsIn: (around: Span) => readonly EventNeed[]
  readonly rowsIn: (around: Span) => readonly RowUse[]
  readonly callsIn: (around: Span) => readonly CallValue[]
  readonly guardsIn: (around: Span) => readonly Guard[]
}

export const LONGEST = 2000

/** What a function of another file is called that may throw for what it is given. */
const CHECKS =
  /valid|check|assert|ensure|verif|requir|schema|^parse(?!Int|Float)|sanit|normali|must|guard|reject|need|mandat|expect/i
/** What it is called where it may fill in what is missing, of a whole that it is given. */
const FILLS = /default|prepare|fill|enrich|init|^set|^add|assign|comput|calc|determine|apply|derive|merge|pars/i
const OF_CALLER = /auth|role|scope|permission|admin|tenant|transaction|^tx$|log|trace|audit|metric/i

/** A condition in front asks for the part, a function in front may check it. */
export function isPresent(part: SentPart, at: Span, fact: FunctionFact, script: OpenHandlers): boolean {
  const inner = script.functionAt(at.start) ?? fact
  return (
    isAsked(part, at, inner, script, script.ends) ||
    (inner !== fact && isAsked(part, at, fact, script, script.ends)) ||
    callsBefore(at, fact, script).some((call) => {
      const known = call.args.flatMap((value) => {
        const given = script.partOf(value)
        return given !== undefined && concerns(given, part) ? [given.length] : []
      })
      return known.length > 0 && mayCheck(call, Math.min(...known) < part.length, script)
    })
  )
}

function callsBefore(at: Span, fact: FunctionFact, { callsIn }: OpenHandlers): readonly CallValue[] {
  return callsIn(fact).filter(({ end }) => end <= at.start)
}

/** `validate(req)`, `ensureItems(req.data.items)`: of a function of this file what it does, of another one what it is called. */
function mayCheck(call: CallValue, isWhole: boolean, { calledBy, checksIn, writesIn }: OpenHandlers): boolean {
  const own = calledBy(call)
  if (own !== undefined) return checksIn(own) || (isWhole && writesIn(own).length > 0)
  return isCheckCall(call) || (isWhole && FILLS.test(lastNameOf(call.callee) ?? '') && !isOfCaller(call))
}

function isCheckCall(call: CallValue): boolean {
  return CHECKS.test(lastNameOf(call.callee) ?? '') && !isOfCaller(call)
}

function isOfCaller({ callee }: CallValue): boolean {
  return OF_CALLER.test(lastNameOf(callee) ?? '')
}

/** Reads once of each function whether it refuses under some condition, or has another one check what it is given. */
export function createCheckReader({
  guardsIn,
  callsIn,
  refuses,
}: Pick<OpenHandlers, 'guardsIn' | 'callsIn' | 'refuses'>): OpenHandlers['checksIn'] {
  const known = new Map<FunctionFact, boolean>()
  return (fact) => {
    const found = known.get(fact) ?? (guardsIn(fact).some(refuses) || callsIn(fact).some(isCheckCall))
    known.set(fact, found)
    return found
  }
}

/** Finds once for each call the function of this script that it runs. */
export function createCalledReader(facts: ScriptFacts, step: (count: number) => void): OpenHandlers['calledBy'] {
  const known = new Map<CallValue, FunctionFact | undefined>()
  return (call) => {
    if (!known.has(call)) {
      step(1 + facts.assignments.length)
      known.set(call, functionOf(call.callee) ?? handlerFunction(call.callee, facts))
    }
    return known.get(call)
  }
}

/** A condition in front asks for the row, or for another row of its entity. */
export function isFound(use: RowUse, fact: FunctionFact, script: OpenHandlers): boolean {
  const { row } = use
  const inner = script.functionAt(use.start) ?? fact
  const isRow = (value: Value): boolean => value.kind === 'reference' && value.binding !== undefined && value.binding === row
  const isMet = (test: Value): boolean => askedIn(test, script).some((value) => isRow(value) || isOfEntity(value, use, script))
  if (isMetBefore(isMet, use, inner, script, script.ends)) return true
  if (inner !== fact && isMetBefore(isMet, use, fact, script, script.ends)) return true
  return callsBefore(use, fact, script).some((call) => looksFor(call, isRow, use, script)) || isWrittenBefore(use, fact, script)
}

/** `assertFound(vessel)`, `await mustExist(req.data.vessel)` in front of a place. */
function looksFor(call: CallValue, isRow: (value: Value) => boolean, { read }: RowUse, script: OpenHandlers): boolean {
  if (call.args.some(isRow)) return mayCheck(call, false, script)
  const isSent = call.args.some((value) => {
    const given = script.partOf(value)
    return given !== undefined && (given.length === 0 || concerns(given, read.by))
  })
  if (!isSent) return false
  const own = script.calledBy(call)
  if (own === undefined) return isCheckCall(call)
  const code = script.text.slice(own.start, Math.min(own.end, own.start + LONGEST))
  return QUERIES.test(code) && script.checksIn(own)
}

const QUERIES = /\b(?:SELECT|UPDATE|DELETE|exists|find|get|read)/

/** What another query of the same entity gave: how many rows it changed, another look at the row. */
function isOfEntity(value: Value, { read, row }: RowUse, { text }: OpenHandlers): boolean {
  if (value.kind !== 'reference' || value.binding === undefined || value.binding === row || read.entity === '') return false
  const code = queryCode(value, text)
  return code !== undefined && code.includes(read.entity)
}

/** The query that a name was given. */
function queryCode(value: Value, text: string): string | undefined {
  const [definition] = (value.kind === 'reference' && value.binding?.definitions) || []
  const given = definition?.value
  if (given === undefined || definition?.kind === 'parameter') return undefined
  const code = text.slice(given.start, Math.min(given.end, given.start + LONGEST))
  return QUERIES.test(code) ? code : undefined
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

/** What a handler asks of the data that it gets, in conditions under which it refuses the request, or may: by a function. */
export function checkOf(fact: FunctionFact, unit: RequestUnit, script: OpenHandlers): EventCheck | undefined {
  const { partOf } = script
  const elementOf = (value: Value): readonly string[] => {
    const part = valueAsked(value, partOf)
    if (part === undefined) return isOfAll(value, partOf) ? [ANY] : []
    if ((part[0] !== 'data' && part[0] !== 'headers') || part[1] === undefined) return []
    return part[1] === ANY && part.length === 2 && 'property' in value ? loopedNames(value.property) : [part[1]]
  }
  const asked = script.guardsIn(fact).flatMap((guard) => (mayRefuse(guard, script) ? askedIn(guard.test, script) : []))
  const fields = [...asked, ...script.writesIn(fact).map(({ target }) => target)].flatMap(elementOf)
  const formed = asked.flatMap((value) => (value.kind === 'call' ? value.args.flatMap(elementOf) : []))
  const rows = asked.flatMap((value) => queryCode(value, script.text)?.match(/\w{1,100}/g) ?? [])
  const isOpen = script.callsIn(fact).some(
    (call) =>
      !isOfCaller(call) &&
      !isUse(call) &&
      call.args.some((given) => {
        const part = partOf(given)
        return part !== undefined && (part.length === 0 || (part.length === 1 && part[0] === 'data'))
      }),
  )
  if (fields.length === 0 && rows.length === 0 && !isOpen) return undefined
  const { from, handled, exported, request } = unit
  const once = (names: readonly string[]): readonly string[] => [...new Set(names)]
  return { kind: 'check', from, handled, exported, request, fields: once(fields), formed: once(formed), rows: once(rows), isOpen }
}

/** `field` of `for (const field of ['name', 'items']) if (!req.data[field]) …`: its names, or any. */
function loopedNames(property: Value | undefined): readonly string[] {
  const definition = property && onlyDefinition(property)
  const list = definition?.kind === 'each' && definition.value !== undefined ? resolveValue(definition.value) : undefined
  const names = list !== undefined && 'items' in list ? list.items.map(constantOf) : [undefined]
  return names.every((name) => typeof name === 'string') ? names : [ANY]
}

/** `value` of `for (const [field, value] of Object.entries(req.data)) if (!value) …`, `field in req.data`. */
function isOfAll(value: Value, partOf: OpenHandlers['partOf']): boolean {
  const isData = (one: Value): boolean => partOf(one)?.join(' ') === 'data'
  if ('operands' in value) return value.operator === 'in' && value.operands.some(isData)
  const definition = onlyDefinition(value)
  const list = definition?.kind === 'each' ? definition.value : undefined
  return list !== undefined && 'args' in list && list.args.some(isData)
}

function onlyDefinition(value: Value): Definition | undefined {
  const [definition, another] = 'binding' in value ? (value.binding?.definitions ?? []) : []
  return another === undefined ? definition : undefined
}

/** Where the condition holds, it refuses, or calls something that is no log; or it leaves, and what follows refuses. */
function mayRefuse({ inside, exits, function: { end } }: Guard, { refusesWithin, callsIn }: OpenHandlers): boolean {
  const isAsserted = inside.start === inside.end
  return (
    isAsserted ||
    refusesWithin(inside) ||
    (exits && refusesWithin({ start: inside.end, end })) ||
    callsIn(inside).some((call) => !isUse(call))
  )
}

/** It writes, stores or sends what it is given, and looks at nothing: `console.log`, `JSON.stringify`, `INSERT.into(Log).entries`. */
function isUse(call: CallValue): boolean {
  return (
    isLogCall(call) ||
    /^(?:entries|emit|send|publish)$/.test(lastNameOf(call.callee) ?? '') ||
    pathsOf(call).some(([root]) => root === 'global:JSON' || root === 'global:Object')
  )
}
