import type { CallValue } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { ANY_FIELD, COPY, READ } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** The callback gets what it gave before, and an item. */
export function addReduce(call: CallValue, receiver: number, result: number, draft: FlowDraft): void {
  const { graph, use, functions } = draft
  const callback = functionOf(call.args[0])
  if (callback === undefined || !functions.has(callback)) return
  const [, initial] = call.args
  // of an empty list; an object that gathers the items is what comes out
  if (initial !== undefined) graph.connect(use(initial), result, COPY)
  const [sum, item] = [draft.parameters.nodeOf(callback, 0), draft.parameters.nodeOf(callback, 1)]
  const given = graph.of(callback).node
  if (item !== undefined) graph.connect(receiver, item, READ, ANY_FIELD)
  if (sum !== undefined) {
    graph.connect(given, sum, COPY)
    if (initial !== undefined) graph.connect(use(initial), sum, COPY)
  }
  graph.connect(given, result, COPY)
}
