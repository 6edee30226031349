import { servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { isGivenWithout, isPlatformRole, type HeldRoles } from '../../../model/authorization/index.ts'
import { idleRoles, isTalkedOf, unaskedRoles } from '../_callers/unasked-roles.ts'
import { createHeldRoles, rolesOfUsers } from '../_callers/scopes.ts'
import { entityHandlers } from '../_handlers/write-handlers.ts'
import { ownedQueries } from '../_rows/owned-queries.ts'
import { rowFilters } from '../_rows/row-filters.ts'
import type { Project } from '../../subjects.ts'
import { EVENTS, rolesAmong, rolesFor, writeRights } from './entity-rights.ts'

/** Whether some users of a service have none of these roles, nor get one of them along with theirs. */
export function isNarrower(roles: readonly string[], { access }: CapService, { heldBy }: Pick<RightsFacts, 'heldBy'>): boolean {
  if (roles.length === 0 || access.kind !== 'roles') return roles.length > 0
  return rolesAmong(access.roles).some((role) => {
    const held = heldBy(role)
    return !roles.some((one) => held.has(one))
  })
}

/** What the whole project tells, found once for all services. */
export interface RightsFacts {
  readonly root: CapRoot
  readonly files: Project['files']
  /** Who may write the same rows elsewhere, by the name of the entity below all projections. */
  readonly elsewhere: ReadonlyMap<string, readonly Elsewhere[]>
  /** Columns that code compares with the user, by the last part of the entity's name. */
  readonly owners: ReadonlyMap<string, string>
  readonly roles: readonly string[]
  /** Else a rule of its own tells that nothing asks for the roles of a descriptor. */
  readonly areRolesAsked: boolean
  /** A role that the descriptor gives to users is asked nowhere, and no script speaks of roles, those behind the handlers included. */
  readonly areHandlersSilent: boolean
  readonly heldBy: HeldRoles
  narrowOf(service: CapService): NarrowEntities
  /** Each role that a service asks for brings along a lower one, with which users enter other services alone. */
  isForFew(service: CapService): boolean
}

/** Entities of a service that some of its users alone may write, or use at all; asked of each of its entities. */
interface NarrowEntities {
  readonly written: readonly CapElement[]
  readonly restricted: readonly string[]
  /** All users have one of the roles, by what comes along with theirs; some of them alone may do all that one may do to rows. */
  readonly isAssumed: boolean
  readonly roles: readonly string[]
}

/** An entity of a service that some roles alone may write. */
export interface Elsewhere {
  readonly service: CapService
  readonly name: string
  readonly roles: readonly string[]
  /** By words of its own, not of the service around it. */
  readonly isOwn: boolean
}

export function createRightsFacts(root: CapRoot, project: Project): RightsFacts {
  const elsewhere = new Map<string, Elsewhere[]>()
  for (const service of servedServices(root))
    for (const element of service.elements) {
      if (element.kind !== 'entity' || element.source === undefined) continue
      const { by, roles } = writeRights(element)
      const isOfService = by === 'open' && service.access.kind === 'roles'
      // rows that all create, and some change
      const found =
        by === 'roles'
          ? rolesAmong(rolesFor(element, ['UPDATE', 'DELETE']), roles)
          : isOfService
            ? rolesAmong(service.access.roles)
            : []
      if (found.length === 0) continue
      const one = { service, name: `${service.name}.${element.name}`, roles: found, isOwn: by === 'roles' }
      elsewhere.set(element.source.name, [...(elsewhere.get(element.source.name) ?? []), one])
    }
  const owners = new Map<string, string>()
  for (const { value } of root.scripts.get(ownedQueries))
    if (value.kind === 'own' && !SHARED.test(value.column)) owners.set(value.entity, value.through?.path ?? value.column)
  for (const { value } of root.scripts.get(entityHandlers))
    for (const name of value.entities ?? []) if (value.owner !== undefined) owners.set(name, value.owner)
  for (const { value } of root.scripts.get(rowFilters)) {
    const { column, entities, isUnsure } = value
    if (column === undefined || isUnsure || SHARED.test(column)) continue
    for (const name of entities ?? []) owners.set(name, column)
  }
  const areRolesAsked = unaskedRoles(root, project) === undefined
  const roles = areRolesAsked ? rolesAmong(rolesOfUsers(root, project)) : []
  const narrow = new Map<CapService, NarrowEntities>()
  const heldBy = createHeldRoles(root, project)
  const narrowOf = (service: CapService): NarrowEntities => {
    const known = narrow.get(service) ?? findNarrow(service, heldBy)
    narrow.set(service, known)
    return known
  }
  const areHandlersSilent = !isTalkedOf(project) && idleRoles(root, project).length > 0
  const entering = new Set(servedServices(root).flatMap(({ access }) => (access.kind === 'roles' ? access.roles : [])))
  const isForFew = ({ access }: CapService): boolean =>
    access.kind === 'roles' &&
    isAbove(access.roles, (one) => entering.has(one) && isGivenWithout(one, access.roles, project.securityOf(root)), heldBy)
  return { root, files: project.files, elsewhere, owners, roles, areRolesAsked, areHandlersSilent, heldBy, narrowOf, isForFew }
}

/** Whoever has one of the roles has a lower one too, which others have without any of these: a role template gives it by itself. */
function isAbove(roles: readonly string[], isGivenAlone: (role: string) => boolean, heldBy: HeldRoles): boolean {
  const isLower = (one: string): boolean => !roles.some((role) => heldBy(one).has(role)) && isGivenAlone(one)
  return roles.length > 0 && roles.every((role) => [...heldBy(role)].some(isLower))
}

function findNarrow(service: CapService, heldBy: HeldRoles): NarrowEntities {
  const entities = service.elements.filter(({ kind }) => kind === 'entity')
  const named = entities.filter((one) => isNarrower(rolesOf(one), service, { heldBy: (role) => new Set([role]) }))
  const narrower = named.filter((one) => isNarrower(rolesOf(one), service, { heldBy }))
  const isAssumed = narrower.length === 0
  const siblings = isAssumed
    ? named.filter((one) => EVENTS.some((event) => isNarrower(rolesFor(one, [event]), service, { heldBy })))
    : narrower
  return {
    isAssumed,
    written: entities.filter((one) => isNarrower(writeRights(one).roles, service, { heldBy })),
    restricted: siblings.map(({ name }) => name),
    roles: [...new Set(siblings.flatMap(rolesOf))],
  }
}

/** Not what all users of a tenant have in common. */
const SHARED = /tenant|locale|country|language/i

/** Roles that an entity asks for by itself. */
function rolesOf(element: CapElement): readonly string[] {
  const written = writeRights(element)
  const roles = written.by === 'roles' ? written.roles : element.access?.kind === 'roles' ? element.access.roles : []
  return rolesAmong(roles).filter((role) => !isPlatformRole(role))
}
