import type { StepCounter } from '../../budget.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import type { CapMembers } from './members.ts'
import type { CapAutoexposed, CapElement, CapLink, CapMember } from './types.ts'

/** What associations of a service lead to. */
export interface ServiceLinks {
  readonly links: () => readonly CapLink[]
  readonly autoexposed: () => readonly CapAutoexposed[]
}

/** The entities of a service by the names of all that they project on. */
type Exposing = ReadonlyMap<string, readonly CapElement[]>

/**
 * Associations between the entities of one service. A target that the service does not expose itself is redirected to the entity that projects
 * on it, where there is just one or `@cds.redirection.target` names it; what the compiler exposes by itself is `autoexposed`. Both are made when they are asked for.
 * Facts: capire, "CDL", auto-redirected associations and auto-exposed entities.
 */
export function findLinks(
  service: string,
  elements: readonly CapElement[],
  definitions: CapDefinitions,
  members: CapMembers,
  budget: StepCounter,
): ServiceLinks {
  const entities = elements.filter(({ kind }) => kind === 'entity')
  let exposing: Exposing | undefined
  const exposed = (): Exposing => (exposing ??= findExposing(entities, definitions, budget))
  let links: readonly CapLink[] | undefined
  let found: readonly CapAutoexposed[] | undefined
  return {
    links: () => (links ??= linksOf(entities, exposed(), members, budget)),
    autoexposed: () => (found ??= autoexposedOf(service, entities, exposed(), definitions, members, budget)),
  }
}

function findExposing(entities: readonly CapElement[], definitions: CapDefinitions, budget: StepCounter): Exposing {
  const exposing = new Map<string, CapElement[]>()
  for (const entity of entities) {
    for (const { name } of definitions.projected(entity.qualified)) {
      budget.step(1)
      const known = exposing.get(name)
      if (known === undefined) exposing.set(name, [entity])
      else known.push(entity)
    }
  }
  return exposing
}

function linksOf(entities: readonly CapElement[], exposing: Exposing, members: CapMembers, budget: StepCounter): CapLink[] {
  const byName = new Map(entities.map((entity) => [entity.qualified, entity]))
  const links: CapLink[] = []
  for (const from of entities) {
    for (const member of members.of(from.qualified).values()) {
      budget.step(1)
      if (member.target === undefined || isClosed(member)) continue
      const candidates = exposing.get(member.target) ?? []
      const to = byName.get(member.target) ?? redirectedTo(candidates)
      if (to !== undefined && to !== from)
        links.push({ from, to, element: member.name, composition: member.type === 'Composition' })
    }
  }
  return links
}

/** The entity that the compiler redirects an association to, if it can tell. Fact: capire, "CDL", auto-redirected associations, `@cds.redirection.target`. */
function redirectedTo(candidates: readonly CapElement[]): CapElement | undefined {
  const said = (wanted: boolean): CapElement[] =>
    candidates.filter(({ annotations }) => {
      const value = annotations.get('cds.redirection.target')?.value
      return value?.kind === 'boolean' && value.value === wanted
    })
  const [target, ...others] = candidates.length === 1 ? candidates : said(true)
  if (target !== undefined || candidates.length < 2) return others.length === 0 ? target : undefined
  const excluded = said(false)
  const left = candidates.filter((one) => !excluded.includes(one))
  return left.length === 1 ? left[0] : undefined
}

function autoexposedOf(
  service: string,
  entities: readonly CapElement[],
  exposing: Exposing,
  definitions: CapDefinitions,
  members: CapMembers,
  budget: StepCounter,
): CapAutoexposed[] {
  const found = new Map<string, CapAutoexposed>()
  const queue = entities.map((from) => ({ from, name: from.qualified, there: from.qualified, path: from.name }))
  for (let here = queue.shift(); here !== undefined; here = queue.shift()) {
    for (const member of members.of(here.name).values()) {
      budget.step(1)
      const { target, type } = member
      if (target === undefined || found.has(target) || exposing.has(target) || isClosed(member)) continue
      const composition = type === 'Composition'
      const definition = definitions.get(target)
      // a target right there goes by the entity that it belongs to
      const there = definition === undefined ? `${here.there}.${member.name}` : `${service}.${localName(definition)}`
      const annotations = new Map([...definitions.annotationsOf(target), ...definitions.annotationsOf(there)])
      budget.step(annotations.size)
      const isExplicit = annotations.get('cds.autoexpose')?.value
      const is = isExplicit?.kind === 'boolean' && isExplicit.value === true
      if (!composition && !is) continue
      const place =
        definition === undefined ? member.place : { file: definition.document.file, span: definition.definition.nameSpan }
      const path = `${here.path}/${member.name}`
      const inner = (): CapMember[] => [...members.added(target, there).values()]
      found.set(target, { name: target, place, annotations, members: inner, from: here.from, path, composition: !is })
      queue.push({ from: here.from, name: target, there, path })
    }
  }
  return [...found.values()]
}

/** How the compiler names an entity that it adds: by its own name without namespace and contexts. */
function localName({ name, definition }: CapDefinition): string {
  const { scope } = definition
  return scope !== '' && name.startsWith(`${scope}.`) ? name.slice(scope.length + 1) : name
}

/** Clients can't follow it. */
function isClosed({ annotations }: CapMember): boolean {
  return annotations.has('cds.api.ignore') || annotations.has('odata.navigable')
}

/** Clients cannot expand the associations of an entity. Fact: capire, "Serving OData APIs": `@Capabilities.ExpandRestrictions` is enforced. */
export function isExpandOff({ annotations }: Pick<CapElement, 'annotations'>): boolean {
  return [...annotations.keys()].some((name) => name.startsWith('Capabilities.ExpandRestrictions'))
}
