import type { CapElement, CapService, RowEvent } from '../../../model/cap/index.ts'
import { stricter, type ReachModel } from '../../../model/reach/index.ts'
import type { Exposure, Reach } from '../../../types.ts'
import { ofUsers } from '../_matches.ts'
import type { UngrantedReader } from '../_callers/ungranted-roles.ts'

/** Who gets through to a service that has a restriction, or to an element of it with some events: a login where the version of CAP would tell whether one is needed. */
export function exposureOf(
  service: CapService,
  element: CapElement | undefined,
  reach: ReachModel,
  events?: readonly RowEvent[],
): Exposure {
  if (element !== undefined) return reach.ofElement(service, element, events)
  const known = reach.ofService(service)
  return service.access.kind === 'default-unknown' ? { ...known, reach: 'user' } : known
}

/** The same where some of those who have access count: users with these roles, pseudo roles as they are; that callers need no login is a finding of the service. Roles that no user gets yet, somebody has to define first. `events`: what they send an entity, since code may check some of them alone. */
export function exposureOfRoles(
  service: CapService,
  element: CapElement,
  roles: readonly string[],
  reach: ReachModel,
  { events, isUngranted = () => false }: { readonly events: readonly RowEvent[]; readonly isUngranted?: UngrantedReader },
): Exposure {
  const exposure = ofUsers(reach.ofRoles(service, element, roles, events))
  return isUngranted(roles) ? { ...stricter(exposure, { ...exposure, reach: 'privileged' }), evidence: 'assumed' } : exposure
}

const READERS: readonly Reach[] = ['anyone', 'user', 'privileged']

/** Of several entities that lead to one the exposure of that which most users read. */
export function easiestOf(exposures: readonly Exposure[]): Exposure | undefined {
  return READERS.map((reach) => exposures.find((one) => one.reach === reach)).find((one) => one !== undefined) ?? exposures[0]
}
