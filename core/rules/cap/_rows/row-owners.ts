import { isAdministrative, PSEUDO_ROLES, servedServices, toWords, type CapRoot } from '../../../model/cap/index.ts'
import { askedOwners } from './asked-owners.ts'
import { ownedEntities, partsOf, type OwnedEntity, type RowsOf } from './owned-entities.ts'
import type { OwnedQuery, Through } from './owned-queries.ts'
import { ownerMarks } from './owner-marks.ts'
import { filesWithSessions } from './own-sessions.ts'
import { createLineReader } from './row-lines.ts'
import { isForPlainUsers, isOfUsers, makerOf, privateOwner } from './person-rows.ts'
import { lastName } from '../../../paths.ts'

/** Whose rows are those of an entity. */
export interface Owner {
  readonly owner: string
  /** The roles that are limited to these rows; empty: every user, or nobody can tell. */
  readonly roles?: readonly string[]
  /** What limits reading to the rows of the user: the model, or a query of a handler alone. */
  readonly readBy?: 'model' | 'code'
  /** A projection that shows the rows of the user alone. */
  readonly isFilter?: boolean
  /** A query writes the user into new rows, and nothing else tells whose they are. */
  readonly isStamp?: true
  /** Rows that each user has alone by their kind, such as conversations; nothing may compare their owner. */
  readonly isPrivate?: true
  /** Only the script says so that makes its users by itself: those of other scripts are not limited to anything. */
  readonly session?: string | undefined
  /** The rows that `owner` refers to are those of the user. */
  readonly through?: Through
  /** What it is a part of, and whether a composition says so. `isImplied`: queries alone tell whose that is, or its rows alone what they are a part of. */
  readonly part?: { readonly of: string; readonly composition: boolean; readonly isImplied?: true }
}

/** Entities that give users their own rows alone, and what belongs to these rows, by the last part of their names and of what they project on. */
function modelOwners(root: CapRoot, sessions: ReadonlySet<string>): Map<string, Owner> {
  const found = new Map<string, Owner>()
  const sessionOf = ({ filter }: OwnedEntity): string | undefined =>
    filter !== undefined && sessions.has(filter.file) ? filter.file : undefined
  // what holds for those who log in to the application says more
  const owned = ownedEntities(root).toSorted(
    (one, other) => Number(sessionOf(other) !== undefined) - Number(sessionOf(one) !== undefined),
  )
  const add = (qualified: string, owner: Owner): void => {
    for (const name of new Set([qualified, ...root.projected(qualified)])) {
      const last = name.slice(name.lastIndexOf('.') + 1)
      const known = found.get(last)
      // what it is composed of says more than what it refers to
      const isCloser = owner.part?.composition === true && known?.part?.composition === false
      if (owner.part === undefined || known === undefined || isCloser) found.set(last, owner)
    }
  }
  for (const one of owned) {
    const { element, owner, reads, byQuery, roles, filter } = one
    const session = sessionOf(one)
    add(element.qualified, {
      owner,
      roles,
      ...(reads && { readBy: filter === undefined ? 'model' : 'code' }),
      ...(session !== undefined && { session }),
    })
    if (byQuery) found.set(element.name, { owner, isFilter: true })
  }
  for (const one of owned) {
    const session = sessionOf(one)
    for (const [source, { composition }] of partsOf(one, root)) {
      const owner: Owner = {
        owner: one.owner,
        part: { of: one.element.name, composition },
        ...(one.reads && { readBy: one.filter === undefined ? 'model' : 'code' }),
        ...(session !== undefined && { session }),
      }
      add(source, owner)
      for (const { elements } of root.services)
        for (const { kind, qualified, source: below } of elements)
          if (kind === 'entity' && below?.name === source) add(qualified, owner)
    }
  }
  return found
}

/** The roles that an operation asks for, where the model tells. */
export function callersOf(root: CapRoot, file: string, { event }: Pick<OwnedQuery, 'event'>): readonly string[] {
  if (event === undefined) return []
  const { names, service, isConnected } = event
  const { services, isCertain } = root.eventOf({ file, service, isConnected, events: names, entities: undefined })
  const found = services.map(({ elements, access }) =>
    elements.flatMap(({ kind, name, access: own = access }) =>
      kind !== 'entity' && names.includes(lastName(name)) ? [own.roles] : [],
    ),
  )
  // of a file that a service hands itself to, the only service with such an operation
  return isCertain || found.filter((operations) => operations.length > 0).length === 1 ? found.flat(2) : []
}

/**
 * Those who are limited to their own rows, clerks of one branch, are others than those who call the operation, such as customers of all; of what users have alone, those with a role are others.
 */
export function isForOthers({ roles = [], isPrivate }: Owner, callers: readonly string[]): boolean {
  const isOfRole = callers.length > 0 && callers.every((role) => !PSEUDO_ROLES.has(role) && !isOfUsers(role))
  if (isPrivate === true && isOfRole) return true
  return roles.length > 0 && callers.length > 0 && callers.every((role) => !roles.includes(role) && !PSEUDO_ROLES.has(role))
}

/** What limits reading is no more than a condition of a handler. */
export function isOfQueries({ readBy, part, through, session }: Owner): boolean {
  return readBy === 'code' && part === undefined && through === undefined && session === undefined
}

/** Columns for who decides about a row that belongs to another: users with a role, each for some of the rows. */
const IN_CHARGE = /approver|reviewer|manager|team_?lead|leader|supervisor|processor|agent|responsible|assign(?:ed|ee)|handler/i

/**
 * Tells which column names the user in charge of the rows that a query changes for callers with a role. Conditions of other operations compare it with the user, so the role
 * alone is not enough; of roles that administer the project it is, and where a check of the handler names others beside these for what no such operation decides. Needs `askedOwners`.
 */
export function createChargeReader(
  root: CapRoot,
): (file: string, query: OwnedQuery, whole: string | undefined) => string | undefined {
  const columns = new Map<string, string>()
  const decided = new Map<string, Set<string>>()
  for (const { value } of root.scripts.get(askedOwners)) {
    const { entity, column, isRead, events } = value
    if (isRead || !IN_CHARGE.test(column)) continue
    columns.set(entity, column)
    const verbs = decided.get(entity) ?? new Set()
    for (const event of events) verbs.add(verbOf(event))
    decided.set(entity, verbs)
  }
  return (file, query, whole) => {
    const { byRoles, event } = query
    const isOwn = columns.has(query.entity)
    const entity = isOwn ? query.entity : (whole ?? '')
    const column = query.kind === 'update' || query.kind === 'delete' ? columns.get(entity) : undefined
    if (column === undefined) return undefined
    const isDecided = event?.names.some((name) => decided.get(entity)?.has(verbOf(name)) === true) !== false
    // who is in charge of the row that others refer to was asked for the same step
    if (!isOwn && !isDecided) return undefined
    if (byRoles?.some(isAdministrative) === true && !isDecided) return undefined
    const roles = byRoles ?? callersOf(root, file, query)
    return roles.some((role) => !isAdministrative(role) && !PSEUDO_ROLES.has(role)) ? column : undefined
  }
}

/** `archive` of `archiveOrder` and of `bulkArchiveOrders`; one for all ways to decide: who may not approve may not reject either. */
function verbOf(event: string): string {
  const words = toWords(event).toLowerCase().split(' ')
  const verb = words.find((word) => !AROUND.has(word)) ?? event
  return DECIDES.test(verb) ? 'decide' : verb
}

/** What stands in front of verbs: `bulkApprove`, `setApproved`. */
const AROUND: ReadonlySet<string> = new Set([
  'bulk',
  'mass',
  'multi',
  'multiple',
  'batch',
  'all',
  'do',
  'on',
  'set',
  'mark',
  'as',
  'is',
])
const DECIDES =
  /^(?:approv(?:e|ed|al)|accept|accepted|confirm|confirmed|releas(?:e|ed)|reject|rejected|rejection|declin(?:e|ed)|den(?:y|ied)|refus(?:e|ed)|return|returned|withdr(?:a|e)w|withdrawn|decid(?:e|ed))$/

/** The same, with what queries and conditions of handlers tell. Needs `askedOwners`, `ownerMarks`, `ownSessions` and what `ownedEntities` needs. */
export function ownersOf(
  root: CapRoot,
  queries: readonly { readonly file: string; readonly value: OwnedQuery }[],
): Map<string, Owner> {
  const sessions = filesWithSessions(root)
  const owned = modelOwners(root, sessions)
  /** One script that says else is enough. */
  const sessionOf = (file: string, known: Owner | undefined): { session: string | undefined } => ({
    session: sessions.has(file) ? (known === undefined ? file : known.session) : undefined,
  })
  // what is compared with the user itself tells more than what refers to such rows
  const own = queries
    .filter(({ value }) => value.kind === 'own')
    .toSorted((one, other) => Number(one.value.through !== undefined) - Number(other.value.through !== undefined))
  for (const { file, value } of own) {
    const { entity, column, isRead, through } = value
    const known = owned.get(entity)
    const readBy = known?.readBy ?? (isRead ? 'code' : undefined)
    const whose = through === undefined ? { owner: column } : { owner: column, through, ...known }
    owned.set(entity, { ...known, ...whose, ...(readBy !== undefined && { readBy }), ...sessionOf(file, known) })
  }
  for (const { file, value } of root.scripts.get(askedOwners)) {
    const known = owned.get(value.entity)
    const readBy = known?.readBy ?? (value.isRead ? 'code' : undefined)
    const owner = { owner: value.column, ...known, ...(readBy !== undefined && { readBy }) }
    owned.set(value.entity, { ...owner, ...sessionOf(file, known) })
  }
  for (const { value } of root.scripts.get(ownerMarks)) {
    if (value.kind !== 'stamp' || owned.has(value.entity)) continue
    const owner: Owner = { owner: value.column, isStamp: true }
    owned.set(value.entity, owner)
    for (const [name, composition] of partsByName(root, value.entity))
      if (composition && !owned.has(name)) owned.set(name, { ...owner, part: { of: value.entity, composition } })
  }
  addQueriedParts(root, owned, own)
  addPrivate(root, owned)
  addLines(root, owned)
  return owned
}

/** Columns that say whose row it is. */
const OWNING = /^(?:owner|user|created_?by|requested_?by|submitted_?by)(?:_?(?:id|name|mail|email))?$/i

/** What rows are composed of that a handler lists for their user: messages of sessions. */
function addQueriedParts(root: CapRoot, owned: Map<string, Owner>, own: readonly { readonly value: OwnedQuery }[]): void {
  const listed = new Map(
    own.flatMap(({ value: { entity, column, isRead, through } }) =>
      isRead && through === undefined && OWNING.test(column) ? [[entity, column] as const] : [],
    ),
  )
  for (const [entity, owner] of listed) {
    const known = owned.get(entity)
    if (known?.readBy !== 'code' || known.session !== undefined || known.part !== undefined) continue
    for (const [name, composition] of partsByName(root, entity))
      if (composition && !owned.has(name))
        owned.set(name, { owner, readBy: 'code', part: { of: entity, composition, isImplied: true } })
  }
}

/** What only refers to such rows: messages with the session that each belongs to. */
function addLines(root: CapRoot, owned: Map<string, Owner>): void {
  const linesOf = createLineReader(root)
  const wholes = [...owned]
  for (const [of, whole] of wholes)
    for (const name of whole.through === undefined && whole.isFilter !== true ? linesOf(of) : [])
      if (!owned.has(name)) owned.set(name, { ...whole, part: { of: whole.part?.of ?? of, composition: true, isImplied: true } })
}

/** Conversations and the like, and their parts, which all users of a service may write. */
function addPrivate(root: CapRoot, owned: Map<string, Owner>): void {
  for (const element of entitiesOfUsers(root)) {
    root.step()
    const owner = privateOwner(element, root) ?? makerOf(element, root)
    if (owner === undefined) continue
    const names = [element.qualified, ...root.projected(element.qualified)].map(lastName)
    const parts = [...partsOf({ element }, root)].flatMap(([source, { composition }]) => (composition ? lastName(source) : []))
    const [of = element.qualified] = names
    for (const [name, part] of [
      ...names.map((one) => [one, undefined] as const),
      ...parts.map((one) => [one, { of, composition: true }] as const),
    ]) {
      const known = owned.get(name)
      if (known === undefined || known.isStamp === true)
        owned.set(name, { owner, ...(part !== undefined && { part }), ...known, isPrivate: true })
    }
  }
}

/** What services for plain users show without words of its own, and what only handlers read and write. */
function* entitiesOfUsers(root: CapRoot): Generator<RowsOf> {
  const shown = new Set<string>()
  for (const service of servedServices(root)) {
    const isOpen = isForPlainUsers(service)
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity') continue
      for (const name of root.projected(element.qualified)) shown.add(name)
      if (isOpen && element.access === undefined) yield element
    }
  }
  for (const qualified of root.entities) if (!shown.has(qualified)) yield { qualified }
}

/** What rows of an entity consist of, by the last parts of names. */
function partsByName(root: CapRoot, entity: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const qualified of root.entities) {
    root.step()
    if (!root.projected(qualified).some((name) => lastName(name) === entity)) continue
    for (const [source, { composition }] of partsOf(
      { element: { qualified: root.projected(qualified).at(-1) ?? qualified } },
      root,
    ))
      found.set(lastName(source), composition)
  }
  return found
}
