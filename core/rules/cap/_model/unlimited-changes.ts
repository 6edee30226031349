import { listNames } from '../../../arguments.ts'
import {
  accepts,
  conditionOf,
  grantsEvent,
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

/** The condition on the user as the list writes it. */
function conditionIn(privileges: readonly Privilege[]): string | undefined {
  for (const { where } of privileges) {
    const condition = where && conditionOf(where)
    if (condition !== undefined && typeof condition !== 'string' && /\$user\b/.test(condition.text)) return condition.text
  }
  return undefined
}
