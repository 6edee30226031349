import { constantOf, keyOf, resolveValue } from '../../facts/index.ts'
import type { Asked } from '../asked.ts'
import { toConstraints, type Constraint } from '../constraint.ts'

/** Scripts that ask for the state of a response. */
export const READS_STATE: RegExp = /\.(?:ok|status)\b/

/** What stands behind the key of a response for the body of one that was refused. */
export const BODY = ' body'

/** Responses of requests that were refused: `!response.ok`, `response.status >= 400`. Facts: Fetch standard, "Response class"; RFC 9110, "Status Codes". */
export function refusals({ test, holds }: Asked): readonly Constraint[] {
  const [left, right] = 'operands' in test ? test.operands : [test]
  const state = left !== undefined && 'object' in left ? left : undefined
  if (state === undefined) return []
  const isRefused =
    'operands' in test
      ? state.name === 'status' &&
        right !== undefined &&
        isLeftByCode(test.operator, holds, Number(constantOf(resolveValue(right))))
      : state.name === 'ok' && !holds
  const key = isRefused ? keyOf(state.object) : undefined
  return toConstraints('refused', [key && key + BODY])
}

/** Whether no code of a success is left. */
function isLeftByCode(operator: string, holds: boolean, code: number): boolean {
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
