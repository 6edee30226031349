import type { Value } from '../../facts/index.ts'
import { WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'

/** `["Access", order.access]` in a list of such: names and values lie at places of their own. */
export function tupleNode(value: Value & { readonly kind: 'array' }, { graph, use }: FlowDraft): number {
  if (value.items.length < 2 || value.items.some(({ kind }) => kind === 'spread')) return use(value)
  const node = graph.add(value)
  for (const [index, item] of value.items.entries()) graph.connect(use(item), node, WRITE, String(index))
  return node
}
