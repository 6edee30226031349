import type { Budget } from '../../budget.ts'
import type { CdsMember, CdsQuery } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import type { CapElement, CapLink } from './types.ts'

/** Deeper chains of projections and includes are not followed. */
const MAX_DEPTH = 20

/**
 * Associations between the entities of one service. A target that the service does not expose itself is redirected to the entity that projects
 * on it, where there is just one; what the compiler would expose by itself is left out.
 * Facts: capire, "CDL", auto-redirected associations.
 */
export function findLinks(elements: readonly CapElement[], definitions: CapDefinitions, budget: Budget): CapLink[] {
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
  const known = new Map<string, Map<string, Found>>()
  for (const from of entities) {
    const start = definitions.get(from.qualified)
    if (start === undefined) continue
    for (const [element, { member, owner }] of elementsOf(start, definitions, budget, known)) {
      const type = member.type
      if ((type?.kind !== 'association' && type?.kind !== 'composition') || type.reference === undefined) continue
      const target = definitions.resolve(owner, type.reference)
      const candidates = target === undefined ? [] : (exposing.get(target.name) ?? [])
      const to =
        (target === undefined ? undefined : byName.get(target.name)) ?? (candidates.length === 1 ? candidates[0] : undefined)
      const closed = member.annotations.some(({ name }) => name === 'cds.api.ignore' || name === 'odata.navigable')
      if (to !== undefined && to !== from && !closed) links.push({ from, to, element, composition: type.kind === 'composition' })
    }
  }
  return links
}

interface Found {
  readonly member: CdsMember
  readonly owner: CapDefinition
}

/** Elements of an entity by their names there: its own, those that it includes, and those that its projection lets through. */
function elementsOf(
  from: CapDefinition,
  definitions: CapDefinitions,
  budget: Budget,
  known: Map<string, Map<string, Found>>,
  depth = 0,
): Map<string, Found> {
  const cached = known.get(from.name)
  if (cached !== undefined) return cached
  const found = new Map<string, Found>()
  known.set(from.name, found)
  if (depth > MAX_DEPTH) return found
  const { includes, query, elements } = from.definition
  budget.step(1 + elements.length)
  for (const include of includes) {
    const base = definitions.resolve(from, include)
    if (base !== undefined && base !== from)
      for (const [name, it] of elementsOf(base, definitions, budget, known, depth + 1)) found.set(name, it)
  }
  const [source, other] = query?.sources ?? []
  if (
    query !== undefined &&
    query.kind !== 'set' &&
    source !== undefined &&
    other === undefined &&
    source.element === undefined
  ) {
    const base = definitions.resolve(from, source)
    if (base !== undefined && base !== from)
      for (const [name, it] of project(query, elementsOf(base, definitions, budget, known, depth + 1))) found.set(name, it)
  }
  for (const member of elements) found.set(member.name, { member, owner: from })
  budget.step(found.size)
  return found
}

function* project({ columns, excluding }: CdsQuery, base: ReadonlyMap<string, Found>): Generator<[string, Found]> {
  const out = new Set(excluding.map(({ name }) => name))
  if (columns === undefined || columns.some(({ name }) => name === '*'))
    for (const [name, it] of base) if (!out.has(name)) yield [name, it]
  for (const { name, expression } of columns ?? []) {
    const it = base.get(expression?.text.trim() ?? name ?? '')
    // `redirected to` names a target of its own, which the text of the column holds
    if (name !== undefined && name !== '*' && it !== undefined) yield [name, it]
  }
}
