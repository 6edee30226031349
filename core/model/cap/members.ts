import type { Budget } from '../../budget.ts'
import type { CdsColumn, CdsExtend, CdsMember, CdsQuery, CdsType, CdsValue } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import type { CapDocument } from './documents.ts'

/** An element of an entity by its name there. */
export interface CapMember {
  /** Undefined: a query computes it, or it is of an aspect that is not in the project. */
  readonly member?: CdsMember
  /** Where the names in `member` are looked up. */
  readonly owner: CapDefinition
  /** Its own, those of what it comes from, and those of every `annotate`. */
  readonly annotations: ReadonlyMap<string, CdsValue>
}

export interface CapMembers {
  readonly byName: ReadonlyMap<string, CapMember>
  /** False: there may be more, of something that is not in the project or that is not followed. */
  readonly isWhole: boolean
}

/** Deeper chains of projections and includes are not followed. */
const MAX_DEPTH = 20

/** Aspects of `@sap/cds/common` (9.9.3, common.cds). */
const COMMON: ReadonlyMap<string, readonly string[]> = new Map([
  ['cuid', ['ID']],
  ['managed', ['createdAt', 'createdBy', 'modifiedAt', 'modifiedBy']],
  ['temporal', ['validFrom', 'validTo']],
  ['sap.common.CodeList', ['name', 'descr']],
])

/**
 * The elements of a definition: its own, those that it includes, those that its projection lets through, and those that an `extend` adds.
 * Facts: capire, "CDL" (includes, projections, extend, annotation propagation).
 */
export function createMembers(
  documents: readonly CapDocument[],
  definitions: CapDefinitions,
  budget: Budget,
): (name: string) => CapMembers {
  const known = new Map<string, CapMembers>()
  const { extensions, annotations } = collectDirectives(documents, budget)

  const of = (name: string, depth = 0): CapMembers => {
    const cached = known.get(name)
    if (cached !== undefined) return cached
    // circles end here
    known.set(name, NOTHING)
    const from = definitions.get(name)
    if (from === undefined || depth > MAX_DEPTH) return NOTHING
    const found = new Map<string, CapMember>()
    let isWhole = from.definition.type === undefined
    const { includes, query, elements } = from.definition
    budget.step(1 + elements.length)
    const include = (owner: CapDefinition, references: typeof includes): void => {
      for (const reference of references) {
        const base = definitions.resolve(owner, reference)
        const common = base === undefined ? commonOf(owner, reference.path) : undefined
        for (const element of common ?? []) found.set(element, { owner, annotations: new Map() })
        if (base === undefined || base.name === name) isWhole &&= common !== undefined
        else isWhole = addAll(found, of(base.name, depth + 1)) && isWhole
      }
    }
    include(from, includes)
    const [source, other] = query?.sources ?? []
    if (query !== undefined) {
      const isPlain = query.kind !== 'set' && source !== undefined && other === undefined && source.element === undefined
      const base = isPlain ? definitions.resolve(from, source) : undefined
      const read = base === undefined || base.name === name ? NOTHING : of(base.name, depth + 1)
      isWhole = project(query, read, from, found) && isWhole
    }
    for (const member of elements) found.set(member.name, toMember(member, from))
    for (const { extend, document } of extensions.get(name) ?? []) {
      const owner = { ...from, document }
      include(owner, extend.includes)
      for (const member of extend.elements) if (!member.extension) found.set(member.name, toMember(member, owner))
      for (const column of extend.columns)
        if (column.name !== undefined) found.set(column.name, { owner, annotations: new Map() })
    }
    for (const [element, said] of annotations.get(name) ?? []) {
      const member = found.get(element)
      if (member !== undefined) found.set(element, { ...member, annotations: new Map([...member.annotations, ...said]) })
    }
    budget.step(found.size)
    const members = { byName: found, isWhole }
    known.set(name, members)
    return members
  }
  return (name) => of(name)
}

const NOTHING: CapMembers = { byName: new Map(), isWhole: false }

function toMember(member: CdsMember, owner: CapDefinition): CapMember {
  return { member, owner, annotations: new Map(member.annotations.map(({ name, value }) => [name, value])) }
}

function addAll(found: Map<string, CapMember>, { byName, isWhole }: CapMembers): boolean {
  for (const [name, member] of byName) found.set(name, member)
  return isWhole
}

/** Elements of an aspect that the file has from `@sap/cds/common`. */
function commonOf({ definition, document }: CapDefinition, path: string): readonly string[] | undefined {
  const name = document.names.resolve(path, definition.scope)
  const isUsed = document.document.usings.some(({ from }) => from?.startsWith('@sap/cds/common') === true)
  return isUsed ? COMMON.get(name) : undefined
}

/** Adds what a query lets through; false: there may be more. */
function project(query: CdsQuery, base: CapMembers, from: CapDefinition, found: Map<string, CapMember>): boolean {
  const { columns, excluding, mixins, sources } = query
  const out = new Set(excluding.map(({ name }) => name))
  const isAll = columns === undefined || columns.some(({ name }) => name === '*')
  if (isAll) for (const [name, it] of base.byName) if (!out.has(name)) found.set(name, it)
  const prefixes = new Set(sources.flatMap(({ alias, path }) => [alias ?? '', path.slice(path.lastIndexOf('.') + 1)]))
  const own = new Map(mixins.map((member) => [member.name, toMember(member, from)]))
  for (const column of columns ?? []) {
    if (column.name === undefined || column.name === '*') continue
    const path = pathOf(column, prefixes)
    const it = base.byName.get(path) ?? own.get(path)
    found.set(column.name, toColumn(column, it, from))
  }
  return (base.isWhole || !isAll) && query.kind !== 'set' && (columns ?? []).every(({ name }) => name !== undefined)
}

/** What a column reads, without the name of its source in front. */
function pathOf({ expression, name = '' }: CdsColumn, prefixes: ReadonlySet<string>): string {
  const path = expression?.text.trim() ?? name
  const dot = path.indexOf('.')
  return dot !== -1 && prefixes.has(path.slice(0, dot)) ? path.slice(dot + 1) : path
}

function toColumn(column: CdsColumn, it: CapMember | undefined, from: CapDefinition): CapMember {
  const annotations = new Map(it?.annotations)
  for (const { name, value } of column.annotations) annotations.set(name, value)
  const { type } = column
  // `redirected to` names a target of its own
  if (it?.member !== undefined && type?.kind === 'association')
    return { member: { ...it.member, type }, owner: from, annotations }
  return { ...(it?.member !== undefined && { member: it.member }), owner: it?.owner ?? from, annotations }
}

interface Directives {
  readonly extensions: ReadonlyMap<string, readonly { readonly extend: CdsExtend; readonly document: CapDocument }[]>
  /** By definition, then by element, then by name. */
  readonly annotations: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, CdsValue>>>
}

function collectDirectives(documents: readonly CapDocument[], budget: Budget): Directives {
  const extensions = new Map<string, { extend: CdsExtend; document: CapDocument }[]>()
  const annotations = new Map<string, Map<string, Map<string, CdsValue>>>()
  for (const document of documents) {
    for (const extend of document.document.extends) {
      budget.step(1)
      if (extend.target.element !== undefined) continue
      const name = document.names.resolve(extend.target.path, extend.scope)
      const known = extensions.get(name)
      if (known === undefined) extensions.set(name, [{ extend, document }])
      else known.push({ extend, document })
    }
    for (const { target, scope, elements } of document.document.annotates) {
      budget.step(1 + elements.length)
      if (target.element !== undefined || elements.length === 0) continue
      const name = document.names.resolve(target.path, scope)
      const known = annotations.get(name) ?? new Map<string, Map<string, CdsValue>>()
      annotations.set(name, known)
      for (const element of elements) {
        const said = known.get(element.name) ?? new Map<string, CdsValue>()
        known.set(element.name, said)
        for (const annotation of element.annotations) said.set(annotation.name, annotation.value)
      }
    }
  }
  return { extensions, annotations }
}

/** Elements of a structured type where it stands. */
export function structMembers(type: CdsType, owner: CapDefinition): CapMembers {
  return { byName: new Map(type.elements.map((member) => [member.name, toMember(member, owner)])), isWhole: true }
}
