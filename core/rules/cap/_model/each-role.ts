import { isAdministrative, servedServices, type CapElement, type CapRoot } from '../../../model/cap/index.ts'
import { rolesAmong, rolesFor } from './entity-rights.ts'

/** Programs that send, fetch or run something: rows of all users are what they are for. */
const OF_PROGRAM = /schedul|mailer|job|messag|extract|batch|integration|service/i

/** Tells whether an entity lets users change its rows with each role that the services of the project know, those of administrators and programs aside: its list leaves out nobody. */
export function createEachRoleReader(root: CapRoot): (element: CapElement) => boolean {
  let known: readonly string[] | undefined
  return (element) => {
    known ??= rolesOf(root)
    // those of one role may be few
    if (known.length < 2) return false
    const changing = new Set(
      element.annotations.has('restrict') ? rolesFor(element, ['UPDATE']) : rolesAmong(element.access?.roles ?? []),
    )
    return known.every((role) => changing.has(role))
  }
}

function rolesOf(root: CapRoot): readonly string[] {
  const named = servedServices(root).flatMap(({ access, elements }) => {
    root.step(elements.length)
    return [...access.roles, ...elements.flatMap((element) => element.access?.roles ?? [])]
  })
  return rolesAmong(named).filter((role) => !isAdministrative(role) && !OF_PROGRAM.test(role))
}
