import type { StepCounter } from '../../budget.ts'
import type { CdsQuery, CdsValue } from '../../parse/cds/types.ts'
import type { Place } from '../../types.ts'
import { declaredAccess, isTrue, namesNobody, privilegesOf, wordOf, wordsOf, type Privilege } from './access.ts'
import type { CapDefinitions } from './definitions.ts'
import type { CapMembers } from './members.ts'
import { tablesReadBy } from './read-tables.ts'
import type { CapAccess, CapElement, CapService } from './types.ts'

/** What each service exposes, by the service's name: entities, unbound and bound actions and functions, wherever they are defined. */
export function findElements(
  services: readonly CapService[],
  definitions: CapDefinitions,
  members: CapMembers,
  budget: StepCounter,
  runtime: 'node' | 'java',
): ReadonlyMap<string, readonly CapElement[]> {
  const found = new Map<string, CapElement[]>()
  for (const { name } of services) found.set(name, [])
  for (const [name, { definition, document }] of definitions.all) {
    const { kind } = definition
    if (kind !== 'entity' && kind !== 'action' && kind !== 'function') continue
    budget.step(1)
    const service = serviceAround(name, found)
    const elements = service === undefined ? undefined : found.get(service)
    if (service === undefined || elements === undefined) continue
    const annotations = definitions.annotationsOf(name)
    const short = name.slice(service.length + 1)
    const onlyActions = kind === 'entity' && runtime === 'node' && grantsActionsOnly(annotations)
    const inherited = elementAccess(annotations, { file: document.file, span: definition.nameSpan })
    const access = onlyActions ? undefined : inherited
    elements.push({
      name: short,
      qualified: name,
      kind,
      place: { file: document.file, span: definition.nameSpan },
      annotations,
      ...(access !== undefined && { access }),
      writable: kind === 'action' || (kind === 'entity' && isWritable(annotations)),
      ...(kind === 'entity' && {
        source: sourceOf(name, definitions),
        rowsOf: rowsOf(name, definitions),
        tables: () => tablesReadBy(name, definitions, budget),
      }),
      ...(definition.query !== undefined && { query: definition.query }),
      members: () => (kind === 'entity' ? [...members.of(name).values()] : []),
    })
    if (kind !== 'entity') continue
    for (const { action, file, annotations: said } of definitions.actionsOf(name)) {
      // a bound action without words of its own needs a privilege of its entity
      const own = elementAccess(said, { file, span: action.nameSpan }) ?? inherited
      elements.push({
        name: `${short}.${action.name}`,
        qualified: `${name}/${action.name}`,
        kind: action.kind,
        entity: short,
        place: { file, span: action.nameSpan },
        annotations: said,
        ...(own !== undefined && { access: own }),
        writable: action.kind === 'action',
        members: () => [],
      })
    }
  }
  if (runtime === 'node') for (const [name, elements] of found) found.set(name, withParents(elements, definitions, budget))
  return found
}

/** The entity that one stands for at last, or its own name: what several projections of the same rows have in common. */
export function sourceNameOf({ source, qualified }: Pick<CapElement, 'source' | 'qualified'>): string {
  return source?.name ?? qualified
}

function sourceOf(name: string, definitions: CapDefinitions): CapElement['source'] {
  const found = definitions.projected(name).at(-1)
  return found && { name: found.name, place: { file: found.document.file, span: found.definition.nameSpan } }
}

/** The names of a chain of projections up to the first that joins, filters or merges rows. */
function rowsOf(name: string, definitions: CapDefinitions): readonly string[] {
  const chain = definitions.projected(name)
  const narrowing = chain.findIndex(({ definition: { query } }) => query !== undefined && !keepsRows(query))
  return chain.slice(0, narrowing < 0 ? chain.length : narrowing + 1).map((one) => one.name)
}

function keepsRows({ kind, sources, parts, where, isNarrowed }: CdsQuery): boolean {
  return kind !== 'set' && sources.length === 1 && parts.length === 0 && where === undefined && isNarrowed !== true
}

/**
 * What is composed of an aspect or of elements on the spot, and says nothing itself, has the restrictions of the entity around it.
 * Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/index.js (`_auth_depends_on`).
 */
function withParents(elements: readonly CapElement[], definitions: CapDefinitions, budget: StepCounter): CapElement[] {
  let around: Map<string, CapAccess> | undefined
  return elements.map((element) => {
    const parent = element.kind === 'entity' && element.access === undefined ? parentOf(element, definitions) : undefined
    if (parent === undefined) return element
    around ??= restrictionsBelow(elements, definitions, budget)
    const access = around.get(parent)
    return access === undefined ? element : { ...element, access }
  })
}

/** Access of a service's entities by the names of all that they project on. */
function restrictionsBelow(
  elements: readonly CapElement[],
  definitions: CapDefinitions,
  budget: StepCounter,
): Map<string, CapAccess> {
  const around = new Map<string, CapAccess>()
  for (const { kind, qualified, access } of elements) {
    if (kind !== 'entity' || access === undefined) continue
    const chain = definitions.projected(qualified)
    budget.step(chain.length)
    for (const { name } of chain) if (!around.has(name)) around.set(name, access)
  }
  return around
}

/** Of `entity Items as projection on db.Orders.items`: `db.Orders`. */
function parentOf({ qualified }: CapElement, definitions: CapDefinitions): string | undefined {
  const last = definitions.projected(qualified).at(-1)
  const source = last?.definition.query?.sources[0]
  if (last === undefined || source === undefined || source.element !== undefined) return undefined
  const name = last.document.names.resolve(source.path, last.definition.scope)
  const dot = name.lastIndexOf('.')
  const owner = dot === -1 ? undefined : definitions.get(name.slice(0, dot))
  const type = owner?.definition.elements.find((element) => element.name === name.slice(dot + 1))?.type
  if (owner === undefined || type?.kind !== 'composition') return undefined
  const target = type.reference === undefined ? undefined : definitions.resolve(owner, type.reference)
  return type.elements.length > 0 || target?.definition.kind === 'aspect' ? owner.name : undefined
}

function serviceAround(name: string, services: ReadonlyMap<string, unknown>): string | undefined {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    if (services.has(name.slice(0, dot))) return name.slice(0, dot)
  }
  return undefined
}

type Annotations = CapElement['annotations']

/** An empty list on an element lets nobody in, nor does one of empty roles (@sap/cds 9.9.3, generic/auth); on a service an empty list says nothing. */
function elementAccess(annotations: Annotations, place: Place): CapAccess | undefined {
  const [requires, restrict] = [annotations.get('requires')?.value, annotations.get('restrict')?.value]
  const isEmpty = [requires, restrict].some((value) => value?.kind === 'array' && value.items.length === 0)
  const privileges = privilegesOf(restrict)
  const isForNobody =
    privileges.length > 0 &&
    privileges.every(({ record }) => isEmptyList(record.members.findLast(({ key }) => key === 'to')?.value))
  if (isEmpty || isForNobody || namesNobody(requires)) return { kind: 'none', roles: [], place }
  return declaredAccess(annotations)
}

function isEmptyList(value: CdsValue | undefined): boolean {
  return value?.kind === 'array' && value.items.every((item) => wordOf(item) === '')
}

const CRUD: ReadonlySet<string> = new Set(['*', 'WRITE', 'READ', 'CREATE', 'NEW', 'UPDATE', 'PATCH', 'DELETE', 'CANCEL', 'EDIT'])

/** Where no privilege is for reading or writing, both are free (@sap/cds 9.9.3, generic/auth/restrictions.js, "only bounds are restricted"). */
export function grantsActionsOnly(annotations: Annotations): boolean {
  if (wordsOf(annotations.get('requires')?.value).length > 0) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  return privileges.length > 0 && privileges.every(({ grants }) => grants.length > 0 && !grants.some((grant) => CRUD.has(grant)))
}

const UNCHANGEABLE = [
  ['InsertRestrictions.Insertable', 'Insertable'],
  ['UpdateRestrictions.Updatable', 'Updatable'],
  ['DeleteRestrictions.Deletable', 'Deletable'],
]

/** Facts: capire, "Input Validation" (`@readonly`, `@Capabilities`): both are enforced by the generic handlers. */
function isWritable(annotations: Annotations): boolean {
  if (isTrue(annotations.get('readonly')?.value)) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  if (privileges.length > 0 && privileges.every(({ grants }) => grants.length > 0 && grants.every((grant) => grant === 'READ')))
    return false
  return !UNCHANGEABLE.every((names) => names.some((name) => isFalse(annotations.get(`Capabilities.${name}`)?.value)))
}

function isFalse(value: CdsValue | undefined): boolean {
  return value?.kind === 'boolean' && value.value === false
}

/** Who may read a service's entity, and with which privileges: undefined: whoever may call the service. */
export function readersOf({ annotations }: CapElement): { roles: readonly string[]; filtered: boolean } | undefined {
  const required = wordsOf(annotations.get('requires')?.value)
  if (required.length > 0) return { roles: required, filtered: false }
  const reading = privilegesOf(annotations.get('restrict')?.value).filter(mayRead)
  if (reading.length === 0) return undefined
  return {
    roles: [...new Set(reading.flatMap(({ to }) => to ?? ['any']))],
    filtered: reading.every(({ where }) => where !== undefined),
  }
}

function mayRead({ grants }: Privilege): boolean {
  return grants.length === 0 || grants.some((grant) => grant === '*' || grant === 'READ')
}
