import { servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
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
