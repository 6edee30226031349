import {
  accepts,
  grantsEvent,
  privilegesOf,
  PSEUDO_ROLES,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import type { Change } from './state-changes.ts'

/**
 * Tells operations whose handlers make a change to rows that clients make with a role alone, and look in no way at who calls: CAP checks no restrictions of entities
 * for what handlers send to the database. Needs the extracts `stateChanges` and `handlerLinks`.
 * Fact: capire, "Authorization", "Programmatic Enforcement": annotations are checked for requests of clients.
 */
export function createRestrictedChangeReader(
  root: CapRoot,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
): (service: CapService, operation: CapElement, restricted: readonly CapElement[]) => boolean {
  const names = new Map<CapElement, ReadonlySet<string>>()
  const namesOf = (element: CapElement): ReadonlySet<string> => {
    const known = names.get(element) ?? projectedNames(root, element.qualified)
    names.set(element, known)
    return known
  }
  return (service, operation, restricted) => {
    const changes = changesOf(service, operation)
    if (changes.some(({ asks }) => asks !== 'no')) return false
    root.step(1 + changes.length * restricted.length)
    return changes.some(
      ({ write }) =>
        write !== undefined &&
        restricted.some((element) => namesOf(element).has(write.entity) && needsRole(element, write.event)),
    )
  }
}

/** Clients make the change, and only those with a role. */
function needsRole(element: CapElement, event: WriteEvent): boolean {
  if (!element.writable || !accepts(element, event)) return false
  const privileges = privilegesOf(element.annotations.get('restrict')?.value)
  const granting = privileges.filter((privilege) => grantsEvent(privilege, event))
  return granting.every(({ to }) => to?.every((role) => !PSEUDO_ROLES.has(role)) === true)
}
