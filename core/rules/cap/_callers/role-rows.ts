import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  stringConstantOf,
  fieldOf,
  findPart,
  functionAround,
  resolveValue,
  valuesOf,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround } from '../../../facts/span-index.ts'
import {
  asksForRole,
  AUTHENTICATED_ROLES,
  exposedMembers,
  isGuarded,
  isOrdinary,
  writersOf,
  type CapRoot,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import { scriptQueries, type ScriptQuery } from '../_handlers/script-queries.ts'
import { mentionsCaller } from './caller-values.ts'

/** An element of a row that is found for the caller, and that decides what the caller may do; its span is that of the comparison. */
export interface RoleRow extends Span {
  /** The last part of its name. */
  readonly entity: string
  readonly element: string
}

/** One for each element of an entity that a script compares: `const me = await SELECT.one.from(Staff).where({ mail: req.user.id }); if (me.role !== 'boss') return req.reject(403)`. */
export const roleRows: Extract<RoleRow> = defineExtract({
  name: 'cap-role-rows',
  keywords: ['SELECT'],
  prefilter: (text) => ROLE_IN_TEXT.test(text) && /\buser\b/.test(text) && (REFUSES.test(text) || RIGHTS.test(text)),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => findRows(facts, text, step),
})

const ROLE_IN_TEXT = /\.(?:\w{0,30}_)?(?:role|is_?admin|user_?type)|\brole\s{0,4}\??\.\s{0,4}(?:name|code)/i
/** What a function does that keeps somebody out. */
const REFUSES = /\.\s{0,4}(?:reject|error)\s{0,4}\(|\bthrow\b|\b40[13]\b/
/** Elements of users that hold a right. */
const ROLE = /^(?:(?:user|app|account|access)_?)?role(?:_?(?:code|id|name))?$|^is_?(?:admin|super_?user)$|^user_?type$/i
/** Entities whose rows are roles, and the elements that tell one from the other. */
const ROLES = /^(?:user|app)?roles?$/i
const NAME = /^(?:name|code)$/i
const PRIVILEGED = /admin|super_?user|founder|owner|manager/i

function findRows(facts: ScriptFacts, text: string, step: (count?: number) => void): RoleRow[] {
  let asked: ReadonlyMap<CallValue, ScriptQuery> | undefined
  const found = new Map<string, RoleRow>()
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator)) continue
    for (const side of value.operands) {
      const part = partOfRow(comparedPart(side))
      if (part?.kind !== 'member' || part.name === undefined || !(ROLE.test(part.name) || NAME.test(part.name))) continue
      const others = value.operands.filter((one) => one !== side)
      asked ??= new Map(scriptQueries(facts, step).map((query) => [query.last, query]))
      const query = queryOf(part.object, asked)
      if (query?.kind !== 'read' || found.has(`${query.entity}.${part.name}`)) continue
      const isRole = ROLE.test(part.name) || (ROLES.test(query.entity) && others.some(isPrivileged))
      if (!isRole || !isOfCaller(query, text) || !keepsOut(value, facts, text, step)) continue
      found.set(`${query.entity}.${part.name}`, { entity: query.entity, element: part.name, start: value.start, end: value.end })
    }
  }
  return [...found.values()]
}

const MAX_HOPS = 4
const KEPT = /^(?:trim|toLowerCase|toUpperCase|toString|String)$/

/** `me.role` of `(me.role || '').trim().toLowerCase()`, by names too. */
function comparedPart(side: Value): Value | undefined {
  let here = resolveValue(side)
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    if (here.kind === 'member') return here
    let inner: Value | undefined
    if (here.kind === 'choice') inner = here.test === undefined ? here.options[0] : undefined
    else if (here.kind === 'call' && KEPT.test(lastNameOf(here.callee) ?? ''))
      inner = here.callee.kind === 'member' ? here.callee.object : here.args[0]
    if (inner === undefined) return undefined
    here = resolveValue(inner)
    // me && me.role
    if (here.kind === 'choice' && here.isAnd === true) here = resolveValue(here.options.at(-1) ?? here)
  }
  return undefined
}

/** `row.role` of `caller.role`, where a function of the file gives the caller back: `return { name, role: (row && row.role) || '' }`. */
function partOfRow(part: Value | undefined): Value | undefined {
  if (part?.kind !== 'member' || part.name === undefined) return part
  const made = awaited(resolveValue(part.object))
  const called = made.kind === 'call' ? functionOf(made.callee) : undefined
  for (const returned of called?.returns ?? []) {
    const field = fieldOf(resolveValue(returned), part.name)
    const own = field === undefined ? undefined : comparedPart(field.value)
    if (own !== undefined) return own
  }
  return part
}

/** The query that gives a row: `await SELECT…`, `await db.run(SELECT…)`, the first of a list, what a function of the file gives back. */
export function queryOf(row: Value, asked: ReadonlyMap<Value, ScriptQuery>, hop = 0): ScriptQuery | undefined {
  if (hop > MAX_HOPS) return undefined
  const inner = awaited(row)
  const own = asked.get(inner)
  if (own !== undefined) return own
  const from = (others: readonly Value[]): ScriptQuery | undefined => {
    for (const other of others) {
      const found = queryOf(other, asked, hop + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (inner.kind === 'reference')
    return from(
      (inner.binding?.definitions ?? []).flatMap(({ value, path }) =>
        value !== undefined && path.every((part) => part === '0') ? value : [],
      ),
    )
  if (inner.kind !== 'call') return undefined
  const called = functionOf(inner.callee)
  if (called !== undefined) return from(called.returns)
  return lastNameOf(inner.callee) === 'run' ? from(inner.args.slice(0, 1)) : undefined
}

function isPrivileged(value: Value): boolean {
  const text = stringConstantOf(value)
  return text !== undefined && PRIVILEGED.test(text)
}

/** The row is that of the caller, or belongs to it: a condition of the query asks for the user, or for a part of such a row. */
export function isOfCaller({ terms }: ScriptQuery, text: string): boolean {
  return terms.some(({ value }) => mentionsCaller(value, text))
}

/** What a refusal answers that has nothing to do with rights: the request is wrong, the row is missing, or there already. */
const OTHER_ANSWER = /\b4(?:0[024-9]|[1-9]\d)\b/
const RIGHTS = /\b40[13]\b|authori[sz]|permi(?:ssion|tted)|allowed|forbid|denied|privileg|\bonly\b/i

/** `return JSON.stringify({ error: 'Not authorised' })` */
const ANSWERS = /\breturn\b/
const AN_ERROR = /\berror\b/

/** A condition that holds the comparison, by a name too, leaves with a refusal that is about rights. */
function keepsOut(compared: Value, facts: ScriptFacts, text: string, step: (count?: number) => void): boolean {
  step(facts.guards.length)
  const around = functionAround(facts, compared.start)
  // who writes the role into a row has no scope by that
  if (facts.guards.some((guard) => guard.exits && guard.function === around && isWithoutScope(guard.test))) return false
  return facts.guards.some(({ test, inside, exits, function: asking }) => {
    if (!exits || asking !== around) return false
    const answer = text.slice(inside.start, inside.end)
    const refuses = REFUSES.test(answer)
      ? !OTHER_ANSWER.test(answer) || RIGHTS.test(answer)
      : ANSWERS.test(answer) && AN_ERROR.test(answer) && RIGHTS.test(answer)
    if (!refuses) return false
    return isAround(test, compared.start) || findPart(test, (part) => part === compared) !== undefined
  })
}

/** `!req.user.is('board')`, beside other reasons to refuse. */
function isWithoutScope(test: Value): boolean {
  if (test.kind === 'choice' && test.test === undefined && test.isAnd !== true) return test.options.some(isWithoutScope)
  const [first] = test.kind === 'operation' && test.operator === '!' ? test.operands : []
  const asked = first === undefined ? undefined : awaited(resolveValue(first))
  return asked?.kind === 'call' && (asksForRole(asked) || /^has_?(?:scope|role|authority)/i.test(lastNameOf(asked.callee) ?? ''))
}

/** An element that handlers take the role of the caller from, and that ordinary users write. */
export interface WrittenRole {
  readonly exposed: ExposedMember
  readonly writers: readonly string[]
  /** Where a handler compares it. */
  readonly at: Place
}

/** Elements of `roleRows` that users write who have no role but that of all users. That clients need no login, other rules tell. */
export function* writtenRoles(root: CapRoot): Generator<WrittenRole> {
  const rows = root.scripts.get(roleRows)
  if (rows.length === 0) return
  for (const exposed of exposedMembers(root)) {
    const { service, entity, member, source, isWritten } = exposed
    root.step(rows.length)
    if (!isWritten || member.key || isGuarded(member)) continue
    const row = rows.find(
      ({ value }) =>
        (value.element === member.name || value.element.startsWith(`${member.name}_`)) &&
        [entity.qualified, source.name, ...root.projected(entity.qualified)].some((name) => isNamed(name, value.entity)),
    )
    if (row === undefined) continue
    const writers = writersOf(entity, service)
    if (writers.includes('any') || !writers.some((role) => AUTHENTICATED_ROLES.has(role) || isOrdinary(role))) continue
    yield { exposed, writers, at: { file: row.file, span: { start: row.value.start, end: row.value.end } } }
  }
}

function isNamed(qualified: string, name: string): boolean {
  return qualified === name || qualified.endsWith(`.${name}`)
}
