import { listNames } from '../../arguments.ts'
import { accepts, grantsEvent, placeIn, privilegesOf, PSEUDO_ROLES, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { usersWith } from './_matches.ts'
import { ownedEntities } from './_owned-entities.ts'
import { exposureOfRoles } from './_restricted-exposures.ts'
import { handlersFor, unaskedOf } from './_write-handlers.ts'

const EVENTS = ['UPDATE', 'DELETE'] as const
/** Users who may well change the rows of others. */
const TRUSTED = /superuser|sys(?:tem)?_?admin|audit|support|system-user|internal-user|technical/i

/**
 * Privileges for changes of all rows, where a handler limits what the same users read of the entity to their own rows, and none looks at who changes them. Needs the
 * extracts `rowFilters`, `entityHandlers` and `callerCheckExtracts`.
 */
export function* unlimitedChanges(root: CapRoot, { reach }: Pick<Project, 'reach'>): Generator<Match> {
  for (const { service, element, owner, filter, roles: limited, exempt } of ownedEntities(root)) {
    const annotation = element.annotations.get('restrict')
    if (filter === undefined || annotation === undefined || exempt === undefined) continue
    for (const privilege of privilegesOf(annotation.value)) {
      root.step()
      const granted = EVENTS.filter((event) => grantsEvent(privilege, event) && accepts(element, event))
      const users = privilege.to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      const callers = users.filter(
        (role) =>
          !TRUSTED.test(role) &&
          !exempt.includes(role) &&
          (limited.length === 0 || limited.includes(role) || PSEUDO_ROLES.has(role)),
      )
      if (privilege.where !== undefined || granted.length === 0 || callers.length === 0) continue
      const events = unaskedOf(granted, handlersFor(root, service, element))
      if (events.length === 0) continue
      yield {
        at: placeIn(annotation, privilege.record),
        args: {
          entity: `${service.name}.${element.name}`,
          users: usersWith(callers),
          events: listNames(events),
          file: filter.file,
          part: element.name,
          owner,
        },
        key: `${service.name}.${element.name}`,
        variant: 'changes',
        exposure: exposureOfRoles(service, element, callers, reach),
      }
    }
  }
}
