import type { StepCounter } from '../../budget.ts'
import type { CdsColumn, CdsExpression, CdsQuery } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import { toAnnotation } from './documents.ts'
import { overlay } from './member-annotations.ts'
import type { CapMember, MemberMap } from './types.ts'
import { lastName } from '../../paths.ts'

/** What a query is read with. */
export interface ProjectionSources {
  /** Elements of a definition. */
  of(name: string): MemberMap
  readonly definitions: CapDefinitions
  readonly from: CapDefinition
  readonly budget: StepCounter
}

interface Source {
  readonly alias: string
  readonly members: MemberMap
}

/** Adds what a query lets through of the entities that it reads. What joins or unions give is nobody's to write. */
export function projectMembers(into: Map<string, CapMember>, query: CdsQuery, context: ProjectionSources): void {
  const [first] = query.parts
  if (query.kind === 'set') {
    if (first === undefined) return
    const members = new Map<string, CapMember>()
    projectMembers(members, first, context)
    for (const [name, member] of members) into.set(name, { ...member, calculated: true })
    return
  }
  const { columns, excluding } = query
  const sources = sourcesOf(query, context)
  const out = new Set(excluding.map(({ name }) => name))
  if (columns === undefined || columns.some(({ name }) => name === '*')) {
    for (const { members } of sources) {
      for (const [name, member] of members) {
        context.budget.step(1)
        if (!out.has(firstStep(name))) into.set(name, sources.length > 1 ? { ...member, calculated: true } : member)
      }
    }
  }
  projectColumns(into, columns ?? [], query, context, context.from.document.file)
}

/** Adds single columns, those of an `extend projection` too. */
export function projectColumns(
  into: Map<string, CapMember>,
  columns: readonly CdsColumn[],
  query: CdsQuery,
  context: ProjectionSources,
  file: string,
): void {
  const sources = sourcesOf(query, context)
  for (const column of columns) {
    const { name, expression, annotations, key, type } = column
    context.budget.step(1 + annotations.length)
    if (name === undefined || name === '*') continue
    const path = pathOf(expression)
    const found = path === undefined ? undefined : findMember(path, sources, context)
    const target = type?.kind === 'association' ? type.reference : undefined
    const redirected = target === undefined ? undefined : context.definitions.resolve(context.from, target)
    const said = annotations.map((annotation) => toAnnotation(file, annotation))
    const base = found?.member ?? unknownMember(column, path, context.from.name, file)
    const member: CapMember = {
      ...base,
      name,
      annotations: overlay(base.annotations, said),
      key: key || (base.key && !(found?.isFar ?? false)),
      calculated: base.calculated || sources.length > 1 || found?.isFar === true,
      ...(redirected !== undefined && { target: redirected.name }),
    }
    into.set(name, member)
    if (found === undefined || found.isFar || member.type !== 'struct') continue
    for (const [inner, part] of found.members) {
      context.budget.step(1)
      if (inner.startsWith(`${base.name}.`)) {
        const renamed = name + inner.slice(base.name.length)
        into.set(renamed, { ...part, name: renamed })
      }
    }
  }
}

function sourcesOf(query: CdsQuery, { of, definitions, from }: ProjectionSources): Source[] {
  return query.sources.flatMap((source) => {
    // what is reached by a path (`from Books:author`) is left out
    const base = source.element === undefined ? definitions.resolve(from, source) : undefined
    if (base === undefined || base.name === from.name) return []
    return [{ alias: source.alias ?? lastName(source.path), members: of(base.name) }]
  })
}

/** The path that an expression is; undefined where it is more than that. */
function pathOf(expression: CdsExpression | undefined): string | undefined {
  const [path, other] = expression?.paths ?? []
  if (expression === undefined || path === undefined || other !== undefined || expression.queries.length > 0) return undefined
  return path.start === expression.start && path.end === expression.end ? path.name : undefined
}

interface Found {
  readonly member: CapMember
  readonly members: MemberMap
  /** It belongs to another entity, which an association leads to. */
  readonly isFar: boolean
}

function findMember(path: string, sources: readonly Source[], context: ProjectionSources): Found | undefined {
  for (const { alias, members } of sources) {
    const found = walk(path, members, context)
    if (found !== undefined) return found
    if (firstStep(path) !== alias || alias === path) continue
    const inner = walk(path.slice(alias.length + 1), members, context)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Follows associations as long as there are steps. */
function walk(path: string, start: MemberMap, { of, budget }: ProjectionSources): Found | undefined {
  let members = start
  let rest = path
  for (let isFar = false; ; isFar = true) {
    budget.step(1)
    const member = members.get(rest)
    if (member !== undefined) return { member, members, isFar }
    const step = firstStep(rest)
    const target = members.get(step)?.target
    if (step === rest || target === undefined) return undefined
    members = of(target)
    rest = rest.slice(step.length + 1)
  }
}

function firstStep(path: string): string {
  const dot = path.indexOf('.')
  return dot === -1 ? path : path.slice(0, dot)
}

/** A column of an entity that the project does not define, or an expression. */
function unknownMember(
  { nameSpan, start, end, type }: CdsColumn,
  path: string | undefined,
  owner: string,
  file: string,
): CapMember {
  const reference = type?.kind === 'reference' ? type.reference?.path : undefined
  return {
    name: '',
    owner,
    place: { file, span: nameSpan ?? { start, end } },
    annotations: new Map(),
    ...(reference !== undefined && { type: lastName(reference) }),
    isEnum: false,
    toMany: false,
    key: false,
    virtual: false,
    calculated: path === undefined,
  }
}
