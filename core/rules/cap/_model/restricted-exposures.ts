import type { CapElement, CapService } from '../../../model/cap/index.ts'
import { stricter, type ReachModel } from '../../../model/reach/index.ts'
import type { Exposure, Reach } from '../../../types.ts'
import type { UngrantedReader } from '../_callers/ungranted-roles.ts'

/** Who gets through to an element that has a restriction: the check of its service comes first, and a login where the version of CAP would tell whether one is needed. */
export function exposureOf(
  service: CapService,
  element: Pick<CapElement, 'access' | 'name'> | undefined,
  reach: ReachModel,
): Exposure {
  const outer = reach.ofService(service)
  const known = service.access.kind === 'default-unknown' ? { ...outer, reach: 'user' as const } : outer
  const inner = element === undefined ? known : reach.ofElement(service, element)
  return stricter(inner, known)
}

/** The same where some of those who have access count: users with these roles, pseudo roles as they are. Roles that no user gets yet, somebody has to define first. */
export function exposureOfRoles(
  service: CapService,
  { name, access, place }: Pick<CapElement, 'access' | 'name' | 'place'>,
  roles: readonly string[],
  reach: ReachModel,
  isUngranted: UngrantedReader = () => false,
): Exposure {
  const exposure = exposureOf(service, { name, access: { kind: 'roles', roles, place: access?.place ?? place } }, reach)
  return isUngranted(roles) ? { ...stricter(exposure, { ...exposure, reach: 'privileged' }), evidence: 'assumed' } : exposure
}

const READERS: readonly Reach[] = ['anyone', 'user', 'privileged']

/** Of several entities that lead to one the exposure of that which most users read. */
export function easiestOf(exposures: readonly Exposure[]): Exposure | undefined {
  return READERS.map((reach) => exposures.find((one) => one.reach === reach)).find((one) => one !== undefined) ?? exposures[0]
}
