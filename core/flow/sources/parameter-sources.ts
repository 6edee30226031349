import type { FunctionFact } from '../../facts/index.ts'
import type { Origin } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What a function is given for one of its parameters begins data of others. */
export function addParameter(fact: FunctionFact, index: number, origin: Origin, draft: FlowDraft): void {
  const node = draft.parameters.nodeOf(fact, index)
  if (node === undefined) return
  draft.sources.push({ node, origin, weak: false })
  draft.show(node, fact.parameters[index] === undefined ? undefined : { kind: 'unknown', ...spanOf(fact, index) })
}

export function spanOf({ parameters, start }: FunctionFact, index: number): { start: number; end: number } {
  return { start: parameters[index]?.start ?? start, end: parameters[index]?.end ?? start }
}
