import { constantOf, fieldOf, type Value } from '../../facts/index.ts'
import { ANY_FIELD } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'
import { segmentsOf } from '../pages/stores.ts'

/** `{ path: "orders>/items", factory: (id, context) => … }`: the function gets the context of each item. */
export function addFactory(value: Value & { readonly kind: 'object' }, draft: FlowDraft): void {
  const factory = fieldOf(value, 'factory')?.value
  const path = fieldOf(value, 'path')?.value
  const text = path && constantOf(path)
  if (factory === undefined || typeof text !== 'string') return
  const { graph, ports } = draft
  const model = fieldOf(value, 'model')?.value
  const named = model && constantOf(model)
  const name = typeof named === 'string' ? named : text.includes('>') ? text.slice(0, text.indexOf('>')) : ''
  const context = graph.add(value)
  ports.push({ node: context, access: 'read', store: `model ${name}`, path: [...segmentsOf(path), ANY_FIELD] })
  invoke(factory, [graph.add(value), context], draft)
}
