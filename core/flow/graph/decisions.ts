import { isOnTheWay, resolveValue, type CallValue, type Guarded, type OperationValue, type Value } from '../../facts/index.ts'
import { negatedBy, unwrap } from '../../facts/conditions.ts'
import { answersOf, givesPromise } from '../../facts/own-answers.ts'

/** What a condition is asked for. */
export interface Question {
  /** The value that it is about. */
  readonly key: string
  /** What the answer has to be. */
  readonly wanted: boolean
  /** Whether a call or a comparison asks it. `isCompared`: what it gives is held against a number. */
  asks(test: CallValue | OperationValue, key: string, isCompared: boolean): boolean
}

/** Whether a condition on the way to a place has settled the question: `if (isIt(x)) { here }`, `if (!isIt(x)) return`. */
export function isDecided({ guards }: Guarded, offset: number, question: Question): boolean {
  return guards.some((guard) => isOnTheWay(guard, offset) && decides(guard.test, offset < guard.inside.end, question))
}

const MAX_DEPTH = 6

/** Whether one side of a condition has settled it. @param holding on which side */
export function decides(test: Value, holding: boolean, question: Question, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const further = (value: Value, side: boolean): boolean => decides(value, side, question, depth + 1)
  const { key, wanted } = question
  if (test.kind === 'operation' && test.operator !== '!' && question.asks(test, key, false))
    return (/^!==?$/.test(test.operator) !== holding) === wanted
  const inner = negatedBy(test)
  if (inner !== undefined) return further(inner, !holding)
  if (test.kind === 'choice' && test.test === undefined)
    // behind `a || b` neither holds, inside `a && b` both do
    return (test.isAnd === true) === holding
      ? test.options.some((part) => further(part, holding))
      : test.options.every((part) => further(part, holding))
  const { test: asked, holds, isCompared, isAwaited } = unwrap(test)
  if (asked.kind === 'reference') {
    const given = resolveValue(asked)
    return given !== asked && further(given, holds === holding)
  }
  if (asked.kind !== 'call' || (!isAwaited && givesPromise(asked))) return false
  if (question.asks(asked, key, isCompared)) return (holds === holding) === wanted
  const own = answersOf(asked, key)
  return (
    own !== undefined &&
    own.answers.some((answer) => answer.kind !== 'literal') &&
    own.answers.every((answer) =>
      answer.kind === 'literal'
        ? Boolean(answer.value) !== (holds === holding)
        : decides(answer, holds === holding, { ...question, key: own.key }, depth + 1),
    )
  )
}
