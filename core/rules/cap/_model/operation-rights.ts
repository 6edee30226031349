import {
  accepts,
  AUTHENTICATED_ROLES,
  entityWords,
  grantsEvent,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  toWords,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import type { HeldRoles } from '../../../model/authorization/index.ts'
import { singular } from './entity-rights.ts'
import { privateOwner } from '../_rows/person-rows.ts'
import type { RowWrite } from '../_rows/state-changes.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/** An entity whose rows an operation changes for callers who may not change them by a request of their own. */
export interface ExceededRights {
  readonly entity: CapElement
  /** The callers without the right; `authenticated-user`: all users of the service. */
  readonly callers: readonly string[]
  /** Roles that have the right. */
  readonly writers: readonly string[]
  /** That the callers are not meant to do it nobody can doubt. */
  readonly isPlain: boolean
}

export const ALL_USERS = 'authenticated-user'

/**
 * The rights that an operation exceeds by what its handler writes.
 * Facts: capire, "Authorization": an unbound operation has its own restrictions and those of its service, a bound one without any needs a privilege of its entity; queries
 * of handlers are not authorized. `isOnly`: it changes no other entity. `heldBy`: what the callers may do by roles that come along with theirs, they have the right to.
 */
export function exceededRights(
  root: CapRoot,
  service: CapService,
  operation: CapElement,
  write: RowWrite,
  isOnly: boolean,
  heldBy: HeldRoles,
): ExceededRights | undefined {
  const callers = callersOf(service, operation)
  if (callers.length === 0) return undefined
  const exposed = service.elements.filter((one) => one.kind === 'entity' && projectedNames(root, one.qualified).has(write.entity))
  const sources = new Set(exposed.map(({ source, qualified }) => source?.name ?? qualified))
  // two entities of one name, of which nobody can tell which one is meant
  if (sources.size !== 1) return undefined
  const entity = exposed.find((one) => namedWriters(one, write.event).length > 0)
  if (entity === undefined || !isAbout(operation, entity, service, isOnly)) return undefined
  const all = servedServices(root).flatMap((one) =>
    one.elements.flatMap((element) =>
      element.kind === 'entity' && sources.has(sourceNameOf(element)) ? [{ service: one, element }] : [],
    ),
  )
  root.step(all.length)
  const without = callers.filter((role) => !all.some((one) => mayWrite(one.service, one.element, heldBy(role), write.event)))
  const [exceeding, isPlain] = meantForOthers(operation, write.event, without)
  return exceeding.length === 0 ? undefined : { entity, callers: exceeding, writers: namedWriters(entity, write.event), isPlain }
}

/** What fills again, or holds for a while. */
const PASSING = /temp|tmp|stag(?:e|ing)|cache|log|session|buffer|queue|draft|import|upload/i
const REFILLS =
  /reset|seed|load|import|sync|refresh|init|generat|build|calculat|comput|creat|populat|fill|updat|analy[sz]|replicat|restore|test|demo|sample|mock|setup/i

/**
 * An operation for all users that may empty the table, although no service lets them delete all its rows, or does so by a fault: those of conversations are of one user each.
 * `filled`: entities that its handler writes otherwise; `isSensitive`: that all users may write this one is told for what it holds.
 */
export function emptiesForAll(
  root: CapRoot,
  service: CapService,
  operation: CapElement,
  { event, entity, isWhole }: RowWrite,
  filled: ReadonlySet<string>,
  isSensitive: (entity: CapElement) => boolean,
): boolean {
  if (event !== 'DELETE' || !isWhole || filled.has(entity) || REFILLS.test(operation.name)) return false
  if (!callersOf(service, operation).includes(ALL_USERS)) return false
  const shown = servedServices(root).flatMap(({ access, elements }) =>
    elements.flatMap((element) => {
      root.step()
      return element.kind === 'entity' && projectedNames(root, element.qualified).has(entity) ? [{ access, element }] : []
    }),
  )
  if (shown.some(({ element }) => privateOwner(element, root) !== undefined || isSensitive(element))) return true
  return (
    !PASSING.test(entity) &&
    shown.every(({ access, element }) => !mayWrite({ access }, element, new Set([ALL_USERS]), event, true))
  )
}

/** Those of the callers without a right who are not meant to do this: all where it is a decision, else those who only read. */
function meantForOthers(
  operation: CapElement,
  event: RowWrite['event'],
  callers: readonly string[],
): readonly [callers: readonly string[], isPlain: boolean] {
  const words = toWords(operation.entity === undefined ? operation.name : operation.name.slice(operation.entity.length + 1))
  const [verb = ''] = words.split(' ')
  // one's own messages
  if (/ (?:read|seen|unread)$/.test(words)) return [[], false]
  const readers = callers.filter((role) => READS.test(toWords(role)))
  if (readers.length > 0 && [DECIDES, KEEPS, MAKES].some((verbs) => verbs.has(verb))) return [readers, true]
  if (event === 'CREATE') return [[], false]
  return DECIDES.has(verb) ? [callers, true] : KEEPS.has(verb) ? [callers, false] : [[], false]
}

/** Who may call an operation, as far as nobody said it for the operation itself; nobody: somebody did, or the service says nothing. */
export function callersOf({ access, elements }: CapService, { annotations, entity: bound, name }: CapElement): readonly string[] {
  if (annotations.has('requires') || annotations.has('restrict')) return []
  const roles = access.kind === 'roles' ? access.roles : access.kind === 'authenticated' ? [ALL_USERS] : []
  const among = elements.find((one) => one.kind === 'entity' && one.name === bound)
  if (bound !== undefined && among === undefined) return []
  if (among === undefined || (!among.annotations.has('restrict') && !among.annotations.has('requires'))) return named(roles)
  const required = wordsOf(among.annotations.get('requires')?.value)
  const privileges = privilegesOf(among.annotations.get('restrict')?.value)
  const action = name.slice(name.lastIndexOf('.') + 1)
  // a privilege that names the action says that it is meant
  const granting = privileges.filter(({ grants }) => grants.length === 0 || grants.includes('*'))
  const meant = new Set(privileges.flatMap(({ grants, to }) => (grants.includes(action) ? (to ?? roles) : [])))
  const granted = privileges.length === 0 ? roles : granting.flatMap(({ to }) => to ?? roles)
  const callers = required.length === 0 ? granted : granted.filter((role) => required.includes(role))
  return named([...new Set(callers)].filter((role) => !meant.has(role)))
}

/** Without those who are no users of the app: other systems, and whoever has no login, which is another fault. */
function named(roles: readonly string[]): readonly string[] {
  if (roles.includes('any')) return []
  return roles.filter((role) => role === ALL_USERS || !PSEUDO_ROLES.has(role))
}

/** The roles that an entity gives a right to, where it gives it to some users alone. */
function namedWriters(entity: CapElement, event: RowWrite['event']): readonly string[] {
  const { annotations, access } = entity
  if (!accepts(entity, event) || (access?.kind !== 'roles' && !annotations.has('restrict'))) return []
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  const granting = privileges.filter((privilege) => grantsEvent(privilege, event))
  const required = wordsOf(annotations.get('requires')?.value)
  const roles = privileges.length === 0 ? required : granting.flatMap(({ to }) => to ?? required)
  return roles.every((role) => !PSEUDO_ROLES.has(role)) ? [...new Set(roles)] : []
}

function mayWrite(
  { access }: Pick<CapService, 'access'>,
  element: CapElement,
  held: ReadonlySet<string>,
  event: RowWrite['event'],
  isForAllRows = false,
): boolean {
  const { annotations } = element
  const isIn = (roles: readonly string[]): boolean =>
    roles.some((one) => held.has(one) || one === 'any' || AUTHENTICATED_ROLES.has(one))
  const entered = access.kind !== 'roles' ? access.kind !== 'none' : isIn(access.roles)
  if (!accepts(element, event)) return false
  const required = wordsOf(annotations.get('requires')?.value)
  if (!entered || (required.length > 0 && !isIn(required))) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  return (
    privileges.length === 0 ||
    privileges.some(
      (privilege) =>
        grantsEvent(privilege, event) && isIn(privilege.to ?? ['any']) && !(isForAllRows && privilege.where !== undefined),
    )
  )
}

/** What some decide for others. Users borrow, order and submit by operations what they may not write otherwise. */
const DECIDES = new Set(
  (
    'approve reject deny release grant verify certify authorize authorise finalize finalise decide publish unpublish delete remove purge block unblock ' +
    'activate deactivate override'
  ).split(' '),
)
/** What mostly some do for others. */
const KEEPS = new Set(
  (
    'accept decline confirm mark set change update edit modify adjust correct clear close complete resolve reopen lock unlock enable disable toggle assign reassign ' +
    'archive restore reset escalate cancel bulk mass recalculate'
  ).split(' '),
)
const MAKES = new Set('create add insert save upsert import upload generate load'.split(' '))
/** Roles that read, by their names. */
const READS = /(?:^| )(?:viewer|reader|read ?only|display|auditor|observer|spectator|reporting)(?: |$)/

/** `approveInvoice` and `Invoices.approve` for `Invoices`; `markAsPaid` for the one entity that it changes. */
function isAbout(operation: CapElement, entity: CapElement, { elements }: CapService, isOnly: boolean): boolean {
  if (operation.entity !== undefined)
    return operation.entity === entity.name || entityWords(entity.name).startsWith(singular(entityWords(operation.entity)))
  if (names(operation, entity)) return true
  return isOnly && elements.every((one) => one.kind !== 'entity' || !names(operation, one))
}

function names(operation: CapElement, { name, source }: CapElement): boolean {
  const words = ` ${toWords(operation.name)} `
  return [name, source?.name ?? ''].some((one) => {
    const last = singular(entityWords(one).split(' ').at(-1) ?? '')
    return last.length > 2 && words.includes(` ${last}`)
  })
}

/**
 * Users have the action for all rows, although they read their own ones alone: all users, or a role whose reading has a condition.
 * Facts: capire, "Authorization", "Restrict": bound actions are subject to the privileges that grant them, with their `where`, and to annotations of their own;
 * @sap/cds 9.9.3, generic/auth/restrict.js.
 */
export function isGrantedForAll(root: CapRoot, entity: string, action: string): boolean {
  return servedServices(root).some(({ elements, access }) => {
    if (access.kind === 'none') return false
    const privilegesAt = (element: CapElement): Privilege[] => privilegesOf(element.annotations.get('restrict')?.value)
    return elements.some((element) => {
      if (element.kind !== 'entity' || element.name !== entity) return false
      const privileges = privilegesAt(element)
      const limited = new Set(privileges.flatMap(({ grants, to, where }) => (where && grants.includes('READ') ? (to ?? []) : [])))
      const isOfUsers = ({ to, where }: Privilege): boolean =>
        where === undefined &&
        (to === undefined || to.some((role) => AUTHENTICATED_ROLES.has(role) || role === 'any' || limited.has(role)))
      if (privileges.some((one) => one.grants.includes(action) && isOfUsers(one))) return true
      const own = elements.filter(
        ({ kind, name, entity: of }) => kind !== 'entity' && of === entity && name === `${entity}.${action}`,
      )
      return own.some((operation) => privilegesAt(operation).some((one) => one.to !== undefined && isOfUsers(one)))
    })
  })
}
