import { createBudget, StopSignal } from '../../budget.ts'
import { collectFacts, type Value } from '../../facts/index.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseScript } from '../../parse/javascript.ts'

const EXPRESSION_STEPS = 200_000

/** The code of an expression binding as a value. Undefined: it says nothing that can be understood. */
export function parseExpression(code: string): Value | undefined {
  const text = `x.y = (${code}\n)`
  try {
    return collectFacts(parseScript(text, 'expression.js'), text, createBudget(EXPRESSION_STEPS)).assignments[0]?.value
  } catch (error) {
    if (!(error instanceof ParseFailure) && !(error instanceof StopSignal)) throw error
    return undefined
  }
}
