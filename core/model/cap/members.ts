import type { StepCounter } from '../../budget.ts'
import type { CdsMember, CdsReference, CdsType } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import { toAnnotation } from './documents.ts'
import { joinSteps, overlay, type MemberStatements } from './member-annotations.ts'
import { projectColumns, projectMembers } from './projections.ts'
import type { CapAnnotation, CapMember, MemberMap } from './types.ts'
import { lastName } from '../../paths.ts'

/** Elements of definitions, as includes, projections, extensions and annotations make them. */
export interface CapMembers {
  /** By their names there; of inline targets of compositions too (`Orders.items`). Empty: nothing is known. */
  of(name: string): MemberMap
  /** Of what the compiler adds to a service as `there`, with what is said about it there. */
  added(name: string, there: string): MemberMap
}

/** Longer chains of projections, includes and types are not followed; nobody writes such, and each member of one would be a member of all. */
const MAX_DEPTH = 30
/** Structures in structures; HANA's tables have 1,000 columns. */
const MAX_MEMBERS = 2000

/** Facts: capire, "CDL" (types, includes, projections, annotation propagation); @sap/cds-compiler 6.9.5 as oracle in the tests. */
export function createMembers(
  statements: ReadonlyMap<string, MemberStatements>,
  definitions: CapDefinitions,
  budget: StepCounter,
): CapMembers {
  const known = new Map<string, MemberMap>()
  const unknown: Resolved = { annotations: new Map<string, CapAnnotation>(), nested: new Map(), elements: [], isEnum: false }
  /** Where the elements of an inline target stand. */
  const inline = new Map<string, { elements: readonly CdsMember[]; from: CapDefinition }>()

  /** How many definitions stand on each other below each one, and below those that are being read. */
  const heights = new Map<string, number>()
  const reading: { height: number }[] = []

  const of = (name: string, depth: number): MemberMap => {
    const cached = known.get(name) ?? read(name, depth)
    const above = reading.at(-1)
    const height = (heights.get(name) ?? 0) + 1
    if (above === undefined) return cached
    if (height > MAX_DEPTH) return unknown.nested
    above.height = Math.max(above.height, height)
    return cached
  }

  const read = (name: string, depth: number): MemberMap => {
    const own = { height: 0 }
    reading.push(own)
    try {
      return collect(name, depth)
    } finally {
      reading.pop()
      heights.set(name, own.height)
    }
  }

  const collect = (name: string, depth: number): MemberMap => {
    const from = definitions.get(name)
    const found = new Map<string, CapMember>()
    // circles end here: a name that is being asked for has what was read so far
    known.set(name, found)
    if (depth > MAX_DEPTH) return found
    if (from === undefined) {
      const target = inline.get(name)
      if (target !== undefined) for (const element of target.elements) declare(found, element, target.from, depth, name)
    } else {
      include(found, from.definition.includes, from, depth)
      const sources = { of: (inner: string) => of(inner, depth + 1), definitions, from, budget }
      if (from.definition.query !== undefined) projectMembers(found, from.definition.query, sources)
      for (const element of from.definition.elements) declare(found, element, from, depth, name)
    }
    for (const { extend, document } of statements.get(name)?.extensions ?? []) {
      if (from === undefined) continue
      const there = { name, document, definition: { ...from.definition, scope: extend.scope } }
      include(found, extend.includes, there, depth)
      for (const element of extend.elements) if (!element.extension) declare(found, element, there, depth, name)
      const sources = { of: (inner: string) => of(inner, depth + 1), definitions, from, budget }
      if (from.definition.query !== undefined)
        projectColumns(found, extend.columns, from.definition.query, sources, document.file)
    }
    annotate(found, name)
    budget.step(1 + found.size)
    return found
  }

  const annotate = (members: Map<string, CapMember>, name: string): void => {
    for (const [path, annotations] of statements.get(name)?.annotations ?? []) {
      budget.step(1 + annotations.length)
      const member = members.get(path)
      if (member !== undefined) members.set(path, { ...member, annotations: overlay(member.annotations, annotations) })
    }
  }

  const include = (into: Map<string, CapMember>, includes: readonly CdsReference[], from: CapDefinition, depth: number): void => {
    for (const reference of includes) {
      const base = definitions.resolve(from, reference)
      if (base === undefined || base.name === from.name) continue
      for (const [name, member] of of(base.name, depth + 1)) {
        budget.step(1)
        into.set(name, member)
      }
    }
  }

  /** Adds an element, and the elements of its structure. */
  const declare = (
    into: Map<string, CapMember>,
    element: CdsMember,
    from: CapDefinition,
    depth: number,
    owner: string,
    path?: string,
  ): void => {
    if (into.size >= MAX_MEMBERS) return
    budget.step(1 + element.annotations.length)
    const name = joinSteps(path, element.name)
    const { file } = from.document
    const { annotations, nested, elements, ...type } = typeOf(element.type, from, depth)
    into.set(name, {
      name,
      owner,
      place: { file, span: element.nameSpan },
      annotations: overlay(
        annotations,
        element.annotations.map((annotation) => toAnnotation(file, annotation)),
      ),
      toMany: element.type?.toMany ?? false,
      key: element.key,
      ...(element.notNull && element.default === undefined && { isNotNull: true }),
      virtual: element.virtual,
      calculated: element.value !== undefined,
      ...type,
    })
    if (element.type?.kind === 'composition' && elements.length > 0) {
      const target = `${owner}.${name}`
      if (!inline.has(target)) inline.set(target, { elements, from })
      const member = into.get(name)
      if (member !== undefined) into.set(name, { ...member, target })
    } else for (const inner of elements) declare(into, inner, from, depth + 1, owner, name)
    for (const [inner, member] of nested) {
      if (into.size >= MAX_MEMBERS) return
      budget.step(1)
      into.set(`${name}.${inner}`, { ...member, name: `${name}.${inner}` })
    }
  }

  /** What a type comes down to. */
  const typeOf = (type: CdsType | undefined, from: CapDefinition, depth: number): Resolved => {
    if (type === undefined || depth > MAX_DEPTH) return unknown
    budget.step(1)
    const isEnum = type.enum.length > 0
    const listed = symbolsOf(type)
    if (type.kind === 'many' || type.kind === 'query') return { ...unknown, type: 'many' }
    if (type.kind === 'struct') return { ...unknown, type: 'struct', elements: type.elements }
    const { reference } = type
    if (type.kind !== 'reference') {
      const target = reference === undefined ? undefined : definitions.resolve(from, reference)?.name
      const named = target === undefined ? {} : { target }
      return { ...unknown, type: type.kind === 'association' ? 'Association' : 'Composition', elements: type.elements, ...named }
    }
    if (reference === undefined) return unknown
    const definition = definitions.resolve(from, reference)
    if (reference.element !== undefined) {
      const member = definition === undefined ? undefined : of(definition.name, depth + 1).get(reference.element)
      if (member === undefined) return unknown
      const { annotations, type: known, target, length, symbols } = member
      const parts = {
        ...(known !== undefined && { type: known }),
        ...(target !== undefined && { target }),
        ...(length !== undefined && { length }),
        ...(symbols !== undefined && { symbols }),
      }
      return { ...unknown, annotations, isEnum: isEnum || member.isEnum, ...parts, ...listed }
    }
    const sized = type.length === undefined ? {} : { length: type.length }
    if (definition === undefined || definition.name === from.name)
      return { ...unknown, isEnum, type: lastName(reference.path), ...sized, ...listed }
    const said = definitions.annotationsOf(definition.name)
    const { type: inner, elements, includes } = definition.definition
    if (inner === undefined) {
      const isStruct = elements.length + includes.length > 0
      return { ...unknown, annotations: said, ...(isStruct && { type: 'struct', nested: of(definition.name, depth + 1) }) }
    }
    const below = typeOf(inner, definition, depth + 1)
    const annotations = overlay(
      below.annotations,
      [...said].map(([name, annotation]) => ({ name, ...annotation })),
    )
    return { ...below, annotations, isEnum: isEnum || inner.enum.length > 0 || below.isEnum, ...symbolsOf(inner), ...listed }
  }

  return {
    of: (name) => of(name, 0),
    added(name, there) {
      const members = of(name, 0)
      if (!statements.has(there)) return members
      const copy = new Map(members)
      budget.step(copy.size)
      annotate(copy, there)
      return copy
    },
  }
}

interface Resolved extends Pick<CapMember, 'type' | 'target' | 'length' | 'isEnum' | 'symbols'> {
  readonly annotations: ReadonlyMap<string, CapAnnotation>
  /** Of a structure that is defined elsewhere. */
  readonly nested: MemberMap
  /** Of one that stands right there. */
  readonly elements: readonly CdsMember[]
}

function symbolsOf({ enum: symbols }: CdsType): Pick<CapMember, 'symbols'> {
  return symbols.length === 0 ? {} : { symbols: symbols.map(({ name }) => name) }
}
