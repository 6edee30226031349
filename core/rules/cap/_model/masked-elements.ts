import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isOnTheWay } from '../../../facts/guards.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { asksForRole, findHandlers, isAdministrative, type HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Elements that a handler of what was read masks in the answer: `srv.after('READ', 'Cards', …)`. */
export interface MaskedElements extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Last parts of names; undefined: of all entities. */
  readonly entities: readonly string[] | undefined
  readonly elements: readonly string[]
  /** Elements that users get empty by their roles. */
  readonly emptied: readonly string[]
  /** The roles that keep elements which others get empty. */
  readonly roles: readonly string[]
  /** The roles that get elements empty. */
  readonly limited: readonly string[]
}

/** One item for each handler that runs after reading and overwrites elements with masked values, or empties them by the roles of the user. */
export const maskedElements: Extract<MaskedElements> = defineExtract({
  name: 'cap-masked-elements',
  keywords: ['.after('],
  prefilter: (text) => MASKS.some((mask) => mask.test(text)) || (text.includes('user.is(') && EMPTIES.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) =>
    findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, service, call, fact } = handler
      if (phase !== 'after' || fact === undefined || !events.some((name) => READS.test(name ?? ''))) return []
      step(facts.assignments.length)
      const elements = maskedIn(handler, facts, text)
      const { emptied, roles, limited } = emptiedIn(handler, facts, text, step)
      const [event, target] = call.args
      const at = handler.isTargeted ? target : event
      if (elements.length + emptied.length === 0 || at === undefined) return []
      const isConnected = service.kind === 'connected'
      return [{ service: service.name, isConnected, entities, elements, emptied, roles, limited, start: at.start, end: at.end }]
    }),
})

const READS = /^(?:READ|each|\*)$/
/** `'****'`, `'****' + row.iban.slice(-4)`, `maskCard(row.number)`, `'[REDACTED]'` */
const MASKS = [
  /['"`]\s{0,2}(?:\*{3}|\u2022{3}|x{4}|X{4})/,
  /\b(?:mask|redact|anonymise|anonymize|obfuscate)\w{0,30}\s{0,4}\(/i,
  /['"`][^\w'"`]{0,3}(?:redacted|masked|hidden)[^\w'"`]{0,3}['"`]/i,
]
const EMPTIES = /=\s{0,4}(?:null|undefined|''|"")(?![\w'"])|\bdelete\s/
const MAX_VALUE = 300

/** Names of the elements that a handler sets to something masked, or to another one that it has masked before. */
function maskedIn({ fact }: HandlerFunction, { assignments }: ScriptFacts, text: string): readonly string[] {
  if (fact === undefined) return []
  const masked = new Set<string>()
  for (const { target, value, start, end } of assignments) {
    if (!isWithin({ start, end }, fact) || target.kind !== 'member' || target.name === undefined) continue
    const written = text.slice(value.start, Math.min(value.end, value.start + MAX_VALUE))
    if (MASKS.some((mask) => mask.test(written)) || isOneOf(value, masked)) masked.add(target.name)
  }
  return [...masked]
}

function isOneOf(value: Value, names: ReadonlySet<string>): boolean {
  return value.kind === 'member' && value.name !== undefined && names.has(value.name)
}

type Emptied = Pick<MaskedElements, 'emptied' | 'roles' | 'limited'>

const NOTHING: Emptied = { emptied: [], roles: [], limited: [] }

/**
 * `if (!req.user.is('Boss')) row.pay = null`, `if (req.user.is('Boss')) return`: names of elements of the rows that a handler empties or deletes where the
 * user lacks a role, or has it. What administrators don't get is no secret.
 */
function emptiedIn({ fact }: HandlerFunction, facts: ScriptFacts, text: string, step: (count?: number) => void): Emptied {
  if (fact === undefined || !text.slice(fact.start, fact.end).includes('user.is(')) return NOTHING
  const { assignments, deletions, guards } = facts
  step(guards.length)
  const asking = guards.flatMap((guard) => {
    const asked = isWithin(guard, fact) ? rolesOf(guard.test, true) : []
    return asked.length === 0 ? [] : [{ guard, asked, isRefusal: REFUSES.test(text.slice(guard.inside.start, guard.inside.end)) }]
  })
  if (asking.length === 0) return NOTHING
  const isOfRows = createRowReader(fact, facts, step)
  const emptied = new Set<string>()
  const roles = new Set<string>()
  const limited = new Set<string>()
  const targets = [...deletions, ...assignments.flatMap(({ target, value }) => (isEmpty(value) ? target : []))]
  step(targets.length * asking.length)
  for (const target of targets) {
    if (target.kind !== 'member' || target.name === undefined || !isWithin(target, fact) || !isOfRows(target.object)) continue
    const asked = asking.flatMap(({ guard, asked, isRefusal }) => {
      if (isAround(guard.inside, target.start)) return asked
      // what leaves for some decides about all others; whom it refuses reads nothing
      return !isRefusal && isOnTheWay(guard, target.start) ? asked.map(({ role, has }) => ({ role, has: !has })) : []
    })
    const relevant = asked.filter(({ role, has }) => !has || !isAdministrative(role))
    if (relevant.length > 0) emptied.add(target.name)
    for (const { role, has } of relevant) (has ? limited : roles).add(role)
  }
  return { emptied: [...emptied], roles: [...roles], limited: [...limited] }
}

const REFUSES = /\b(?:reject|error|throw)\b/
const MAX_DEPTH = 6

/** Tells the rows that a handler gets: its first parameter, what a loop or a callback takes out of it, and other names of these. */
function createRowReader(fact: FunctionFact, { calls }: ScriptFacts, step: (count?: number) => void): (value: Value) => boolean {
  const [rows] = fact.parameters
  step(calls.length)
  // `rows.forEach((row) => …)`, `mask(row)`
  const given = new Map<FunctionFact, Value>()
  for (const { callee, args, start, end } of calls) {
    if (!isWithin({ start, end }, fact)) continue
    const [first] = args
    const called = functionOf(resolveValue(callee))
    if (called !== undefined && first !== undefined) given.set(called, first)
    const callback = callee.kind === 'member' && first !== undefined ? functionOf(resolveValue(first)) : undefined
    if (callback !== undefined && callee.kind === 'member') given.set(callback, callee.object)
  }
  const isRow = (binding: Binding, depth: number): boolean => {
    if (binding === rows) return true
    const argument = binding.function.parameters[0] === binding ? given.get(binding.function) : undefined
    const values = argument === undefined ? binding.definitions.map(({ value }) => value) : [argument]
    return values.some((value) => value !== undefined && depth < MAX_DEPTH && isOfRows(value, depth + 1))
  }
  const isOfRows = (value: Value, depth = 0): boolean => {
    step()
    if (value.kind === 'reference') return value.binding !== undefined && isRow(value.binding, depth)
    const parts =
      value.kind === 'choice'
        ? value.options
        : value.kind === 'array'
          ? value.items
          : value.kind === 'call'
            ? [value.callee]
            : value.kind === 'member'
              ? [value.object]
              : []
    return depth < MAX_DEPTH && parts.some((part) => part !== undefined && isOfRows(part, depth + 1))
  }
  return isOfRows
}

interface AskedRole {
  readonly role: string
  /** Whether the user has the role where the condition holds. */
  readonly has: boolean
}

/** The roles that a condition asks for, by names too. What the values that it compares hold is no question. */
function rolesOf(test: Value, has: boolean, depth = 0): readonly AskedRole[] {
  const here = resolveValue(test)
  if (here.kind === 'call') {
    const name = asksForRole(here) && here.args[0] ? constantOf(here.args[0]) : undefined
    return typeof name === 'string' ? [{ role: name, has }] : []
  }
  const parts = 'options' in here ? here.options : 'operands' in here ? here.operands : []
  const isNegated = here.kind === 'operation' && here.operator === '!'
  return depth > MAX_DEPTH ? [] : parts.flatMap((part) => rolesOf(part, has !== isNegated, depth + 1))
}

function isEmpty(value: Value): boolean {
  return value.kind === 'literal'
    ? value.value === null || value.value === ''
    : value.kind === 'reference' && value.name === 'undefined'
}
