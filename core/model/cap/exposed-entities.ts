import type { Place } from '../../types.ts'
import { servedServices } from './restrictions.ts'
import type { CapAutoexposed, CapElement, CapMember, CapRoot, CapService } from './types.ts'
import { isHidden, takesData } from './writing.ts'

/** An entity that clients of a service see: written into it, or added by the compiler since one of its entities leads there. */
export interface ExposedEntity {
  readonly service: CapService
  /** For messages: `Shop.Orders`, `Shop.Orders/items`. */
  readonly name: string
  /** With what counts for it there; of an added one, who may call it is that of the entity that leads there. */
  readonly entity: CapElement
  /** What it is in the end, outside of services. */
  readonly source: { readonly name: string; readonly place: Place }
  /** It is written into the service. */
  readonly isDirect: boolean
  /** Clients put data into it. */
  readonly isWritten: boolean
}

/** All that somebody outside can reach; what several services expose comes once for each. */
export function* exposedEntities(root: CapRoot): Generator<ExposedEntity> {
  for (const service of servedServices(root)) {
    for (const entity of service.elements) {
      root.step(ENTITY_STEPS)
      const { name, qualified, place } = entity
      if (entity.kind !== 'entity' || isClosed(entity)) continue
      const source = entity.source ?? { name: qualified, place }
      yield { service, name: `${service.name}.${name}`, entity, source, isDirect: true, isWritten: takesData(entity) }
    }
    for (const added of service.autoexposed()) if (!isClosed(added.from) && !isClosed(added)) yield toExposed(service, added)
  }
}

/** Through a composition, it is written together with the entity that it belongs to. */
function toExposed(
  service: CapService,
  { name, place, annotations, members, from, path, composition }: CapAutoexposed,
): ExposedEntity {
  const entity: CapElement = { ...from, annotations: composition ? underParent(annotations, from) : annotations, members }
  const isWritten = composition && takesData(from) && takesData(entity)
  return { service, name: `${service.name}.${path}`, entity, source: { name, place }, isDirect: false, isWritten }
}

/** Without a restriction of its own, that of the entity that it belongs to holds. */
function underParent(annotations: CapElement['annotations'], parent: CapElement): CapElement['annotations'] {
  const names = ['requires', 'restrict']
  if (names.some((name) => annotations.has(name))) return annotations
  const merged = new Map(annotations)
  for (const name of names) {
    const inherited = parent.annotations.get(name)
    if (inherited !== undefined) merged.set(name, inherited)
  }
  return merged
}

function isClosed({ annotations, ...entity }: Pick<CapElement, 'annotations' | 'access'>): boolean {
  return entity.access?.kind === 'none' || annotations.has('cds.api.ignore')
}

/** A rule reads names and annotations of each. */
const ENTITY_STEPS = 12
const MEMBER_STEPS = 6

/** An element that clients of a service see. */
export interface ExposedMember extends ExposedEntity {
  readonly member: CapMember
}

export function* exposedMembers(root: CapRoot): Generator<ExposedMember> {
  for (const exposed of exposedEntities(root))
    for (const member of exposed.entity.members()) {
      root.step(MEMBER_STEPS)
      if (!isHidden(member)) yield { ...exposed, member }
    }
}
