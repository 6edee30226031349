import {
  isAdministrative,
  isReadable,
  privilegesOf,
  PSEUDO_ROLES,
  readersOf,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import { append } from '../../../lists.ts'
import type { HeldRoles } from '../../../model/authorization/index.ts'
import { isCodeList, isNameList, rolesAmong, writeRights } from './entity-rights.ts'
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

/** An entity that a service gives to roles which another service, in words of its own for this entity, keeps from reading the same rows. */
export interface OtherReading extends ForgottenReading {
  /** The users of the service who may not read the rows in the other one. */
  readonly users: readonly string[]
}

/**
 * Entities of services for some roles that restrict none of their entities, and whose rows another service lets fewer of these roles read: it names the event READ for the entity.
 * Who may read them in any other service is none of these roles.
 * Fact: capire, "Authorization" ("Limitations": each projection has its own restrictions and those of its service alone). Needs the extract `entityHandlers`.
 */
export function* readingsElsewhere(root: CapRoot, heldBy: HeldRoles): Generator<OtherReading> {
  const bySource = readingsBySource(root)
  for (const service of servedServices(root)) {
    if (service.access.kind !== 'roles' || service.access.roles.some((role) => PSEUDO_ROLES.has(role))) continue
    // who restricts some of its entities has thought of the others
    if (service.elements.some(({ access }) => access !== undefined)) continue
    for (const element of service.elements) {
      root.step()
      if (element.kind !== 'entity' || !isReadable(element)) continue
      if (isCodeList(element) || isNameList(element) || element.query?.where !== undefined) continue
      const others = (bySource.get(sourceNameOf(element)) ?? []).filter((one) => one.service !== service)
      if (!others.some(({ isLimited }) => isLimited)) continue
      root.step(others.length)
      const limiting = others.filter((one) => one.isLimited && !isFewer(element, one.element))
      const reading = others.filter((one) => one.isLimited || !isFewer(one.element, element))
      const readers = reading.flatMap((one) => one.roles)
      if (limiting.length === 0 || readers.some((role) => PSEUDO_ROLES.has(role))) continue
      const users = service.access.roles.filter(
        (role) => !isAdministrative(role) && !readers.some((reader) => heldBy(role).has(reader)),
      )
      if (users.length === 0 || handlersFor(root, service, element).some(({ asks }) => asks !== 'no')) continue
      const roles = [...new Set(limiting.flatMap((one) => one.roles))]
      yield { service, element, restricted: limiting.map(({ name }) => name), roles, users }
    }
  }
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
  return names.size === 0 || other.members().some(({ name }) => !names.has(name))
}
