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
  const [first] = here.args
  if (name === 'test' || (name === 'match' && first !== undefined)) {
    const pattern = resolveValue(name === 'test' || first === undefined ? object : first)
    return pattern.kind === 'regex' && FORMULA.test(pattern.pattern)
  }
  // ['=', '+', '-', '@'].some((mark) => text.startsWith(mark))
  const isSome = name === 'some' && first?.kind === 'function'
  if (!isSome && name !== 'includes' && name !== 'indexOf' && name !== 'has') return false
  const listed = resolveValue(object)
  const given = listed.kind === 'new' ? listed.args[0] : listed
  const list = given && resolveValue(given)
  const text =
    list?.kind === 'array' ? list.items.map((item) => String(constantOf(item))).join('') : String(list && constantOf(list))
  return text.includes('=') && /[@+-]/.test(text)
}
