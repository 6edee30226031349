import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'
import { beginningIn } from './origin-checks.ts'

/** `if (/^[=+\-@]/.test(text)) { text = "'" + text }`: behind it the text is no formula. */
export function isNeutralized({ start }: Value, { formulaGuards }: FlowDraft): boolean {
  return formulaGuards.some(
    ({ inside, function: within }) => inside.start <= start && start < within.end && within.start <= start,
  )
}

/** The characters that formulas begin with in spreadsheets. Fact: OWASP, "CSV Injection". */
const STARTS = ['=', '+', '-', '@']
/** Minus signs are those of numbers, and some leave one of the others to spreadsheets that nobody uses; less is no check. */
const ENOUGH = 3
export const FORMULA_CLEANS: readonly string[] = ['ui5/formula-injection']

/** Whether a condition looks whether a text begins as a formula does: what follows is written for that. */
export function asksForFormula(test: Value): boolean {
  const asked = startsAsked(test)
  return asked.includes('=') && STARTS.filter((mark) => asked.includes(mark)).length >= ENOUGH
}

/** The characters that a condition looks for at the beginning of a text. */
function startsAsked(test: Value): string {
  const here = test.kind === 'operation' && test.operands[0]?.kind === 'call' ? test.operands[0] : test
  if (test.kind === 'operation' && test.operator === '!' && test.operands[0] !== undefined) return startsAsked(test.operands[0])
  // text.startsWith('=') || text.startsWith('+')
  if (test.kind === 'choice') return test.options.map(startsAsked).join('')
  const compared = beginningIn(test)?.text ?? firstCharacterIn(test)
  if (compared !== undefined) return compared
  if (here.kind !== 'call' || here.callee.kind !== 'member') return ''
  const { name, object } = here.callee
  const [first] = here.args
  if (name === 'test' || (name === 'match' && first !== undefined)) {
    const pattern = resolveValue(name === 'test' || first === undefined ? object : first)
    const [, listed = ''] = pattern.kind === 'regex' ? (/^\^?[([]([^\])]{1,60})/.exec(pattern.pattern) ?? []) : []
    return /\+-@/.test(listed) ? `${listed}-` : listed
  }
  // ['=', '+', '-', '@'].some((mark) => text.startsWith(mark))
  const isSome = name === 'some' && first?.kind === 'function'
  if (!isSome && name !== 'includes' && name !== 'indexOf' && name !== 'has') return ''
  const listed = resolveValue(object)
  const given = listed.kind === 'new' ? listed.args[0] : listed
  const list = given && resolveValue(given)
  return list?.kind === 'array' ? list.items.map((item) => String(constantOf(item))).join('') : String(list && constantOf(list))
}

/** `=` of `first === '='`, where `const first = text.charAt(0)`. */
function firstCharacterIn(test: Value): string | undefined {
  if (test.kind !== 'operation' || !/^===?$/.test(test.operator)) return undefined
  const [left, right] = test.operands
  const given = left?.kind === 'reference' ? resolveValue(left) : undefined
  if (left === undefined || right === undefined || given === undefined || given === left) return undefined
  return beginningIn({ ...test, operands: [given, right] })?.text
}
