import { isHidden, isReadable, servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Exposure, Place } from '../../../types.ts'
import { createHandingReader } from '../_handlers/handed-services.ts'
import { readHandlers } from '../_handlers/read-handlers.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/**
 * Whether those who get to a place read every table of the project anyway: the service that lets them in, for a role, gives them each entity whole. What a condition of CQL may
 * add, rows of other tables by a subquery included, they then see without it. Needs the extracts `readHandlers` and `handedServices`.
 */
export function readsWholeModel({ reach, by }: Exposure, roots: readonly CapRoot[]): boolean {
  if (reach !== 'privileged' || by === undefined) return false
  return roots.some((root) => {
    const service = servedServices(root).find(({ access }) => access.kind === 'roles' && isSame(access.place, by))
    return service !== undefined && root.runtime !== 'java' && givesAll(service, root)
  })
}

function isSame(one: Place, other: Place): boolean {
  return one.file === other.file && one.span?.start === other.span?.start
}

function givesAll(service: CapService, root: CapRoot): boolean {
  root.step(service.elements.length + root.entities.length)
  const isHandled = createReadReader(service, root)
  const given = new Set(
    service.elements.flatMap((element) => (isWhole(element, service) && !isHandled(element) ? (element.source?.name ?? []) : [])),
  )
  const inServices = root.services.map(({ name }) => `${name}.`)
  const tables = root.entities.filter(
    (name) =>
      !name.startsWith(COMMON) && !inServices.some((prefix) => name.startsWith(prefix)) && root.projected(name).length === 1,
  )
  return tables.length > 0 && tables.every((name) => given.has(name))
}

/** Code lists of @sap/cds/common, which nobody hides. */
const COMMON = 'sap.common.'

/** All its rows and elements, as far as the model says. */
function isWhole(element: CapElement, { access }: CapService): boolean {
  const { kind, access: own, query, members } = element
  if (kind !== 'entity' || !isReadable(element) || query?.where !== undefined) return false
  if ((query?.excluding.length ?? 0) > 0 || query?.columns?.some(({ name }) => name === '*') === false) return false
  return (own === undefined || isSame(own.place, access.place)) && members().length > 0 && !members().some(isHidden)
}

/** Tells whether a handler may refuse the reads of an element, limit its rows or take elements out of them. A file that another service is handed to has none of this one. */
function createReadReader({ name }: CapService, root: CapRoot): (element: CapElement) => boolean {
  const handedTo = createHandingReader(root)
  const others = new Set(root.services.flatMap((one) => (one.name === name ? [] : lastName(one.name))))
  const handlers = root.scripts.get(readHandlers).filter(({ file }) => {
    const { service } = handedTo(file) ?? {}
    return service === undefined || service === lastName(name) || !others.has(service)
  })
  return ({ qualified }) => {
    const names = projectedNames(root, qualified)
    return handlers.some(({ value }) => {
      root.step()
      return value.entities?.some((one) => names.has(one)) ?? true
    })
  }
}
