import { constantOf, resolveValue, type FunctionFact, type Guard, type Guarded, type Value } from '../../facts/index.ts'
import { beginningAsked } from '../../conditions/addresses.ts'
import { calledBy } from '../../facts/own-answers.ts'
import { append } from '../../lists.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** `if (/^[=+\-@]/.test(text)) { text = "'" + text }`: behind it the text is no formula. */
export function isNeutralized({ start }: Value, { checks: { formulas } }: FlowDraft): boolean {
  return formulas.guards.some(
    ({ inside, function: within }) => inside.start <= start && start < within.end && within.start <= start,
  )
}

/** The characters that formulas begin with in spreadsheets. Fact: OWASP, "CSV Injection". */
const STARTS = ['=', '+', '-', '@']
/** Minus signs are those of numbers, and some leave one of the others to spreadsheets that nobody uses; less is no check. */
const ENOUGH = 3

/** Tells which conditions look whether a text begins as a formula does: what follows is written for that. */
export interface FormulaTests {
  readonly guards: readonly Guard[]
  isTest(test: Value): boolean
}

/** `'='`, `"=+-@"`, `/^[\t=+@-]/`: few scripts have it. */
const READS_FORMULA = /['"`[(|^](?:[-+@|;,'"\s]|\\.){0,16}=/

export function formulaTestsIn({ guards }: Guarded, text: string): FormulaTests {
  if (!READS_FORMULA.test(text)) return { guards: [], isTest: () => false }
  const switches = switchesIn(guards)
  const switching = new Set(switches.map((guard) => guard.function))
  const isTest = (test: Value): boolean => areFormulas(startsAsked(test)) || asksBySwitch(test, switching)
  return { guards: [...guards.filter(({ test }) => isTest(test)), ...switches], isTest }
}

function areFormulas(asked: string): boolean {
  return asked.includes('=') && STARTS.filter((mark) => asked.includes(mark)).length >= ENOUGH
}

/** `switch (text[0]) { case '=': case '+': … }`: its cases ask together. */
function switchesIn(guards: readonly Guard[]): readonly Guard[] {
  const cases = new Map<Value, Guard[]>()
  for (const guard of guards) {
    const [asked] = guard.test.kind === 'operation' && guard.test.operator === '===' ? guard.test.operands : []
    if (asked !== undefined) append(cases, asked, guard)
  }
  return [...cases.values()].flatMap(([first, ...more]) =>
    first !== undefined && more.length > 0 && areFormulas([first, ...more].map(({ test }) => startsAsked(test)).join(''))
      ? [first]
      : [],
  )
}

/** A function of the file that answers by such a `switch`. */
function asksBySwitch(test: Value, switching: ReadonlySet<FunctionFact>): boolean {
  const [inner] = test.kind === 'operation' && test.operator === '!' ? test.operands : [test]
  const called = switching.size > 0 && inner?.kind === 'call' ? calledBy(inner.callee) : undefined
  return called !== undefined && switching.has(called) && called.returns.every(({ kind }) => kind === 'literal')
}

const MAX_DEPTH = 3

/** The characters that a condition looks for at the beginning of a text. */
function startsAsked(test: Value, depth = 0): string {
  // const isRisky = /^[=+@-]/.test(text)
  const named = test.kind === 'reference' ? resolveValue(test) : test
  if (named !== test) return depth < MAX_DEPTH ? startsAsked(named, depth + 1) : ''
  // most conditions ask whether something is there
  if ('binding' in test || 'object' in test) return ''
  const here = test.kind === 'operation' && test.operands[0]?.kind === 'call' ? test.operands[0] : test
  if (test.kind === 'operation' && test.operator === '!' && test.operands[0] !== undefined)
    return startsAsked(test.operands[0], depth)
  // text.startsWith('=') || text.startsWith('+')
  if (test.kind === 'choice') return test.options.map((option) => startsAsked(option, depth)).join('')
  const compared = beginningAsked(test) ?? firstCharacterIn(test)
  if (compared !== undefined) return compared
  if (here.kind !== 'call') return ''
  // this._isFormula(text)
  const called = depth < MAX_DEPTH ? calledBy(here.callee) : undefined
  if (called !== undefined) return called.returns.map((answer) => startsAsked(answer, depth + 1)).join('')
  if (here.callee.kind !== 'member') return ''
  const { name, object } = here.callee
  const [first] = here.args
  if (name === 'test' || (name === 'match' && first !== undefined)) {
    const pattern = resolveValue(name === 'test' || first === undefined ? object : first)
    const [, listed = ''] = pattern.kind === 'regex' ? (/^\^?(?:\\s[*+]?)?[([]([^\])]{1,60})/.exec(pattern.pattern) ?? []) : []
    return /\+-@/.test(listed) ? `${listed}-` : listed
  }
  // for (const mark of ['=', '+', '-', '@']) if (text.startsWith(mark)) …
  const [item] = name === 'startsWith' && first?.kind === 'reference' ? (first.binding?.definitions ?? []) : []
  // ['=', '+', '-', '@'].some((mark) => text.startsWith(mark))
  const isSome = name === 'some' && first?.kind === 'function'
  if (item?.kind !== 'each' && !isSome && name !== 'includes' && name !== 'indexOf' && name !== 'has') return ''
  const listed = resolveValue(item?.value ?? object)
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
  return beginningAsked({ ...test, operands: [given, right] })
}
