import type { Binding, FunctionFact } from '../../facts/index.ts'
import { COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What a function puts into an object that it is given, its callers find there. */
export function fillParameter(
  fact: FunctionFact,
  parameter: number,
  from: number,
  { graph, fields: { filled } }: FlowDraft,
): void {
  const own = filled.get(fact) ?? new Map<number, number>()
  filled.set(fact, own)
  const node = own.get(parameter) ?? graph.add({ start: fact.start, end: fact.start })
  own.set(parameter, node)
  graph.connect(from, node, COPY)
}

/** The same of what is put into a name that is a parameter. */
export function fillNamed({ kind, function: within, definitions: [definition] }: Binding, from: number, draft: FlowDraft): void {
  if (kind !== 'parameter' || definition?.parameter === undefined || definition.path.length > 0) return
  fillParameter(within, definition.parameter, from, draft)
}
