import { accessesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  AUTHENTICATED_ROLES,
  conditionOf,
  entityWords,
  exposedMembers,
  grantsEvent,
  isAdministrative,
  isGuarded,
  privilegesOf,
  restrictionsOf,
  toWords,
  writersOf,
  type CapRoot,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { entityOf } from '../_handlers/query-chains.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'

/** An element by which the one row of a person is found for a login; its span is that of the query. */
export interface CallerRow extends Span {
  /** The last part of its name. */
  readonly entity: string
  readonly element: string
}

/** Elements of look-ups of the caller: `SELECT.one.from(Employees).where({ mail: req.user.id })`. */
export const callerRows: Extract<CallerRow> = defineExtract({
  name: 'cap-caller-rows',
  keywords: ['SELECT'],
  prefilter: (text) => /\bSELECT\s{0,4}\.\s{0,4}one\b/.test(text) && /\buser\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    for (const { base, kind, terms, last } of scriptQueries(facts, step)) {
      if (kind !== 'read' || !isForOne(base)) continue
      for (const { column } of terms.filter(({ value }) => isCallerId(value)))
        for (const entity of entitiesOf(base, facts, step)) yield { entity, element: column, start: base.start, end: last.end }
    }
  },
})

function isForOne({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => [root, ...steps].join(' ').includes('SELECT one'))
}

/** Fact: @sap/cds 9.9.3, lib/req/user.js: the id of a user, and the attributes of the token. */
const CALLER_ID = /(?:^|[ :])user (?:id|attr \w{1,60})$/

function isCallerId(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => CALLER_ID.test([root, ...steps].join(' ')))
}

/** Also of a function that is given the entity: `const find = (entity, user) => SELECT.one.from(entity)…`. */
function entitiesOf({ args: [named] }: CallValue, facts: ScriptFacts, step: (count?: number) => void): readonly string[] {
  const binding = named && bindingOf(named)
  const own = entityOf(named)
  if (binding?.kind !== 'parameter') return own === undefined ? [] : [own]
  const place = binding.definitions[0]?.parameter ?? 0
  step(facts.calls.length)
  const given = facts.calls.filter(({ callee }) => functionOf(callee) === binding.function)
  return [...new Set(given.flatMap(({ args }) => entityOf(args[place]) ?? []))]
}

/** An element that ties a login to a row, and that users may change who don't administer the users. */
export interface WrittenTie {
  readonly exposed: ExposedMember
  readonly writers: readonly string[]
  /** What asks for it: an entity whose condition compares it, or a file whose handlers do. */
  readonly asking: { readonly kind: 'condition' | 'lookUp' | 'limit'; readonly by: string }
}

/** Rows that stand for those who use the app. */
const PERSONS =
  /(?:^| )(?:users?|(?:user|employee|customer|member) ?(?:accounts?|profiles?)|employees?|team ?members?|members?|staff|workers?|persons?|people|students?|colleagues?|consultants?|customers?|partners?|suppliers?|vendors?)$/
/** What a login is known by. */
const LOGIN =
  /^(?:\w{1,30}_?)?(?:(?:e_?)?mail(?:_?(?:id|address))?|user_?(?:id|name)?|login(?:_?(?:id|name))?|upn|principal(?:_?name)?)$/i
/** They hire people, and keep up who these are. */
const KEEPS_PERSONS = /(?:^| )(?:hr|human ?resources?|personnel|user (?:administ\w{1,10}|manage(?:r|ment)|maint\w{1,10}))(?: |$)/

/** Ties of entities that only some roles change: where all users do, other rules tell. */
export function* writtenTies(root: CapRoot): Generator<WrittenTie> {
  const found = root.scripts.get(callerRows)
  const conditions = conditionTies(root)
  if (found.length === 0 && conditions.length === 0) return
  for (const exposed of exposedMembers(root)) {
    const { entity, member, source, isWritten, isDirect } = exposed
    root.step(found.length + conditions.length)
    if (!isWritten || !isDirect || member.key || isGuarded(member) || !PERSONS.test(entityWords(source.name))) continue
    const called = [member.name, ...namesInSource(exposed, root)]
    if (!called.some((name) => LOGIN.test(lastName(name)))) continue
    const names = [entity.qualified, source.name, ...root.projected(entity.qualified)]
    const condition = conditions.find(({ target, element }) => called.includes(element) && names.includes(target))
    const row = found.find(
      ({ value }) =>
        called.includes(value.element) && names.some((name) => name === value.entity || name.endsWith(`.${value.entity}`)),
    )
    if (row === undefined && condition === undefined) continue
    const writers = unlimitedWriters(exposed)
    if (writers.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role))) continue
    const ordinary = writers.filter((role) => !isAdministrative(role) && !KEEPS_PERSONS.test(toWords(role)))
    if (ordinary.length === 0) continue
    // a handler acts as that person, a condition gives rows alone
    const asking =
      row === undefined ? { kind: 'condition' as const, by: condition?.name ?? '' } : { kind: 'lookUp' as const, by: row.file }
    yield { exposed, writers: ordinary, asking }
  }
}

/** `mail` of `mail as address`. */
function namesInSource({ member, source }: ExposedMember, root: CapRoot): readonly string[] {
  const members = root.membersOf(source.name)
  if (members.has(member.name)) return []
  root.step(members.size)
  const { file, span } = member.place
  return [...members.values()].flatMap(({ name, place }) =>
    span !== undefined && place.file === file && place.span?.start === span.start ? [name] : [],
  )
}

/** Roles that change any row, not only their own ones. */
export function unlimitedWriters({ entity, service }: ExposedMember): readonly string[] {
  const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
  const isLimited = (role: string): boolean =>
    !privileges.some((one) => one.where === undefined && grantsEvent(one, 'UPDATE') && (one.to ?? [role]).includes(role))
  const writers = writersOf(entity, service, ['UPDATE'])
  return privileges.length === 0 ? writers : writers.filter((role) => !isLimited(role))
}

interface ConditionTie {
  /** The entity that is restricted, as a message names it. */
  readonly name: string
  readonly target: string
  readonly element: string
}

/** `Employee.Email = $user`: the element of another entity that decides whose the rows are. */
function conditionTies(root: CapRoot): readonly ConditionTie[] {
  const found: ConditionTie[] = []
  for (const { name, annotation, element, service } of restrictionsOf(root)) {
    if (name !== 'restrict' || element === undefined) continue
    for (const { where } of privilegesOf(annotation.value)) {
      const condition = where && conditionOf(where)
      if (condition === undefined || typeof condition === 'string') continue
      for (const path of pathsOfUser(condition.text)) {
        const parts = path.split('.')
        root.step(parts.length)
        const column = parts.pop()
        const target = followed(element.qualified, parts, root)
        if (column !== undefined && target !== undefined && parts.length > 0)
          found.push({ name: `${service.name}.${element.name}`, target, element: column })
      }
    }
  }
  return found
}

/** What a condition compares with the user, also in a filter behind an association: `worker.mail = $user`, `exists worker[mail = $user.email]`. */
function pathsOfUser(text: string): readonly string[] {
  const filtered = [...text.matchAll(FILTERED)].flatMap(([, path = '', filter = '']) =>
    [...filter.matchAll(IS_USER)].map(([, first, second]) => `${path}.${first ?? second ?? ''}`),
  )
  const plain = [...text.replace(FILTERED, ' ').matchAll(IS_USER)].map(([, first, second]) => first ?? second ?? '')
  return [...plain, ...filtered]
}

const FILTERED = /(?<![\w.])([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})\s{0,4}\[([^[\]]{0,300})\]/g
/** An attribute of the token that says who somebody is does as well. Fact: capire, "User Claims" ($user.<attribute>). */
const IS_USER =
  /(?<![\w.])([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})\s{0,4}=\s{0,4}\$user(?:\.(?:id|e?mail|user_?[Nn]ame|log(?:in|on)(?:_?[Nn]ame)?|upn))?(?![\w.])|\$user(?:\.(?:id|e?mail|user_?[Nn]ame|log(?:in|on)(?:_?[Nn]ame)?|upn))?\s{0,4}=\s{0,4}([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})(?![\w.])/g

/** The entity to which associations lead. */
export function followed(from: string, path: readonly string[], root: CapRoot): string | undefined {
  let here: string | undefined = from
  for (const step of path) here = here === undefined ? undefined : root.membersOf(here).get(step)?.target
  return here
}
