import { keyOf, type CallValue } from '../../facts/index.ts'
import { receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { BODY } from '../../conditions/atoms/refusals.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Methods of a response that give its body. Fact: Fetch standard, "Body mixin". */
const BODY_READS: ReadonlySet<string> = new Set(['json', 'text'])

/**
 * `response.json()` where a condition says that the request was refused: what is read then are the words of the service about this request, no rows.
 */
export function isOfRefused(call: CallValue, { checks: { guardsAt, parts } }: Pick<FlowDraft, 'checks'>): boolean {
  const response = receiverOf(call)
  if (response === undefined || call.args.length > 0 || !BODY_READS.has(lastNameOf(call.callee) ?? '')) return false
  const guards = guardsAt(call.start)
  const key = guards.length === 0 ? undefined : keyOf(response)
  if (key === undefined) return false
  const found = parts.conditions.constraintsAt(guards, call.start, new Set([key + BODY]))
  return found.some(({ kind }) => kind === 'refused')
}
