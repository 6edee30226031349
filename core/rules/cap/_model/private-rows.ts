import { accepts, privilegesOf, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { Project } from '../../subjects.ts'
import { handlersFor, unaskedOf, type EntityHandler } from '../_handlers/write-handlers.ts'
import { ofUsers } from '../_matches.ts'
import { isOfUsers, privateOwner } from '../_rows/person-rows.ts'
import { isReadOnlyBySource, writeRights } from './entity-rights.ts'
import type { OpenEntity, Reason } from './open-entities.ts'
import { exposureOf } from './restricted-exposures.ts'

const EVENTS = ['UPDATE', 'DELETE'] as const

/** Any user, or one with a role that everybody needs to open the app. */
export function isForUsers(service: CapService, { reach }: Pick<Project, 'reach'>): boolean {
  const { kind } = service.access
  return kind === 'authenticated' || (kind === 'roles' && reach.ofService(service).reach === 'user')
}

export function privateReason(element: CapElement, root: CapRoot): Reason | undefined {
  const owner = privateOwner(element, root)
  return owner === undefined ? undefined : { variant: 'private', restricted: [], roles: [], element: owner }
}

/**
 * What each user of a role has alone, `ChatUser` for example, or of each role that the service knows, where neither the model nor a handler looks at the user. Needs
 * `openEntityExtracts`.
 */
export function* privateRows(
  service: CapService,
  root: CapRoot,
  project: Pick<Project, 'reach'>,
  isForEachRole: (element: CapElement) => boolean,
): Generator<OpenEntity> {
  for (const element of service.elements) {
    root.step()
    if (element.kind !== 'entity') continue
    const { by, roles } = writeRights(element)
    const isOfService = by === 'open' && service.access.kind === 'roles' && !isForUsers(service, project)
    const users = by === 'roles' ? roles : isOfService ? service.access.roles : []
    const reason = users.length === 0 ? undefined : privateReason(element, root)
    if (reason === undefined) continue
    if (!users.every(isOfUsers) && !isForEachRole(element)) continue
    const isLimited = privilegesOf(element.annotations.get('restrict')?.value).some(({ where }) => where !== undefined)
    const handlers = isLimited ? [] : handlersFor(root, service, element)
    const seen = reasonBeside(reason, element, handlers)
    if (isLimited || seen === undefined || isReadOnlyBySource(element, root, handlers)) continue
    yield { service, element, exposure: ofUsers(exposureOf(service, element, project.reach)), reason: { ...seen, users } }
  }
}

/** What a handler may ask of those who read says nothing of those who change rows. */
function reasonBeside(reason: Reason, element: CapElement, handlers: readonly EntityHandler[]): Reason | undefined {
  if (handlers.every(({ asks }) => asks === 'no')) return reason
  const events = unaskedOf(
    EVENTS.filter((event) => accepts(element, event)),
    handlers,
  )
  const isOfReading = handlers.every(({ asks, events: names }) => asks === 'no' || names.every((name) => name === 'READ'))
  return events.length > 0 && isOfReading ? { ...reason, variant: 'person' } : undefined
}
