import { createNames, type CdsNames } from '../../../core/model/cap/names.ts'
import type {
  CdsAction,
  CdsAnnotated,
  CdsAnnotation,
  CdsColumn,
  CdsDocument,
  CdsEnumSymbol,
  CdsExpression,
  CdsMember,
  CdsQuery,
  CdsType,
  CdsValue,
} from '../../../core/parse/cds/types.ts'

/** What the compiler and our parser have to agree on, as plain data: names, kinds, members, annotations, sources, paths of conditions. */
export type Outline = Record<string, unknown>

export function outlineOf(document: CdsDocument): Outline {
  const names = createNames(document)
  const outline: Outline = {}
  const addDefinition = (name: string, definition: CdsDocument['definitions'][number]): void => {
    if (definition.kind === 'annotation') return
    const reach = reachOf(definition.type)
    outline[`definition ${name}`] = prune({
      kind: definition.kind,
      ...annotationsOf(definition.annotations),
      includes: definition.includes.map(({ path }) => names.resolve(path, definition.scope)),
      elements: membersOf([...definition.elements, ...reach.elements]),
      enum: symbolsOf(reach.enum),
      params: membersOf(definition.params),
      actions: actionsOf(definition.actions),
      returns: returnsOf(definition.returns),
      ...(definition.query === undefined ? {} : { query: queryOf(definition.query, names, definition.scope) }),
    })
  }
  for (const definition of document.definitions) addDefinition(definition.name, definition)
  const extensions: string[] = []
  for (const { target, scope, ...annotate } of document.annotates) {
    const name = names.resolve(target.path, scope)
    extensions.push(JSON.stringify({ annotate: name, ...inside(target.element, annotatedOf(annotate)) }))
  }
  for (const { target, scope, definitions, ...extend } of document.extends) {
    const name = names.resolve(target.path, scope)
    for (const definition of definitions) addDefinition(`${name}.${definition.name}`, definition)
    const parts = prune({
      ...annotationsOf(extend.annotations),
      elements: membersOf(extend.elements),
      enum: symbolsOf(extend.enum),
      actions: actionsOf(extend.actions),
    })
    const own = prune({
      includes: extend.includes.map(({ path }) => names.resolve(path, scope)),
      columns: columnsOf(extend.columns),
    })
    extensions.push(JSON.stringify({ extend: name, ...inside(target.element, parts), ...own }))
  }
  outline['extensions'] = extensions.sort()
  outline['requires'] = [...new Set(document.usings.flatMap(({ from }) => from ?? []))].sort()
  return outline
}

export function prune(record: Outline): Outline {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0),
    ),
  )
}

/** `annotate A:b.c` is the compiler's `{ elements: { b: { elements: { c } } } }`. */
function inside(element: string | undefined, parts: Outline): Outline {
  if (element === undefined) return parts
  return element.split('.').reduceRight<Outline>((inner, step) => ({ elements: { [step]: inner } }), parts)
}

function annotationsOf(annotations: readonly CdsAnnotation[]): Outline {
  return sortKeys(Object.fromEntries(annotations.map(({ name, value }) => [`@${name}`, valueOf(value)])))
}

export function sortKeys(record: Outline): Outline {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function valueOf(value: CdsValue): unknown {
  switch (value.kind) {
    case 'array':
      return value.items.map(valueOf)
    case 'object':
      return Object.fromEntries(value.members.map(({ key, value }) => [key, valueOf(value)]))
    case 'symbol':
      return { '#': value.text }
    case 'path':
      return { '=': value.text }
    case 'expression':
      return { '=': value.expression.paths.map(({ name }) => name).sort() }
    case 'rest':
      return { '...': true }
    default:
      return value.value
  }
}

/** The type below `many`, and what it holds. */
function reachOf(type: CdsType | undefined): { elements: readonly CdsMember[]; enum: readonly CdsEnumSymbol[] } {
  let here = type
  while (here?.items !== undefined) here = here.items
  return { elements: here?.elements ?? [], enum: here?.enum ?? [] }
}

function memberOf(member: CdsMember): Outline {
  const reach = reachOf(member.type)
  return prune({
    ...annotationsOf(member.annotations),
    ...(member.key ? { key: true } : {}),
    elements: membersOf(reach.elements),
    enum: symbolsOf(reach.enum),
    on: member.type?.on === undefined ? undefined : pathsOf(member.type.on),
    value: member.value === undefined ? undefined : pathsOf(member.value),
  })
}

function membersOf(members: readonly CdsMember[]): Outline {
  return Object.fromEntries(members.map((member) => [member.name, memberOf(member)]))
}

function symbolsOf(symbols: readonly CdsEnumSymbol[]): Outline {
  return Object.fromEntries(symbols.map(({ name, annotations }) => [name, annotationsOf(annotations)]))
}

function actionsOf(actions: readonly CdsAction[]): Outline {
  return Object.fromEntries(
    actions.map(({ name, kind, annotations, params, returns }) => [
      name,
      prune({ kind, ...annotationsOf(annotations), params: membersOf(params), returns: returnsOf(returns) }),
    ]),
  )
}

function returnsOf(type: CdsType | undefined): Outline | undefined {
  if (type === undefined) return undefined
  return prune({ ...annotationsOf(type.annotations), elements: membersOf(reachOf(type).elements) })
}

function pathsOf({ paths }: CdsExpression): string[] {
  return paths.map(({ name }) => name).sort()
}

function columnsOf(columns: readonly CdsColumn[] | undefined): unknown {
  return columns?.map((column) =>
    column.name === '*'
      ? '*'
      : prune({
          name: column.name,
          ...annotationsOf(column.annotations),
          ...(column.key ? { key: true } : {}),
          columns: columnsOf(column.columns),
        }),
  )
}

/** How set operations bind is of no interest. */
export function flat(query: Outline): unknown[] {
  return Array.isArray(query['set']) ? query['set'] : [query]
}

function queryOf(query: CdsQuery, names: CdsNames, scope: string): Outline {
  if (query.kind === 'set') return { set: query.parts.flatMap((part) => flat(queryOf(part, names, scope))) }
  return prune({
    sources: query.sources
      .map(({ path, element }) => [names.resolve(path, scope), ...(element?.split('.') ?? [])].join('/'))
      .sort(),
    columns: columnsOf(query.columns),
    excluding: query.excluding.map(({ name }) => name),
    mixins: membersOf(query.mixins),
    where: query.where === undefined ? undefined : pathsOf(query.where),
  })
}

function annotatedOf(annotated: CdsAnnotated): Outline {
  const members = (list: CdsAnnotated['elements']): Outline =>
    Object.fromEntries(list.map((member) => [member.name, annotatedOf(member)]))
  return prune({
    ...annotationsOf(annotated.annotations),
    elements: members(annotated.elements),
    actions: members(annotated.actions),
    params: members(annotated.params),
    returns: annotated.returns === undefined ? undefined : annotatedOf(annotated.returns),
  })
}
