import { accessesOf, resolveValue, valuesOf, type CallValue, type Value } from '../../facts/index.ts'
import { nameOfCallee, receiverOf } from '../../facts/asked-values.ts'
import { isCds, serviceKindOf, type CapFile } from '../frameworks/cap-receivers.ts'
import type { QuerySink } from '../frameworks/query-sinks.ts'
import { ANY_FIELD, CLEAN, READ } from '../types.ts'
import { MODEL_NAME_CLEANS } from '../models/faults.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { spreadItem } from '../values/arguments.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Names of entities and columns, which no placeholder stands for. */
export function addNames(sink: QuerySink, draft: FlowDraft): void {
  const { use, graph } = draft
  for (const [value, text] of sink.texts.flatMap((one) => namesIn(one).map((name) => [name, one] as const))) {
    if (value.kind === 'literal' || value.kind === 'function' || value.kind === 'object') continue
    // of an order that was written before: where it is used
    const at = isWithin(value, text) ? value : text
    const known = { name: sink.name, at, ...(sink.isOfColumns === true && { detail: 'columns' as const }) }
    const node = value.kind === 'spread' ? spreadItem(value, use(value), 0, graph) : use(value)
    addFound(FOUND_SINKS.queryName, value, draft, { ...known, node })
    // a list that was made before
    if (sink.isOfColumns !== true || value.kind === 'template' || value.kind === 'concat') continue
    const item = graph.derive(use(value), value, READ, ANY_FIELD)
    addFound(FOUND_SINKS.queryName, value, draft, { ...known, node: item })
  }
}

/** `orderBy({ [name]: 'asc' })`, `columns([name])`. */
function namesIn(value: Value): readonly Value[] {
  const here = resolveValue(value)
  if (here.kind === 'object') return here.fields.flatMap(({ computed }) => computed ?? [])
  return here.kind === 'array' ? here.items : [value]
}

/** Names in a query that is written as an object: `{ ref: [name] }`. Fact: capire, "CQN". */
export function addNamesOfParts(draft: FlowDraft): void {
  const { facts, text } = draft
  if (!/\bref\s{0,4}:/.test(text)) return
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'object') continue
    for (const { key, value: list } of value.fields)
      for (const item of key === 'ref' && list.kind === 'array' ? list.items : []) {
        if (item.kind === 'literal' || item.kind === 'spread') continue
        addFound(FOUND_SINKS.queryName, item, draft, { name: 'ref', detail: 'columns' })
      }
  }
}

const SHORTCUTS: ReadonlySet<string> = new Set(['read', 'create', 'insert', 'upsert', 'update', 'delete'])

/** `srv.read(name)`. Fact: capire, "srv.read" and its like: CRUD-style API. */
export function addShortcutName(call: CallValue, cap: CapFile, draft: FlowDraft): void {
  const { kind, callee, start: from } = call
  const [first] = call.args
  if (kind !== 'call' || callee.kind !== 'member' || !SHORTCUTS.has(callee.name ?? '') || first === undefined) return
  if (first.kind === 'literal' || first.kind === 'object' || first.kind === 'function') return
  const service = serviceKindOf(callee.object, cap)
  if (service === undefined || service === 'named' || isOfEntries(callee.name, from, draft)) return
  addFound(FOUND_SINKS.queryName, first, draft, { name: `${nameOf(callee.object)}.${callee.name ?? ''}` })
}

/** `srv.insert(entries).into(Orders)`. Fact: capire, "srv.insert". */
function isOfEntries(name: string | undefined, start: number, { facts }: FlowDraft): boolean {
  if (name !== 'insert' && name !== 'upsert') return false
  return facts.calls.some((call) => nameOfCallee(call.callee) === 'into' && receiverOf(call)?.start === start)
}

/** `srv.entities[name]`, `cds.entities('my.shop')[name]`, `cds.model.definitions[name]`: the client chooses the entity. */
export function addEntityLookUp(value: Value & { readonly kind: 'member' }, draft: FlowDraft): void {
  const { property, name } = value
  if (property === undefined || name !== undefined) return
  const object = resolveValue(value.object)
  const inner = object.kind === 'call' ? object.callee : object
  if (inner.kind !== 'member') return
  const isModel = inner.name === 'definitions' && inner.object.kind === 'member' && inner.object.name === 'model'
  if (inner.name !== 'entities' && !isModel) return
  if (accessesOf(object).some(({ root }) => !root.startsWith('module:') || isCds({ root })))
    draft.graph.connect(draft.use(property), draft.use(value), CLEAN, MODEL_NAME_CLEANS.join(' '))
}
