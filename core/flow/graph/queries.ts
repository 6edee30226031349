import { accessesOf, constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import type { CapFile } from '../cap-receivers.ts'
import { querySinkOf, type QuerySink } from '../query-sinks.ts'
import type { FlowDraft } from './draft.ts'

const FAULT = 'cap/cql-injection'
const SQL = /\b(?:select|insert|upsert|update|delete|merge|call|truncate|drop|alter|create|set|with|from|where)\b/i
/** Of what may be a name or a query this makes it a query. */
const NO_NAME = /[\s({[=']/

/** Adds the texts of queries that a call takes: put together they are read as a query, and some are taken as a whole. */
export function addQuerySinks(call: CallValue, cap: CapFile, draft: FlowDraft): void {
  const sink = querySinkOf(call, draft.facts, cap)
  if (sink === undefined || sink.isElsewhere === true) return
  if (sink.takesNames && sink.isGuess !== true) addNames(sink, draft)
  for (const value of sink.texts) {
    if (value.kind === 'literal' || value.kind === 'object' || value.kind === 'function' || !mayBeQuery(value, sink)) continue
    const { start, end } = value
    const known = { fault: FAULT, name: sink.name, start, end, node: draft.use(value) }
    const detail = sink.language === 'sql' ? 'sql' : sink.isOfColumns === true ? 'columns' : undefined
    draft.sinks.push({ ...known, needs: 'concatenated', ...(detail !== undefined && { detail }) })
    if (sink.takesWhole && !sink.isGuess) draft.sinks.push({ ...known, detail: 'whole' })
  }
}

/** Known by the name of a method alone, the text has to look like a query; one that may be a name as well too. */
function mayBeQuery(value: Value, { isGuess, isUnknown, takesNames }: QuerySink): boolean {
  if (isGuess !== true && isUnknown !== true && !takesNames) return true
  const written = textsOf(resolveValue(value)).join(' ')
  return takesNames ? NO_NAME.test(written) : SQL.test(written)
}

function textsOf(value: Value): readonly string[] {
  if (value.kind === 'template') return value.texts
  return value.kind === 'concat' ? value.parts.map((part) => String(constantOf(part) ?? '')) : []
}

/** Names of entities and columns, which no placeholder stands for. */
function addNames(sink: QuerySink, draft: FlowDraft): void {
  for (const value of sink.texts.flatMap(namesIn)) {
    if (value.kind === 'literal' || value.kind === 'function' || value.kind === 'object') continue
    const { start, end } = value
    const detail = sink.isOfColumns === true ? ({ detail: 'columns' } as const) : {}
    draft.sinks.push({ fault: 'cap/dynamic-entity-or-column', name: sink.name, start, end, node: draft.use(value), ...detail })
  }
}

/** `orderBy({ [name]: 'asc' })`, `columns([name])`. */
function namesIn(value: Value): readonly Value[] {
  const here = resolveValue(value)
  if (here.kind === 'object') return here.fields.flatMap(({ computed }) => computed ?? [])
  return here.kind === 'array' ? here.items : [value]
}

/** `srv.entities[name]`, `cds.entities[name]`: the client chooses the entity. */
export function addEntityLookUp(value: Value & { readonly kind: 'member' }, draft: FlowDraft): void {
  const { object, property, name, start, end } = value
  if (property === undefined || name !== undefined || object.kind !== 'member') {
    if (property === undefined || name !== undefined || object.kind !== 'call') return
  }
  const inner = object.kind === 'call' ? object.callee : object
  if (inner.kind !== 'member' || inner.name !== 'entities') return
  const isModel = accessesOf(object).some(({ root }) => !root.startsWith('module:') || root === 'module:@sap/cds')
  if (isModel)
    draft.sinks.push({ fault: 'cap/dynamic-entity-or-column', name: 'entities', start, end, node: draft.use(property) })
}
