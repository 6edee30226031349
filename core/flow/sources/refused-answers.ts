import { constantOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround } from '../../facts/span-index.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Methods of a response that give its body. Fact: Fetch standard, "Body mixin". */
const BODY_READS: ReadonlySet<string> = new Set(['json', 'text'])

/**
 * `response.json()` where a condition says that the request was refused: `if (!response.ok)`, `response.status >= 400`. What is read then are the words of the service
 * about this request, no rows.
 */
export function isOfRefused(call: CallValue, { checks }: Pick<FlowDraft, 'checks'>): boolean {
  const response = receiverOf(call)
  const binding = response && bindingOf(response)
  if (binding === undefined || call.args.length > 0 || !BODY_READS.has(lastNameOf(call.callee) ?? '')) return false
  const isState = (value: Value, name: string): boolean =>
    value.kind === 'member' && value.name === name && bindingOf(value.object) === binding
  return checks.guardsAt(call.start).some(({ test, inside }) => saysRefused(test, isAround(inside, call.start), isState))
}

/** Whether a test says of a response that it is no success, where it holds or where it does not. */
function saysRefused(test: Value, holds: boolean, isState: (value: Value, name: string) => boolean, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const further = (part: Value, isHeld: boolean): boolean => saysRefused(part, isHeld, isState, depth + 1)
  if (test.kind === 'choice') {
    const isWhole = (test.isAnd === true) === holds
    const parts = test.options
    return isWhole ? parts.some((part) => further(part, holds)) : parts.length > 0 && parts.every((part) => further(part, holds))
  }
  if (isState(test, 'ok')) return !holds
  if (test.kind !== 'operation') return false
  const [left, right] = test.operands
  if (left === undefined) return false
  if (test.operator === '!') return further(left, !holds)
  if (right === undefined || !isState(left, 'status')) return false
  const code = Number(constantOf(resolveValue(right)))
  return refusesBy(test.operator, holds, code)
}

const MAX_DEPTH = 6

/** What remains of the codes of a response: none below 300 are left. Fact: RFC 9110, "Status Codes". */
function refusesBy(operator: string, holds: boolean, code: number): boolean {
  const isSuccess = code >= 200 && code < 300
  switch (operator) {
    case '===':
    case '==':
      return holds ? code >= 400 : isSuccess
    case '!==':
    case '!=':
      return holds ? isSuccess : code >= 400
    case '>=':
      return holds && code >= 300
    case '>':
      return holds && code >= 299
    case '<':
      return !holds && code >= 300
    case '<=':
      return !holds && code >= 299
    default:
      return false
  }
}
