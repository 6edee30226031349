import { resolveValue, type Definition } from '../../facts/index.ts'
import { ITERATOR_KEY } from '../../facts/iterator-key.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What a loop walks: where it is an object of the app, what its iterator gives. Fact: ECMAScript, iterable protocols. */
export function addIterated({ kind, value }: Definition, draft: FlowDraft): number | undefined {
  if (kind !== 'each' || value === undefined) return undefined
  const here = resolveValue(value)
  if (here.kind !== 'member' && here.kind !== 'reference' && here.kind !== 'new') return undefined
  const items = draft.graph.add(value)
  draft.environment.calls.addImplicitCall(value, ITERATOR_KEY, items, draft)
  return items
}
