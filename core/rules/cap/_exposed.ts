import { isHidden, type CapElement, type CapMember, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { servedServices } from './_elements.ts'

/** An element that clients of a service see. */
export interface ExposedMember {
  readonly service: CapService
  readonly entity: CapElement
  readonly member: CapMember
}

/** Elements of all entities that somebody outside can reach; what several services expose comes once for each. */
export function* exposedMembers(root: CapRoot): Generator<ExposedMember> {
  for (const { service, entity } of exposedEntities(root))
    for (const member of entity.members()) if (!isHidden(member)) yield { service, entity, member }
}

export function* exposedEntities(root: CapRoot): Generator<Omit<ExposedMember, 'member'>> {
  for (const service of servedServices(root)) {
    for (const entity of service.elements) {
      if (entity.kind === 'entity' && entity.access?.kind !== 'none' && !entity.annotations.has('cds.api.ignore'))
        yield { service, entity }
    }
  }
}

/** How an element is named in a message. */
export function memberName({ service, entity, member }: ExposedMember): string {
  return `${service.name}.${entity.name}.${member.name}`
}
