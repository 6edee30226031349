import compiler from '@sap/cds-compiler'
import { flat, prune, sortKeys, type Outline } from './outline.ts'

interface Csn {
  definitions?: Record<string, CsnNode>
  extensions?: CsnNode[]
  requires?: string[]
}
type CsnNode = Record<string, unknown>

/** The same of the compiler's parsed CSN. Throws its CompilationError where the text has errors. */
export function outlineOfCompiler(text: string, file: string): Outline {
  const parse: { cdl(text: string, file: string, options: object): Csn } = Reflect.get(compiler, 'parse')
  const csn = parse.cdl(text, file, { messages: [] })
  const outline: Outline = {}
  for (const [name, node] of Object.entries(csn.definitions ?? {})) {
    const { query, projection } = node
    outline[`definition ${name}`] = prune({
      kind: node['kind'],
      ...csnAnnotations(node),
      includes: node['includes'],
      elements: csnMembers(reachCsn(node)['elements']),
      enum: csnSymbols(reachCsn(node)['enum']),
      params: csnMembers(node['params']),
      actions: csnActions(node['actions']),
      returns: csnReturns(node['returns']),
      query: isNode(projection) ? csnSelect(projection) : isNode(query) ? csnQuery(query) : undefined,
    })
  }
  outline['extensions'] = (csn.extensions ?? []).map((node) => JSON.stringify(csnExtension(node))).sort()
  outline['requires'] = [...(csn.requires ?? [])].sort()
  return outline
}

function isNode(value: unknown): value is CsnNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function csnExtension(node: CsnNode): Outline {
  if (typeof node['annotate'] === 'string') return { annotate: node['annotate'], ...csnAnnotated(node) }
  const own = prune({ includes: node['includes'], columns: csnColumns(node['columns']) })
  const parts = prune({
    ...csnAnnotations(node),
    elements: csnMembers(node['elements']),
    enum: csnSymbols(node['enum']),
    actions: csnActions(node['actions']),
  })
  return { extend: node['extend'], ...parts, ...own }
}

function csnAnnotated(node: CsnNode): Outline {
  const members = (value: unknown): Outline =>
    Object.fromEntries(
      Object.entries(isNode(value) ? value : {}).map(([name, member]) => [name, csnAnnotated(isNode(member) ? member : {})]),
    )
  return prune({
    ...csnAnnotations(node),
    elements: { ...members(node['elements']), ...members(node['enum']) },
    actions: members(node['actions']),
    params: members(node['params']),
    returns: isNode(node['returns']) ? csnAnnotated(node['returns']) : undefined,
  })
}

function csnAnnotations(node: CsnNode): Outline {
  return sortKeys(
    Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => key.startsWith('@'))
        .map(([key, value]) => [key, csnValue(value)]),
    ),
  )
}

function csnValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(csnValue)
  if (!isNode(value)) return value
  if ('...' in value) return { '...': true }
  if ('=' in value && Object.keys(value).length > 1) return { '=': refsOf(value).sort() }
  if ('=' in value) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, csnValue(inner)]))
}

/** Every path that an expression names, filters inside of paths too. */
function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf)
  if (!isNode(value)) return []
  if ('SELECT' in value || 'SET' in value) return []
  const { ref, ...others } = value
  if (!Array.isArray(ref)) return Object.values(value).flatMap(refsOf)
  const path = ref.map((step) => (isNode(step) ? step['id'] : step)).join('.')
  return [path, ...ref.filter(isNode).flatMap((step) => refsOf([step['where'], step['args']])), ...refsOf(Object.values(others))]
}

function reachCsn(node: CsnNode): CsnNode {
  let here = node
  while (isNode(here['items'])) here = here['items']
  if (isNode(here['target'])) here = here['target']
  return here
}

function csnMembers(value: unknown): Outline {
  if (!isNode(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (!isNode(member)) return [name, {}]
      const reach = reachCsn(member)
      const value = member['value']
      return [
        name,
        prune({
          ...csnAnnotations(member),
          ...(member['key'] === true ? { key: true } : {}),
          elements: csnMembers(reach['elements']),
          enum: csnSymbols(reach['enum']),
          on: member['on'] === undefined ? undefined : refsOf(member['on']).sort(),
          value: value === undefined ? undefined : refsOf(value).sort(),
        }),
      ]
    }),
  )
}

function csnSymbols(value: unknown): Outline {
  if (!isNode(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, symbol]) => [name, isNode(symbol) ? csnAnnotations(symbol) : {}]))
}

function csnActions(value: unknown): Outline {
  if (!isNode(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, action]) => {
      if (!isNode(action)) return [name, {}]
      const { kind, params, returns } = action
      return [name, prune({ kind, ...csnAnnotations(action), params: csnMembers(params), returns: csnReturns(returns) })]
    }),
  )
}

function csnReturns(value: unknown): Outline | undefined {
  return isNode(value) ? prune({ ...csnAnnotations(value), elements: csnMembers(reachCsn(value)['elements']) }) : undefined
}

function csnColumns(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined
  return value.map((column: unknown) => {
    if (!isNode(column)) return column
    const { ref, as, inline, expand } = column
    const last: unknown = Array.isArray(ref) && inline === undefined ? ref.at(-1) : undefined
    const implied = isNode(last) ? last['id'] : last
    return prune({
      name: as ?? implied,
      ...csnAnnotations(column),
      ...(column['key'] === true ? { key: true } : {}),
      columns: csnColumns(expand ?? inline),
    })
  })
}

function csnQuery(query: CsnNode): Outline {
  const { SELECT, SET } = query
  if (isNode(SELECT)) return csnSelect(SELECT)
  const args = isNode(SET) && Array.isArray(SET['args']) ? SET['args'] : []
  return { set: args.filter(isNode).flatMap((arg) => flat(csnQuery(arg))) }
}

function csnSelect(select: CsnNode): Outline {
  const { where, excluding, mixin, columns, from } = select
  return prune({
    sources: sourcesOf(from).sort(),
    columns: csnColumns(columns),
    excluding,
    mixins: csnMembers(mixin),
    where: where === undefined ? undefined : refsOf(where).sort(),
  })
}

function sourcesOf(from: unknown): string[] {
  if (!isNode(from)) return []
  const { ref, args } = from
  if (Array.isArray(ref)) return [ref.map((step) => (isNode(step) ? step['id'] : step)).join('/')]
  return Array.isArray(args) ? args.flatMap(sourcesOf) : []
}
