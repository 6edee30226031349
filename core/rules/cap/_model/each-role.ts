import { isAdministrative, type CapElement, type CapService } from '../../../model/cap/index.ts'
import { rolesAmong, rolesFor } from './entity-rights.ts'

/** Tells whether an entity of a service lets users change its rows with each role that the service knows, those of administrators aside: its list leaves out nobody. */
export function createEachRoleReader({ access, elements }: CapService): (element: CapElement) => boolean {
  const named = [...access.roles, ...elements.flatMap((element) => element.access?.roles ?? [])]
  const known = rolesAmong(named).filter((role) => !isAdministrative(role))
  // those of one role may be few
  if (known.length < 2) return () => false
  return (element) => {
    const changing = new Set(
      element.annotations.has('restrict') ? rolesFor(element, ['UPDATE']) : rolesAmong(element.access?.roles ?? []),
    )
    return known.every((role) => changing.has(role))
  }
}
