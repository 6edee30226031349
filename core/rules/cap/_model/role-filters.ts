import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { asksForRole, findHandlers } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { pathBelowRequest } from '../_rows/replaced-conditions.ts'

/** A handler that adds a condition to what is read, for users with a role alone; its span is that of the question for the role. */
export interface RoleFilter extends Span {
  readonly roles: readonly string[]
  /** Roles whose users the handler lets go on first, to read all rows. */
  readonly passed: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of names; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** No handler of the script, but this function, which another file may register as one. */
  readonly exported: string
}

/** Handlers of READ whose only conditions stand behind a role, and that do nothing to users without it. */
export const roleFilters: Extract<RoleFilter> = defineExtract({
  name: 'cap-role-filters',
  keywords: ['user.is'],
  prefilter: (text) => /\bREAD\b|'\*'|"\*"|\bexports?\b/.test(text) && /\.(?:where|and)\s{0,4}\(|\bwhere\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => [...findFilters(facts, text, step)],
})

function* findFilters(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<RoleFilter> {
  const callsIn = createInnerIndex(facts.calls)
  const handlers = findHandlers(facts)
  for (const { phase, fact, events, entities, service } of handlers) {
    const isReading = events.some((name) => name === 'READ' || name === '*')
    if (fact === undefined || !isReading || (phase !== 'before' && phase !== 'prepend')) continue
    const found = filterIn(fact, facts, text, callsIn(fact), step)
    const named = events.flatMap((name) => name ?? [])
    if (found !== undefined)
      yield {
        ...found,
        exported: '',
        service: service.name,
        isConnected: service.kind === 'connected',
        events: named,
        entities,
      }
  }
  const handled = new Set(handlers.flatMap(({ fact }) => fact ?? []))
  for (const [exported, fact] of exportedFunctions(facts)) {
    const found = handled.has(fact) ? undefined : filterIn(fact, facts, text, callsIn(fact), step)
    if (found !== undefined) yield { ...found, exported, service: undefined, isConnected: false, events: [], entities: undefined }
  }
}

/** The question for a role in a function that adds a condition for nobody else. */
function filterIn(
  fact: FunctionFact,
  facts: ScriptFacts,
  text: string,
  calls: readonly CallValue[],
  step: (count?: number) => void,
): (Span & Pick<RoleFilter, 'roles' | 'passed'>) | undefined {
  const questions = calls.filter(asksForRole)
  const [first] = questions
  if (first === undefined) return undefined
  step(facts.guards.length + calls.length)
  const guarding = facts.guards.flatMap((guard) => {
    if (!isWithin(guard, fact)) return []
    const asked = rolesAsked(guard.test)
    const isPassed = asked.length > 0 && leaves(guard, fact, text)
    if (asked.length > 0) return { start: Math.min(guard.start, guard.test.start), inside: guard.inside, asked, isPassed }
    return withoutRoleLeaves(guard, fact, text) ?? []
  })
  const filters = [...filtersIn(calls), ...assignedFilters(facts, fact)]
  const limiting = guarding.filter(({ isPassed }) => !isPassed)
  // each role that is asked for has a filter or sees all, and each filter a role
  if (limiting.length === 0 || !limiting.every(({ inside }) => filters.some((filter) => isWithin(filter, inside))))
    return undefined
  const asked = guarding.flatMap((part) => part.asked)
  if (!questions.every((question) => asked.includes(question)) || mayLimitOthers(text, fact, guarding)) return undefined
  const roles = rolesOf(limiting)
  const passed = rolesOf(guarding.filter((part) => !limiting.includes(part)))
  return roles.length + passed.length < asked.length ? undefined : { start: first.start, end: first.end, roles, passed }
}

function rolesOf(parts: readonly RolePart[]): readonly string[] {
  return parts
    .flatMap((part) => part.asked)
    .flatMap(({ args: [role] }) => (role === undefined ? [] : (constantOf(role) ?? keptName(role) ?? [])))
    .map(String)
}

/** What runs for users with one of these roles alone. */
interface RolePart {
  readonly start: number
  readonly inside: Span
  readonly asked: readonly CallValue[]
  /** They leave the handler, and read all. */
  readonly isPassed: boolean
}

/** `if (!req.user.is('Auditor')) return`: what follows in the handler is for users with the role, and nothing refuses the others. */
function withoutRoleLeaves(guard: Guard, fact: FunctionFact, text: string): RolePart | undefined {
  if (!leaves(guard, fact, text)) return undefined
  const { start, test, inside } = guard
  const asked = rolesMissing(test)
  return asked.length === 0 ? undefined : { start, inside: { start: inside.end, end: fact.end }, asked, isPassed: false }
}

/** `if (…) return`, and nothing else. */
function leaves({ inside, exits, function: around }: Guard, fact: FunctionFact, text: string): boolean {
  return exits && around === fact && LEAVES.test(text.slice(inside.start, inside.end).trim())
}

const LEAVES = /^(?:\{\s{0,200})?return\b[\s;]{0,200}\}?$/

/** The roles that are asked for in `!isAuditor`, `!user.is('A') && !user.is('B')`. */
function rolesMissing(test: Value): readonly CallValue[] {
  const here = resolveValue(test)
  if ('options' in here) {
    const found = here.isAnd === true ? here.options.map(rolesMissing) : []
    return found.every((calls) => calls.length > 0) ? found.flat() : []
  }
  const [negated] = 'operands' in here && here.kind === 'operation' && here.operator === '!' ? here.operands : []
  return negated === undefined ? [] : rolesAsked(negated)
}

/** `Auditor` of `Roles.Auditor`, which another file keeps. */
function keptName(role: Value): string | undefined {
  const [{ root, steps } = { root: '', steps: [] }, ...others] = accessesOf(role)
  const name = steps.at(-1) ?? ''
  return root.startsWith('module:.') && others.length === 0 && /^[A-Za-z]\w{0,60}$/.test(name) ? name : undefined
}

/** The questions for roles of which one is enough: `user.is('A') || user.is('B')`, by a name too. */
function rolesAsked(test: Value): readonly CallValue[] {
  const here = resolveValue(test)
  if (here.kind === 'call') return asksForRole(here) ? [here] : []
  if (here.kind !== 'choice') return []
  const found = here.options.map(rolesAsked)
  const isEnough = here.isAnd !== true && here.test === undefined && found.every((calls) => calls.length > 0)
  return isEnough ? found.flat() : []
}

const QUERY = /(?:^|\.)query(?:\.|$)/

/** `req.query.where(…)`, `req.query.and(…)`. */
function filtersIn(calls: readonly CallValue[]): readonly Span[] {
  return calls.filter(
    ({ callee }) => callee.kind === 'member' && /^(?:where|and)$/.test(callee.name ?? '') && isOfRequest(callee.object),
  )
}

/** `req.query.SELECT.where = …`. */
function assignedFilters({ assignments }: ScriptFacts, fact: FunctionFact): readonly Span[] {
  return assignments.filter((one) => isWithin(one, fact) && one.target.name === 'where' && isOfRequest(one.target.object))
}

function isOfRequest(value: Value): boolean {
  return pathBelowRequest(value).some((path) => QUERY.test(path))
}

/** Something outside of the conditions narrows the query, refuses, or looks at the user in another way. */
const LIMITS =
  /\bwhere\b|\.and\s{0,4}\(|\b(?:reject|error|throw|return)\b|\b40[13]\b|\.is\s{0,4}\(|\battr\b|\broles\b|\buser\s{0,4}\??\.\s{0,4}id\b|\bcheck\w{0,40}\s{0,4}\(/i

function mayLimitOthers(text: string, { start, end }: Span, guarding: readonly RolePart[]): boolean {
  let rest = ''
  let from = start
  for (const part of guarding.toSorted((one, other) => one.start - other.start)) {
    rest += text.slice(from, Math.max(from, part.start))
    from = Math.max(from, part.inside.end)
  }
  rest += text.slice(from, end)
  const uncommented = rest.replaceAll(/\/\/[^\n]{0,300}/g, '')
  return LIMITS.test(uncommented.replaceAll(QUESTION, '').replaceAll(MISSING, ''))
}

/** `if (!employee) return req.reject(404, 'User not found')`: it refuses whom the data do not know, whatever their roles are. */
const MISSING =
  /\bif\s{0,4}\(\s{0,4}!\w{1,60}\s{0,4}\)\s{0,20}(?:\{\s{0,40})?(?:return\s{1,4})?\w{1,20}\.(?:reject|error)\s{0,4}\(\s{0,20}404\b[^()]{0,200}\)\s{0,4};?(?:\s{0,40}\})?/g

/** `const isTrainer = req.user.is('Trainer')` in front of the condition. */
const QUESTION = /\b(?:const|let|var)\s{1,10}\w{1,60}\s{0,4}=\s{0,4}[\w.?]{1,60}\.is\s{0,4}\([^()]{0,80}\)/g
