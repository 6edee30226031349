import { isAllowed } from '../../conditions/constraint.ts'
import type { CallValue } from '../../facts/index.ts'
import { ANY_FIELD, COPY, MOVE, READ, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { connectCheckedItems } from './filtered-items.ts'

/** What `list.filter(…)` and `list.find(…)` let through: nothing of items that a check lets through, and of others not the fields that are checked. */
export function connectFiltered(call: CallValue, list: number, result: number, draft: FlowDraft): void {
  const { graph, realm } = draft
  const name = call.callee.kind === 'member' ? call.callee.name : undefined
  const known = fieldsKnown(call, draft)
  if (known.includes('')) return graph.connect(graph.add(call), result, COPY)
  if (realm === 'server') return connectCheckedItems(call, list, result, name === 'find', draft)
  // of a list that `map` made, the item; rows of a model are read as the list is
  if (name === 'find') graph.connect(list, result, READ, ANY_FIELD)
  const checked = name === 'filter' ? known : []
  if (checked.length === 0) return graph.connect(list, result, COPY)
  let item = graph.add(call)
  graph.connect(list, item, READ, ANY_FIELD)
  for (const field of checked) {
    const rest = graph.add(call)
    graph.connect(item, rest, MOVE, `without ${field}`)
    item = rest
  }
  graph.connect(item, result, WRITE, ANY_FIELD)
}

/** The fields of items that a list is filtered by, `name` of `rows.filter((row) => NAMES.has(row.name))`; an empty one: the items themselves. */
function fieldsKnown({ args: [callback] }: CallValue, { parts }: FlowDraft): readonly string[] {
  const found = callback === undefined ? [] : parts.conditions.constraintsOfItems(callback)
  const known = found.flatMap((one) => (isAllowed(one) ? one.of.trim() : []))
  return [...new Set(known)].filter((field) => !field.includes(' '))
}
