import type { Budget } from '../../budget.ts'
import type { CapDefinitions } from './definitions.ts'
import type { CapMembers } from './members.ts'
import type { CapElement, CapLink } from './types.ts'

/**
 * Associations between the entities of one service. A target that the service does not expose itself is redirected to the entity that projects
 * on it, where there is just one; what the compiler would expose by itself is left out.
 * Facts: capire, "CDL", auto-redirected associations.
 */
export function findLinks(
  elements: readonly CapElement[],
  definitions: CapDefinitions,
  membersOf: (name: string) => CapMembers,
  budget: Budget,
): CapLink[] {
  const entities = elements.filter(({ kind }) => kind === 'entity')
  const restricted = entities.some(({ access }) => access?.kind === 'roles')
  if (!restricted) return []
  const exposing = new Map<string, CapElement[]>()
  for (const entity of entities) {
    for (const { name } of definitions.projected(entity.qualified)) {
      budget.step(1)
      const known = exposing.get(name)
      if (known === undefined) exposing.set(name, [entity])
      else known.push(entity)
    }
  }
  const byName = new Map(entities.map((entity) => [entity.qualified, entity]))
  const links: CapLink[] = []
  for (const from of entities) {
    for (const [element, { member, owner, annotations }] of membersOf(from.qualified).byName) {
      const type = member?.type
      if ((type?.kind !== 'association' && type?.kind !== 'composition') || type.reference === undefined) continue
      const target = definitions.resolve(owner, type.reference)
      const candidates = target === undefined ? [] : (exposing.get(target.name) ?? [])
      const to =
        (target === undefined ? undefined : byName.get(target.name)) ?? (candidates.length === 1 ? candidates[0] : undefined)
      const closed = annotations.has('cds.api.ignore') || annotations.has('odata.navigable')
      if (to !== undefined && to !== from && !closed) links.push({ from, to, element, composition: type.kind === 'composition' })
    }
  }
  return links
}
