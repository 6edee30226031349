import type { Value } from '../../facts/index.ts'
import type { SinkRow } from '../tables/sinks.ts'
import { FIELD } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** `{ urlParameters: query }`: what lies in the fields of an object that was made before. */
export function addMadeFields(given: Value, { made = [], fault, needs }: SinkRow, name: string, draft: FlowDraft): void {
  if (made.length === 0 || given.kind === 'object' || given.kind === 'literal') return
  const { start, end } = given
  for (const field of made) {
    const node = draft.graph.add(given)
    draft.graph.connect(draft.use(given), node, FIELD, field)
    draft.sinks.push({ node, fault, name, start, end, ...(needs !== undefined && { needs }) })
  }
}
