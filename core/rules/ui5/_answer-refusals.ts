import type { Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { splitWords } from '../../model/script/index.ts'

/** What an answer calls it that a code is not right. */
const WRONG = /^(?:e|error|err|fail\w{0,4}|failure|invalid|wrong|incorrect|mismatch|rejected|denied|expired|ko|nok)$/i
const MAX_DEPTH = 6

/** Whether a condition holds where the code is wrong: `!answer.ok`, `answer.error`, `answer.status !== "OK"`, `answer.type === "E"`. */
export function refuses(test: Value, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  switch (test.kind) {
    case 'operation': {
      const [left, right] = test.operands
      if (left === undefined) return false
      if (test.operator === '!') return !refuses(left, depth + 1)
      const isEqual = /^===?$/.test(test.operator)
      if (right === undefined || (!isEqual && !/^!==?$/.test(test.operator))) return refuses(left, depth + 1)
      const isRefused = (refuses(left, depth + 1) || refuses(right, depth + 1)) !== isMissing(right, left)
      return isEqual ? isRefused : !isRefused
    }
    case 'choice':
      // `answer && answer.error` is about the error, `!answer || answer.error` about either
      return (test.isAnd === true ? test.options.slice(-1) : test.options).every((option) => refuses(option, depth + 1))
    case 'member':
      return splitWords(test.name ?? '').some((word) => WRONG.test(word))
    case 'literal':
      return typeof test.value === 'string' && WRONG.test(test.value)
    default:
      return false
  }
}

/** `false`, `null`, `undefined`, an empty text, and no rows; a number of what went well is often 0. */
function isMissing(value: Value, of: Value): boolean {
  if (value.kind === 'reference') return value.name === 'undefined' && value.binding === undefined
  if (value.kind !== 'literal') return false
  return value.value === 0 ? lastNameOf(of) === 'length' : value.value === false || value.value === null || value.value === ''
}
