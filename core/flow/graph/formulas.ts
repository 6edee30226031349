import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

/** `if (/^[=+\-@]/.test(text)) { text = "'" + text }`: behind it the text is no formula. */
export function isNeutralized({ start }: Value, { formulaGuards }: FlowDraft): boolean {
  return formulaGuards.some(
    ({ inside, function: within }) => inside.start <= start && start < within.end && within.start <= start,
  )
}

/** The beginnings of formulas in spreadsheets: `/^[=+\-@]/`. */
const FORMULA = /^\^?[([][^\])]{0,20}=[^\])]{0,20}[@+-]/
export const FORMULA_CLEANS: readonly string[] = ['ui5/formula-injection']

/** Whether a condition looks whether a text begins as a formula does: what follows is written for that. */
export function asksForFormula(test: Value): boolean {
  const here = test.kind === 'operation' && test.operands[0] !== undefined ? test.operands[0] : test
  if (here.kind !== 'call' || here.callee.kind !== 'member') return false
  const { name, object } = here.callee
  if (name === 'test') {
    const pattern = resolveValue(object)
    return pattern.kind === 'regex' && FORMULA.test(pattern.pattern)
  }
  if (name !== 'includes' && name !== 'indexOf' && name !== 'has') return false
  const listed = resolveValue(object)
  const given = listed.kind === 'new' ? listed.args[0] : listed
  const list = given && resolveValue(given)
  const text =
    list?.kind === 'array' ? list.items.map((item) => String(constantOf(item))).join('') : String(list && constantOf(list))
  return text.includes('=') && /[@+-]/.test(text)
}
