import {
  AUTHENTICATED_ROLES,
  grantsEvent,
  privilegesOf,
  servedServices,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type HandledEvent,
} from '../../../model/cap/index.ts'
import { createFunctionFinder, handlerRegistrations } from '../_callers/caller-checks.ts'

/** An entity of a service that a handler is for. */
export interface Reading {
  readonly service: CapService
  readonly element: CapElement
}

/** Tells for which reading a function of a file is registered, in other files. Needs `callerCheckExtracts`. */
export function createRegistrationReader(root: CapRoot): (file: string, exported: string) => readonly HandledEvent[] {
  const find = createFunctionFinder(root)
  const found = root.scripts.get(handlerRegistrations).flatMap(({ file, value }) => {
    const [link, ...others] = value.hands
    const isReading = value.events.some((name) => name === 'READ' || name === '*')
    if (value.phase !== 'before' || !isReading || link === undefined || others.length > 0 || value.asks) return []
    const target = find(file, link)
    const { service, isConnected, entities } = value
    const handler: HandledEvent = { file, service, isConnected, entities, events: ['READ'] }
    return target === undefined ? [] : [{ target, handler }]
  })
  return (file, exported) =>
    found.flatMap(({ target, handler }) => (target.file === file && target.name === exported ? [handler] : []))
}

/** The entities that a handler is for, where something tells of which service. */
export function readingsOf(root: CapRoot, handler: HandledEvent): readonly Reading[] {
  const { services, isCertain } = root.eventOf(handler)
  return isCertain ? readings(root, handler, services) : []
}

/** The entities of a handler that all users of their service may read, those who log in or, where that is wanted, those with a role, or whoever calls. */
export function openReadings(root: CapRoot, handler: HandledEvent, also?: 'roles' | 'default-public'): readonly Reading[] {
  return readings(root, handler, root.eventOf(handler).services).filter(
    ({ service: { access }, element }) => (FOR_USERS.has(access.kind) || access.kind === also) && isReadByAll(element),
  )
}

const FOR_USERS: ReadonlySet<string> = new Set(['authenticated', 'default-authenticated'])

function readings(root: CapRoot, { entities }: HandledEvent, services: readonly CapService[]): readonly Reading[] {
  const served = servedServices(root).filter((service) => services.includes(service))
  return served.flatMap((service) =>
    service.elements.flatMap((element) => {
      const last = element.name.slice(element.name.lastIndexOf('.') + 1)
      return element.kind === 'entity' && (entities?.includes(last) ?? true) ? [{ service, element }] : []
    }),
  )
}

/** All users of the service read all rows, as far as the model says: a condition there holds for all, whatever handlers add. */
export function isReadByAll({ access, annotations }: CapElement): boolean {
  if (access === undefined) return true
  const isForAll = (roles: readonly string[]): boolean => roles.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role))
  const required = wordsOf(annotations.get('requires')?.value)
  if (access.kind === 'none' || (required.length > 0 && !isForAll(required))) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  return (
    privileges.length === 0 ||
    privileges.some((one) => one.where === undefined && grantsEvent(one, 'READ') && isForAll(one.to ?? ['any']))
  )
}
