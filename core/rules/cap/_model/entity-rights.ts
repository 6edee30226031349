import {
  accepts,
  entityWords,
  isGuarded,
  isTrue,
  privilegesOf,
  grantsEvent,
  PSEUDO_ROLES,
  toWords,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import { sensitivityOf } from '../_secrets/sensitive-data.ts'
import type { EntityHandler } from '../_handlers/write-handlers.ts'

/** What writes rows, each of which a privilege may give alone. */
export const EVENTS: readonly WriteEvent[] = ['CREATE', 'UPDATE', 'DELETE']

/** Who may write an entity: `open`, all users of its service; `granted`, all users by words of its own. */
export interface WriteRights {
  readonly by: 'open' | 'granted' | 'roles' | 'nobody'
  readonly roles: readonly string[]
}

const NOBODY: WriteRights = { by: 'nobody', roles: [] }

/** What the annotations of an entity say of writing it in a service for all users who log in. */
export function writeRights(element: CapElement): WriteRights {
  const accepted = EVENTS.filter((event) => accepts(element, event))
  if (!element.writable || accepted.length === 0) return NOBODY
  const { access, annotations } = element
  if (access === undefined) return { by: 'open', roles: [] }
  const required = wordsOf(annotations.get('requires')?.value)
  const writing = privilegesOf(annotations.get('restrict')?.value).filter((privilege) =>
    accepted.some((event) => grantsEvent(privilege, event)),
  )
  const isForAll = (roles: readonly string[] | undefined): boolean =>
    roles === undefined || roles.some((role) => role === 'any' || role === 'authenticated-user' || role === 'identified-user')
  if (access.kind === 'roles')
    return {
      by: 'roles',
      roles: rolesAmong(
        writing.flatMap(({ to }) => to ?? []),
        required,
        access.roles,
      ),
    }
  // in front of what is for anybody its service asks for a login
  if (access.kind !== 'authenticated' && access.kind !== 'public') return NOBODY
  if (writing.length === 0) return isForAll(required) ? { by: 'granted', roles: [] } : NOBODY
  if (writing.some(({ to, where }) => where === undefined && isForAll(to))) return { by: 'granted', roles: [] }
  const roles = rolesAmong(
    writing.flatMap(({ to }) => to ?? []),
    required,
    [],
  )
  return roles.length > 0 ? { by: 'roles', roles } : NOBODY
}

/** The roles that privileges of an entity name for one of these events; none: nobody sends them, or they are for all users of the service. */
export function rolesFor(element: CapElement, events: readonly WriteEvent[]): readonly string[] {
  const accepted = events.filter((event) => accepts(element, event))
  const granting = privilegesOf(element.annotations.get('restrict')?.value).filter((privilege) =>
    accepted.some((event) => grantsEvent(privilege, event)),
  )
  const roles = granting.flatMap(({ to }) => to ?? ['any'])
  return roles.some((role) => PSEUDO_ROLES.has(role)) ? [] : [...new Set(roles)]
}

/** The first of the lists that names roles of the project, without pseudo roles. */
export function rolesAmong(...lists: readonly (readonly string[])[]): readonly string[] {
  const found = lists.map((roles) => roles.filter((role) => !PSEUDO_ROLES.has(role)))
  return [...new Set(found.find((roles) => roles.length > 0) ?? [])]
}

const AGGREGATES = /\b(?:sum|count|countdistinct|avg|average|min|max) {0,2}\(/i

/** Clients cannot write it, whatever its annotations say: a join, sums, another system's data, what no table holds and no handler takes. */
export function isReadOnlyBySource(element: CapElement, root: CapRoot, handlers: readonly EntityHandler[]): boolean {
  const { query, annotations, source } = element
  if (query !== undefined && (query.kind === 'set' || query.sources.length !== 1 || query.parts.length > 0)) return true
  // what a join gives, whatever projects on it
  const members = query === undefined ? [] : element.members()
  if (members.length > 0 && members.every(({ calculated }) => calculated)) return true
  if (query?.where?.text.includes('$user') === true) return true
  // a view with parameters is a table function in the database. Fact: capire, "Parameterized Views"
  if (query?.where !== undefined && PARAMETER.test(query.where.text)) return true
  if (query?.columns?.some(({ expression }) => expression !== undefined && AGGREGATES.test(expression.text)) === true) return true
  const isElsewhere =
    isTrue(annotations.get('cds.persistence.skip')?.value) ||
    root.services.some(({ name, exposure }) => exposure === 'external' && source?.name.startsWith(`${name}.`) === true)
  return isElsewhere && !handlers.some(({ writes }) => writes)
}

/** `title = :title` */
const PARAMETER = /(?:^|[\s(=<>]):\s{0,4}[A-Za-z_]/

const MAX_PARTS = 200

/** The definitions that an entity is composed of, by their names in the service and below it. */
export function composedOf({ qualified }: CapElement, root: CapRoot): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [qualified]
  for (let here = open.pop(); here !== undefined && found.size < MAX_PARTS; here = open.pop()) {
    for (const { target, type } of root.membersOf(here).values()) {
      root.step()
      if (type !== 'Composition' || target === undefined) continue
      const last = root.projected(target).at(-1) ?? target
      if (found.has(last)) continue
      found.add(last).add(target)
      open.push(last)
    }
  }
  return found
}

/** What a role has to decide: the action for it, and the element that tells the decision. */
export interface Decision {
  readonly action: string
  readonly roles: readonly string[]
  readonly element: string
}

const DECIDES =
  /^(?:approve|reject|accept|decline|release|deny|grant|cancel|close|confirm|complete|resolve|block|unblock|activate|deactivate|publish|verify|assign)/i
const STATE =
  /^(?:\w{1,30} )?(?:status|state|approved|is approved|decision|released|blocked|active|is active|verified|published)(?: code| id)?$/

/** An action for a role that decides about a row, whose state everybody may write who may write the row. */
export function decisionOf(element: CapElement, service: CapService): Decision | undefined {
  const action = service.elements.find(
    ({ kind, entity, name, access }) =>
      kind === 'action' &&
      entity === element.name &&
      access?.kind === 'roles' &&
      DECIDES.test(name.slice(element.name.length + 1)),
  )
  const roles = rolesAmong(action?.access?.roles ?? [])
  if (action === undefined || roles.length === 0) return undefined
  const state = element.members().find((member) => !member.key && !isGuarded(member) && STATE.test(toWords(member.name)))
  return state && { action: action.name, roles, element: state.name }
}

/** What a role has to do: actions for it that change rows as a plain request does. */
export interface Operations {
  readonly actions: readonly string[]
  readonly roles: readonly string[]
}

/** Verbs of actions, by the event that does the same. */
const OPERATIONS: ReadonlyMap<string, 'CREATE' | 'UPDATE' | 'DELETE'> = new Map(
  Object.entries({
    CREATE: 'create add insert new',
    UPDATE: 'update change edit modify',
    DELETE: 'delete remove deactivate',
  }).flatMap(([event, verbs]) =>
    event === 'CREATE' || event === 'UPDATE' || event === 'DELETE' ? verbs.split(' ').map((verb) => [verb, event] as const) : [],
  ),
)

/** `createBranch` for a role, beside `Branches` that everybody may write. */
export function operationsOf(element: CapElement, service: CapService): Operations | undefined {
  const entity = singular(entityWords(element.name))
  const found = service.elements.filter(({ kind, name, entity: bound, access }) => {
    if (kind !== 'action' || access?.kind !== 'roles' || (bound !== undefined && bound !== element.name)) return false
    const [verb = '', ...rest] = toWords(bound === undefined ? name : name.slice(bound.length + 1)).split(' ')
    const event = OPERATIONS.get(verb)
    const named = singular(rest.join(' '))
    return event !== undefined && accepts(element, event) && (named === entity || (bound !== undefined && named === ''))
  })
  const roles = [...new Set(found.flatMap(({ access }) => rolesAmong(access?.roles ?? [])))]
  return roles.length === 0 ? undefined : { actions: found.map(({ name }) => name), roles }
}

/** `vendor invoice` of `vendor invoices`. */
export function singular(words: string): string {
  return words
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|s|x|z)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}

const BACK_OFFICE =
  /(?:^| )(?:roles?|(?:role|permission|authori[sz]ation|user) ?(?:collections?|templates?|assignments?|groups?)|permissions?|authori[sz]ations?|approvers?|config(?:uration)?s?|settings?|customi[sz]ings?|parameters?|prices?|price ?lists?|rates?|tariffs?|tax(?:es)?|fees?|discounts?|limits?|quotas?|budgets?|cost ?cent(?:er|re)s?|departments?|employees?|users?|suppliers?|vendors?|products?|materials?|categories|policies|rules?|workflows?|thresholds?|holidays?|calendars?|locations?|plants?|warehouses?)$/

/** Data that somebody maintains for all others, by its name. */
export function isMasterData({ name, source }: CapElement): boolean {
  return [name, source?.name ?? ''].some((one) => BACK_OFFICE.test(entityWords(one)))
}

/** Names of elements that say what a value is called, and in which order or colour it is shown. */
const NAMING =
  /^(?:code|id|key|value|name|title|label|text|texts|localized|descr|description|short text|long text|criticality|color|colour|icon|order|sort order|sequence|position|parent|children|created at|created by|modified at|modified by|is active|active)$/

const LISTS = /(?:^| )(?:status|statuses|states?|types?|categor(?:y|ies)|priorit(?:y|ies)|methods?|kinds?|levels?|codes?)$/

/** A list of values: nothing but their codes and names, of which the entity's own name says what one is (`status` of `OrderStatus`). */
export function isCodeList(entity: CapElement): boolean {
  const names = namesOf(entity)
  const isNamed = LISTS.test(entityWords(entity.name))
  if (names.length === 0 || (!isNamed && !names.some((one) => one === 'code' || one === 'descr'))) return false
  return names.filter((one) => !NAMING.test(one)).length <= (isNamed ? 1 : 0)
}

/** Keys and what things are called, and nothing else: data that somebody maintains once for all. */
export function isNameList(entity: CapElement): boolean {
  const names = namesOf(entity)
  return names.some((one) => !/^(?:id|key)$/.test(one)) && names.every((one) => NAMING.test(one))
}

function namesOf({ kind, members }: CapElement): readonly string[] {
  return kind === 'entity' ? members().map((member) => toWords(member.name.split('.')[0] ?? member.name)) : []
}

/** No list of names, and no record of what happened, of which a rule of its own tells. */
export function isTelling(element: CapElement): boolean {
  const isRecord = RECORDS.test(entityWords(element.source?.name ?? element.name))
  return !isRecord && !isCodeList(element) && !isNameList(element) && element.members().some(({ key }) => !key)
}

const RECORDS = /(?:^| )(?:audit|history|histories|logs?|trails?|journal)(?: |$)/

const CLOSE =
  /(?:^| )(?:salar(?:y|ies)|pay ?rolls?|pay ?slips?|loans?|loan ?applications?|payments?|bank ?accounts?|employees?|patients?)$/

/** What no organization lets all its users change: pay, loans, accounts, and data of persons. */
export function isClose(element: CapElement, root: CapRoot): boolean {
  return CLOSE.test(entityWords(element.source?.name ?? element.name)) || sensitivityOf(element, root) === 'close'
}
