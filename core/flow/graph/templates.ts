import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { ANY_FIELD, CONCAT, READ } from '../types.ts'
import type { FlowDraft } from './draft.ts'

/** The text that a template makes of the fields of its data. */
export function addRendered(call: CallValue, given: Value | undefined, { graph, use }: FlowDraft): void {
  if (given === undefined) return
  const field = graph.add(given)
  graph.connect(use(given), field, READ, ANY_FIELD)
  graph.connect(field, use(call), CONCAT)
}

/** The template that is rendered: compiled before, or handed over with the data. */
export function templateOf(call: CallValue): string {
  const compiled = resolveValue(call.callee)
  const [template] = compiled.kind === 'call' ? compiled.args : call.args
  return template === undefined ? '' : String(constantOf(template) ?? '')
}
