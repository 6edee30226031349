import { listNames } from '../../../arguments.ts'
import {
  accepts,
  conditionOf,
  grantsEvent,
  isAdministrative,
  isTrue,
  placeIn,
  privilegesOf,
  PSEUDO_ROLES,
  type CapRoot,
  type Privilege,
} from '../../../model/cap/index.ts'
import type { Match } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { createUngrantedReader } from '../_callers/ungranted-roles.ts'
import { usersWith } from '../_matches.ts'
import { ownedEntities } from '../_rows/owned-entities.ts'
import { isOwnedByPerson } from '../_rows/person-rows.ts'
import { isLimited } from '../_rows/part-conditions.ts'
import { exposureOfRoles } from './restricted-exposures.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'

const EVENTS = ['UPDATE', 'DELETE'] as const
/** Users who may well change the rows of others. */
const TRUSTED = /superuser|sys(?:tem)?_?admin|audit|support|system-user|internal-user|technical/i

/**
 * Privileges for changes of all rows, where another privilege or a handler limits what the same users read of the entity to their own rows, and no handler looks at who
 * changes them. Needs the extracts `rowFilters`, `entityHandlers`, `givenRoles` and `callerCheckExtracts`.
 */
export function* unlimitedChanges(root: CapRoot, project: Pick<Project, 'reach' | 'securityOf'>): Generator<Match> {
  const isUngranted = createUngrantedReader(root, project)
  for (const { service, element, owner, filter, roles: limited, exempt } of ownedEntities(root)) {
    const annotation = element.annotations.get('restrict')
    if (annotation === undefined || (filter !== undefined && exempt === undefined)) continue
    const isOwn = (role: string): boolean =>
      filter === undefined
        ? !PSEUDO_ROLES.has(role) && isLimited(element, role, 'READ')
        : exempt?.includes(role) === false && (limited.length === 0 || limited.includes(role) || PSEUDO_ROLES.has(role))
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      root.step()
      const granted = EVENTS.filter((event) => grantsEvent(privilege, event) && accepts(element, event))
      // what all users may change another rule tells
      if (filter === undefined && privilege.to === undefined) continue
      const users = privilege.to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      const callers = users.filter((role) => !TRUSTED.test(role) && isOwn(role))
      if (privilege.where !== undefined || granted.length === 0 || callers.length === 0) continue
      const events = unaskedOf(granted, handlersFor(root, service, element))
      if (events.length === 0) continue
      yield {
        at: placeIn(annotation, privilege.record),
        args: {
          entity: `${service.name}.${element.name}`,
          users: usersWith(callers),
          events: listNames(events),
          ...(filter !== undefined && { file: filter.file }),
          part: element.name,
          owner,
          condition: conditionIn(privileges) ?? `${owner} = $user`,
        },
        key: `${service.name}.${element.name}`,
        variant: filter === undefined ? 'changes' : 'filtered',
        exposure: exposureOfRoles(service, element, callers, project.reach, { events, isUngranted }),
      }
    }
  }
}

/**
 * The same of an entity without a privilege of its own, in a service that lets users in: what handlers ask for where a row is created says nothing of who changes one.
 * Needs the extracts `rowFilters`, `entityHandlers` and `callerCheckExtracts`.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: a handler for READ or CREATE runs for these events alone.
 */
export function* unlimitedWrites(root: CapRoot, { reach }: Pick<Project, 'reach'>): Generator<Match> {
  for (const owned of ownedEntities(root)) {
    root.step()
    const { service, element, owner, filter, roles, exempt, isAnswered } = owned
    const { annotations } = element
    if (filter === undefined || annotations.has('restrict') || annotations.has('requires') || !element.writable) continue
    // what is read from several rows nobody changes
    const { isNarrowed, kind, sources = [] } = element.query ?? {}
    if (isNarrowed === true || kind === 'set' || sources.length > 1) continue
    const users = service.access.kind === 'roles' ? service.access.roles : ['authenticated-user']
    const isLimitedOnly = (role: string): boolean =>
      PSEUDO_ROLES.has(role)
        ? role !== 'any'
        : !isAdministrative(role) && exempt?.includes(role) === false && (roles.length === 0 || roles.includes(role))
    const callers = /^(?:roles|authenticated|default-authenticated)$/.test(service.access.kind) ? users.filter(isLimitedOnly) : []
    // a draft begins with reading the row
    const isDraft = isTrue(annotations.get('odata.draft.enabled')?.value)
    const accepted = EVENTS.filter((event) => accepts(element, event) && !(isDraft && event === 'UPDATE'))
    const events = callers.length === 0 ? [] : unaskedOf(accepted, handlersFor(root, service, element))
    if (events.length === 0) continue
    const exposure = exposureOfRoles(service, element, callers, reach, { events })
    if (exposure.reach !== 'user' && exposure.reach !== 'privileged') continue
    // what a handler leaves out for a page is not whose row it is
    const isUnsure = (isAnswered !== true && !isOwnedByPerson(element, owner, root)) || exempt === undefined
    yield {
      at: element.place,
      args: {
        entity: `${service.name}.${element.name}`,
        users: usersWith(callers),
        events: listNames(events),
        file: filter.file,
        part: element.name,
        owner,
      },
      variant: 'unsaid',
      ...(isUnsure && { evidence: 'assumed' as const }),
      exposure,
      groupKey: `${element.place.file} ${service.name} unsaid ${owner} ${String(isUnsure)}`,
    }
  }
}

/** The condition on the user as the list writes it. */
function conditionIn(privileges: readonly Privilege[]): string | undefined {
  for (const { where } of privileges) {
    const condition = where && conditionOf(where)
    if (condition !== undefined && typeof condition !== 'string' && /\$user\b/.test(condition.text)) return condition.text
  }
  return undefined
}
