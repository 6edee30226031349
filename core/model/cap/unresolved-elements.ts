import type { StepCounter } from '../../budget.ts'
import type { CdsQuery, CdsReference } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import type { MemberStatements } from './member-annotations.ts'

/** What a definition may have beside its known elements, since something that it comes from is not in the project: anything (`true`), nothing (`false`), or
 *  elements of these names. */
export type UnresolvedElements = boolean | ReadonlySet<string>

/** Deeper chains of projections and includes are not followed. */
const MAX_DEPTH = 30

/** Aspects of `@sap/cds/common` (9.9.3, common.cds), which no project holds. */
const COMMON: ReadonlyMap<string, UnresolvedElements> = new Map([
  ['cuid', new Set(['ID'])],
  ['managed', new Set(['createdAt', 'createdBy', 'modifiedAt', 'modifiedBy'])],
  ['temporal', new Set(['validFrom', 'validTo'])],
  ['sap.common.CodeList', new Set(['name', 'descr'])],
])

type Statements = ReadonlyMap<string, MemberStatements>

/** Unresolved elements of definitions by their names. Facts: capire, "CDL" (includes, projections, extend). */
export function createUnresolvedReader(
  statements: Statements,
  definitions: CapDefinitions,
  budget: StepCounter,
): (name: string) => UnresolvedElements {
  const known = new Map<string, UnresolvedElements>()

  const of = (name: string, depth: number): UnresolvedElements => {
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const from = definitions.get(name)
    // circles end here
    known.set(name, true)
    if (from === undefined || depth > MAX_DEPTH || from.definition.type !== undefined) return true
    const { includes, query, elements } = from.definition
    budget.step(1 + includes.length + elements.length)
    let unresolved = joinUnresolved(includes.map((reference) => ofIncluded(reference, from, depth)))
    if (query !== undefined) unresolved = joinUnresolved([unresolved, ofQuery(query, from, depth)])
    for (const { type } of elements) {
      // a structure that is defined elsewhere
      const target =
        type?.kind === 'reference' && type.reference !== undefined ? definitions.resolve(from, type.reference) : undefined
      if (target !== undefined && target.definition.type === undefined && of(target.name, depth + 1) !== false) unresolved = true
    }
    for (const { extend, document } of statements.get(name)?.extensions ?? []) {
      const there = { name, document, definition: { ...from.definition, scope: extend.scope } }
      unresolved = joinUnresolved([unresolved, ...extend.includes.map((reference) => ofIncluded(reference, there, depth))])
    }
    known.set(name, unresolved)
    return unresolved
  }

  const ofIncluded = (reference: CdsReference, from: CapDefinition, depth: number): UnresolvedElements => {
    const base = definitions.resolve(from, reference)
    if (base === undefined) return commonUnresolved(from, reference.path)
    return base.name === from.name ? true : of(base.name, depth + 1)
  }

  const ofQuery = ({ kind, columns, sources }: CdsQuery, from: CapDefinition, depth: number): UnresolvedElements => {
    if (kind === 'set' || columns?.some(({ name }) => name === undefined) === true) return true
    if (columns?.every(({ name }) => name !== '*') === true) return false
    const [source, other] = sources
    if (source === undefined || other !== undefined || source.element !== undefined) return true
    const base = definitions.resolve(from, source)
    return base === undefined || base.name === from.name ? true : of(base.name, depth + 1)
  }

  return (name) => of(name, 0)
}

function joinUnresolved(parts: readonly UnresolvedElements[]): UnresolvedElements {
  const names = new Set<string>()
  for (const part of parts) {
    if (part === true) return true
    if (part !== false) for (const name of part) names.add(name)
  }
  return names.size === 0 ? false : names
}

/** Of an aspect that the file has from `@sap/cds/common`. */
function commonUnresolved({ definition, document }: CapDefinition, path: string): UnresolvedElements {
  const isUsed = document.document.usings.some(({ from }) => from?.startsWith('@sap/cds/common') === true)
  return (isUsed ? COMMON.get(document.names.resolve(path, definition.scope)) : undefined) ?? true
}
