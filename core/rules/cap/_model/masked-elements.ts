import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { asksForRole, findHandlers, type HandlerFunction } from '../../../model/cap/index.ts'
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
  /** The roles that are asked for where elements are emptied. */
  readonly roles: readonly string[]
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
      const { emptied, roles } = emptiedIn(handler, facts, text, step)
      const [event, target] = call.args
      const at = handler.isTargeted ? target : event
      if (elements.length + emptied.length === 0 || at === undefined) return []
      const isConnected = service.kind === 'connected'
      return [{ service: service.name, isConnected, entities, elements, emptied, roles, start: at.start, end: at.end }]
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

/** `if (!req.user.is('Boss')) row.pay = null`: names of elements that a handler empties or deletes where the user has a role, or lacks it. */
function emptiedIn(
  { fact }: HandlerFunction,
  { assignments, deletions, guards }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): Pick<MaskedElements, 'emptied' | 'roles'> {
  const emptied = new Set<string>()
  const roles = new Set<string>()
  if (fact === undefined || !text.slice(fact.start, fact.end).includes('user.is(')) return { emptied: [], roles: [] }
  step(guards.length)
  const asking = guards.flatMap((guard) => {
    const asked = isWithin(guard, fact) ? rolesOf(guard.test) : []
    return asked.length === 0 ? [] : [{ inside: guard.inside, asked }]
  })
  const targets = [...deletions, ...assignments.flatMap(({ target, value }) => (isEmpty(value) ? target : []))]
  if (asking.length > 0) step(targets.length * asking.length)
  for (const target of asking.length === 0 ? [] : targets) {
    if (target.kind !== 'member' || target.name === undefined || !isWithin(target, fact)) continue
    const around = asking.filter(({ inside }) => isWithin(target, inside))
    if (around.length > 0) emptied.add(target.name)
    for (const role of around.flatMap(({ asked }) => asked)) roles.add(role)
  }
  return { emptied: [...emptied], roles: [...roles] }
}

const MAX_DEPTH = 6

/** The roles that a condition asks for, by names too. What the values that it compares hold is no question. */
function rolesOf(test: Value, depth = 0): readonly string[] {
  const here = resolveValue(test)
  if (here.kind === 'call') {
    const name = asksForRole(here) && here.args[0] ? constantOf(here.args[0]) : undefined
    return typeof name === 'string' ? [name] : []
  }
  const parts = 'options' in here ? here.options : 'operands' in here ? here.operands : []
  return depth > MAX_DEPTH ? [] : parts.flatMap((part) => rolesOf(part, depth + 1))
}

function isEmpty(value: Value): boolean {
  return value.kind === 'literal'
    ? value.value === null || value.value === ''
    : value.kind === 'reference' && value.name === 'undefined'
}
