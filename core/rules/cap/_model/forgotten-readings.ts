import {
  grantsEvent,
  isAdministrative,
  entityWords,
  isReadable,
  personalKind,
  privilegesOf,
  PSEUDO_ROLES,
  readersOf,
  servedServices,
  toWords,
  type CapElement,
  type CapRoot,
  type CapService,
  type PersonalKind,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import { append } from '../../../lists.ts'
import type { HeldRoles } from '../../../model/authorization/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Evidence } from '../../../types.ts'
import { EVENTS, isCodeList, isMasterData, isNameList, rolesAmong, writeRights } from './entity-rights.ts'
import { exposureOf } from './restricted-exposures.ts'
import { assignsRoles, personOf, privateOwner } from '../_rows/person-rows.ts'
import { handlersFor } from '../_handlers/write-handlers.ts'

/** The one entity of a service that says nothing of roles, and all the rest of which asks for them. */
export interface ForgottenReading {
  readonly service: CapService
  readonly element: CapElement
  readonly restricted: readonly string[]
  readonly roles: readonly string[]
}

/** What else there has to be before one that says nothing looks forgotten. */
const MIN_OTHERS = 4

/** Entities that all users of a service read, and nobody writes, in a service of which everything else asks for a role. Needs the extract `entityHandlers`. */
export function* forgottenReadings(root: CapRoot): Generator<ForgottenReading> {
  for (const service of servedServices(root)) {
    root.step()
    const [element, ...bare] = service.elements.filter(({ access }) => access?.kind !== 'roles')
    if (service.access.kind !== 'authenticated' || element === undefined || bare.length > 0) continue
    const others = service.elements.filter((one) => one !== element)
    if (others.length < MIN_OTHERS || element.kind !== 'entity' || element.access !== undefined) continue
    if (writeRights(element).by !== 'nobody' || isCodeList(element) || isNameList(element)) continue
    if (handlersFor(root, service, element).some(({ asks }) => asks !== 'no')) continue
    const roles = [...new Set(others.flatMap(({ access }) => rolesAmong(access?.roles ?? [])))]
    if (roles.length > 0) yield { service, element, restricted: others.map(({ name }) => name), roles }
  }
}

/** Which user has which role, for all users of a service that asks for a role elsewhere: they read who administrators are. Needs the extract `entityHandlers`. */
export function* assignmentsOfAll(root: CapRoot): Generator<ForgottenReading> {
  for (const service of servedServices(root)) {
    if (service.access.kind !== 'authenticated') continue
    const restricted = service.elements.filter(({ access }) => access?.kind === 'roles')
    const roles = [...new Set(restricted.flatMap(({ access }) => rolesAmong(access?.roles ?? [])))]
    if (roles.length === 0) continue
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity' || element.access !== undefined || !isReadable(element)) continue
      if (writeRights(element).by !== 'nobody' || element.query?.where !== undefined || !assignsRoles(element, root)) continue
      if (!isReadByHandlers(root, service, element))
        yield { service, element, restricted: restricted.map(({ name }) => name), roles }
    }
  }
}

/** An entity that a service gives to users whom another projection of the same rows, in words of its own, keeps from reading them. */
export interface OtherReading extends ForgottenReading {
  /** The users of the service who may not read the rows there. */
  readonly users: readonly string[]
  /** How well the project shows that these users were to read no such rows. */
  readonly evidence: Evidence
}

/**
 * Entities of services for some roles that restrict none of their entities, and whose rows another service lets fewer of these roles read: it names the event READ for the entity.
 * Who may read them in any other service is none of these roles. And entities for all users that restrict nothing, whose rows others read by role alone (`readingsOfAll`).
 * Fact: capire, "Authorization" ("Limitations": each projection has its own restrictions and those of its service alone). Needs the extract `entityHandlers`.
 */
export function* readingsElsewhere(root: CapRoot, heldBy: HeldRoles, reach: ReachModel): Generator<OtherReading> {
  const bySource = readingsBySource(root)
  for (const service of servedServices(root)) {
    const isForRoles = service.access.kind === 'roles' && !service.access.roles.some((role) => PSEUDO_ROLES.has(role))
    // who restricts some of its entities has thought of the others
    if (isForRoles && service.elements.some(({ access }) => access !== undefined)) continue
    if (!isForRoles && service.access.kind !== 'authenticated') continue
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity' || !isReadable(element) || isCodeList(element) || isNameList(element)) continue
      const others = bySource.get(sourceNameOf(element)) ?? []
      if (!others.some(({ isLimited }) => isLimited)) continue
      root.step(others.length)
      const found = isForRoles
        ? readingOfRoles(service, element, others, heldBy)
        : readingOfAll(root, service, element, others, reach)
      if (found !== undefined && !isReadByHandlers(root, service, element)) yield found
    }
  }
}

/** A handler looks at who reads, or may, or the rows come from somewhere else. */
function isReadByHandlers(root: CapRoot, service: CapService, element: CapElement): boolean {
  return handlersFor(root, service, element).some(
    ({ asks, answers, events }) =>
      answers || (asks !== 'no' && events.some((one) => one === 'READ' || one === 'each' || one === '*')),
  )
}

function readingOfRoles(
  service: CapService,
  element: CapElement,
  all: readonly Reading[],
  heldBy: HeldRoles,
): OtherReading | undefined {
  const others = all.filter((one) => one.service !== service)
  const limiting = others.filter((one) => one.isLimited && !isFewer(element, one.element))
  const reading = others.filter((one) => one.isLimited || !isFewer(one.element, element))
  const readers = reading.flatMap((one) => one.roles)
  if (element.query?.where !== undefined || limiting.length === 0 || readers.some((role) => PSEUDO_ROLES.has(role)))
    return undefined
  const users = service.access.roles.filter(
    (role) => !isAdministrative(role) && !readers.some((reader) => heldBy(role).has(reader)),
  )
  return users.length === 0 ? undefined : { ...toReading(service, element, limiting), users, evidence: 'assumed' }
}

/**
 * An entity that every user reads, of rows that are read by role alone elsewhere: there a role may read them and do nothing else, so it was said who reads.
 * Where the one who may change them alone is named, as services for administrators do, nothing is said of the others.
 */
function readingOfAll(
  root: CapRoot,
  service: CapService,
  element: CapElement,
  all: readonly Reading[],
  reach: ReachModel,
): OtherReading | undefined {
  const { query, access } = element
  const isJoined = query !== undefined && (query.kind === 'set' || query.sources.length !== 1 || query.parts.length > 0)
  // the rows of the user alone, and what is said of the entity itself
  if (access !== undefined || isJoined || query?.where?.text.includes('$user') === true) return undefined
  const limiting = all.filter(
    (one) =>
      one.isLimited &&
      one.element !== element &&
      hasReadersAlone(one.element) &&
      !isFewer(element, one.element) &&
      exposureOf(one.service, one.element, reach, ['READ']).reach === 'privileged',
  )
  if (limiting.length === 0) return undefined
  // lists of what a business works with are there for choosing, and of a part of the rows it may be meant
  const isForChoice = isMasterData(element) || [...limiting.map(({ name }) => name), sourceNameOf(element)].some(isOfMasters)
  // what a service for those who maintain something reads there is most often a catalogue for everybody else
  const isKept = limiting.some((one) => one.service === service) || isOfPersonsOrBusiness(element, root)
  const isWhole = query?.where === undefined
  const evidence = isForChoice || (!isKept && !isWhole) ? 'guessed' : isKept && isWhole ? 'shown' : 'assumed'
  return { ...toReading(service, element, limiting), users: ['authenticated-user'], evidence }
}

/** Rows that belong to a person or say what few should know of one, and documents of a business. */
function isOfPersonsOrBusiness(element: CapElement, root: CapRoot): boolean {
  const kinds = new Set(element.members().map(personalKind))
  const isPersonal = OF_ONE.some((kind) => kinds.has(kind)) || (kinds.has('birth') && kinds.has('phone'))
  const isDocument = [element.name, sourceNameOf(element)].some((name) => DOCUMENTS.test(entityWords(name)))
  return isPersonal || isDocument || personOf(element, root) !== undefined || privateOwner(element, root) !== undefined
}

const OF_ONE: readonly PersonalKind[] = ['identity', 'bank', 'pay', 'belief']
const DOCUMENTS =
  /(?:^| )(?:orders?|invoices?|bills?|payments?|contracts?|quotations?|claims?|expenses?|refunds?|salar(?:y|ies)|payrolls?|complaints?|audits?|shipments?|deliver(?:y|ies))(?: ?(?:items?|lines?|headers?|reports?|logs?))?$/

/** `MasterDataService.Depots`, `DEPOT_MASTER`. */
function isOfMasters(name: string): boolean {
  return /(?:^| )(?:master|reference) ?(?:data)?(?: |$)/.test(toWords(name.replaceAll(/[._]/g, ' ')))
}

function toReading(service: CapService, element: CapElement, limiting: readonly Reading[]): ForgottenReading {
  const roles = [...new Set(limiting.flatMap((one) => one.roles))]
  return { service, element, restricted: limiting.map(({ name }) => name), roles }
}

/** Some of its roles may read the rows, and neither change nor delete them. */
function hasReadersAlone({ annotations }: CapElement): boolean {
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  const changing = new Set(privileges.flatMap((one) => (EVENTS.some((event) => grantsEvent(one, event)) ? (one.to ?? []) : [])))
  const reading = privileges.flatMap((one) => (grantsEvent(one, 'READ') ? (one.to ?? []) : []))
  return changing.size > 0 && reading.some((role) => !changing.has(role))
}

/** Who may read the rows of an entity in one of the services. */
interface Reading {
  readonly service: CapService
  readonly element: CapElement
  readonly name: string
  /** All who log in, or who ask, are a pseudo role. */
  readonly roles: readonly string[]
  /** It names the event READ, and roles for it. */
  readonly isLimited: boolean
}

/** All of them, by the entity below all projections. */
function readingsBySource(root: CapRoot): Map<string, Reading[]> {
  const found = new Map<string, Reading[]>()
  for (const service of servedServices(root))
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity' || !isReadable(element) || element.access?.kind === 'none') continue
      const own = element.access === undefined ? undefined : (readersOf(element)?.roles ?? [])
      const isForAll = own?.some((role) => PSEUDO_ROLES.has(role)) !== false
      const roles = isForAll ? rolesOfService(service) : (own ?? [])
      const isLimited = !isForAll && namesReading(element)
      append(found, sourceNameOf(element), { service, element, name: `${service.name}.${element.name}`, roles, isLimited })
    }
  return found
}

function rolesOfService({ access }: CapService): readonly string[] {
  return access.kind === 'roles' ? access.roles : access.kind === 'none' ? [] : ['authenticated-user']
}

/** Not only that some alone may do everything. */
function namesReading({ annotations }: CapElement): boolean {
  return privilegesOf(annotations.get('restrict')?.value).some(({ grants, to }) => to !== undefined && grants.includes('READ'))
}

/** It leaves out elements of the other one, such as those that not all should see. */
function isFewer(element: CapElement, other: CapElement): boolean {
  const names = new Set(element.members().map(({ name }) => name))
  return names.size === 0 || other.members().some(({ name, virtual, calculated }) => !virtual && !calculated && !names.has(name))
}
