import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, READ } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

const MAX_CHAIN = 20

/** Adds what functions get that are called for each element of a selection: the item of the data that is bound to it. Fact: d3-selection, "Joining data", "selection.html". */
export function addSelectionItems({ callee, args }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member') return
  const callbacks = args.flatMap((argument) => (argument.kind === 'literal' ? [] : draft.owners.functionsBehind(argument)))
  const bound = callbacks.length === 0 ? undefined : boundTo(callee.object)
  if (bound === undefined) return
  for (const fact of callbacks)
    // a handler gets the event first
    for (const place of callee.name === 'on' ? [0, 1] : [0]) {
      const node = draft.parameters.nodeOf(fact, place)
      if (node !== undefined) draft.graph.connect(draft.use(bound), node, READ, ANY_FIELD)
    }
}

/** `rows` of `selection.data(rows).enter().append('div')`. */
function boundTo(selection: Value): Value | undefined {
  let here = resolveValue(selection)
  for (let links = 0; links < MAX_CHAIN && here.kind === 'call' && here.callee.kind === 'member'; links++) {
    const [first] = here.args
    if (here.callee.name === 'data' && first !== undefined && first.kind !== 'literal') return first
    here = resolveValue(here.callee.object)
  }
  return undefined
}
