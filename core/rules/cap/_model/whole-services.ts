import { isHidden, isReadable, servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { Exposure, Place } from '../../../types.ts'
import { readHandlers } from '../_handlers/read-handlers.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

/**
 * Whether those who get to a place read every table of the project anyway: the service that lets them in, for a role, gives them each entity whole. What a condition of CQL may
 * add, rows of other tables by a subquery included, they then see without it. Needs the extract `readHandlers`.
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
  const given = new Set(
    service.elements.flatMap((element) =>
      isWhole(element, service) && !isHandled(element, root) ? (element.source?.name ?? []) : [],
    ),
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

/** A handler may refuse its reads, limit its rows or take elements out of them. */
function isHandled({ qualified }: CapElement, root: CapRoot): boolean {
  const names = projectedNames(root, qualified)
  return root.scripts.get(readHandlers).some(({ value }) => {
    root.step()
    return value.entities?.some((name) => names.has(name)) ?? true
  })
}
