import { grantsActionsOnly, privilegesOf, readersOf, takesData, writersOf } from '../model/cap/index.ts'
import type { CapElement, CapRoot, CapService } from '../model/cap/index.ts'
import type { ReportCapEntity, ReportExposure } from '../report/types.ts'

/** The entities that are written into a service, each with who may read and change it. What nobody from outside can use is listed with nobody. */
export function listEntities(
  service: CapService,
  runtime: CapRoot['runtime'],
  exposureOf: (entity: CapElement) => ReportExposure,
  step: () => void,
): ReportCapEntity[] {
  const rows: ReportCapEntity[] = []
  for (const element of service.elements) {
    step()
    if (element.kind !== 'entity') continue
    const entity = runtime === 'node' ? withoutActions(element) : element
    const { roles, filtered } = toReaders(entity, service)
    const change = takesData(entity) ? writersOf(entity, service) : []
    rows.push({ name: entity.name, read: roles, change, ...(filtered && { filtered }), exposure: exposureOf(entity) })
  }
  return rows
}

/** In Node.js privileges for actions alone leave reading and writing to whoever may call the service. */
function withoutActions(entity: CapElement): CapElement {
  if (!grantsActionsOnly(entity.annotations)) return entity
  return { ...entity, annotations: new Map([...entity.annotations].filter(([name]) => name !== 'restrict')) }
}

function toReaders(entity: CapElement, service: CapService): { roles: readonly string[]; filtered: boolean } {
  const { access, annotations } = entity
  if (access?.kind === 'none' || annotations.has('cds.api.ignore')) return { roles: [], filtered: false }
  const declared = readersOf(entity)
  if (declared !== undefined) return declared
  // privileges, and none for reading
  if (privilegesOf(annotations.get('restrict')?.value).length > 0) return { roles: [], filtered: false }
  const { kind, roles } = access ?? service.access
  if (kind === 'roles') return { roles, filtered: false }
  return { roles: [kind === 'authenticated' || kind === 'default-authenticated' ? 'authenticated-user' : 'any'], filtered: false }
}
