import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isCalleeOf } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  findPart,
  resolveValue,
  valuesOf,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { toWords } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfServerFolder } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A one-time code that a page draws and compares itself. */
interface PageCode {
  readonly at: Span
  readonly name: string
}

/** In words: what a second factor is called; a captcha proves nothing about a user. */
const CODE = /\botp(?:\b|code)|otp$|\bone ?time|\b[2m]fa\b|\b(?:verif\w{0,10}|security|auth\w{0,12}|login|sms) ?(?:code|pin)\b/

function isCodeName(name: string): boolean {
  return CODE.test(toWords(name))
}

const COMPARED = /^[!=]==?$/

/** `this._otp = Math.floor(100000 + Math.random() * 900000)`, `if (this.byId("otp").getValue() === String(this._otp))`. */
export const pageCodes: Extract<PageCode> = defineExtract({
  name: 'ui5-page-codes',
  keywords: ['Math.random', 'getRandomValues'],
  isFor: (path) => !isOfServerFolder(path) && !isDeveloperFile(path),
  prefilter: (text) => /otp|one_?time|2fa|mfa|_?(?:code|pin)\b/i.test(text),
  *collect({ facts, step }) {
    const isDrawn = createDrawnReader(facts, step)
    const kept = namesDrawn(facts, isDrawn, step)
    const codeIn = (operand: Value): string | undefined => codeOf(operand, kept, isDrawn)
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'operation' || !COMPARED.test(value.operator)) continue
      step(value.operands.length)
      const codes = value.operands.flatMap((operand) => codeIn(operand) ?? [])
      const [name] = codes
      // the other one is what the user has entered
      const isEntered = value.operands.some((operand) => codeIn(operand) === undefined && constantOf(operand) === undefined)
      if (name !== undefined && isEntered) yield { at: { start: value.start, end: value.end }, name }
    }
  },
})

type DrawnReader = (value: Value) => boolean

/** A value that is drawn here, or by a function of the script: `this._draw()`. */
function createDrawnReader({ functions }: ScriptFacts, step: (count?: number) => void): DrawnReader {
  const draws = (part: Value): boolean => part.kind === 'call' && DRAWS.test(lastNameOf(part.callee) ?? '')
  let drawing: readonly FunctionFact[] | undefined
  const find = (): readonly FunctionFact[] => {
    step(functions.length)
    return functions.filter(({ returns }) => returns.some((value) => findPart(value, draws) !== undefined))
  }
  return (value) =>
    findPart(
      value,
      (part) => draws(part) || (part.kind === 'call' && (drawing ??= find()).some((fact) => isCalleeOf(part.callee, fact))),
    ) !== undefined
}

const DRAWS = /^(?:random|getRandomValues)$/

/** Fields, paths of models and keys of the storage that get a drawn code. */
function namesDrawn(
  { assignments, calls }: ScriptFacts,
  isDrawn: DrawnReader,
  step: (count?: number) => void,
): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string | undefined, value: Value): void => {
    step()
    if (name !== undefined && isCodeName(name) && isDrawn(resolveValue(value))) found.add(name)
  }
  for (const { target, value } of assignments) add(target.name, value)
  for (const { callee, args } of calls) {
    const [key, value] = args
    if (value !== undefined && /^(?:setProperty|setItem|put)$/.test(lastNameOf(callee) ?? '')) add(stringConstantOf(key), value)
  }
  return found
}

/** The name of a drawn code in an operand: `this._otp`, `model.getProperty("/otp")`, `String(otp)`. */
function codeOf(operand: Value, kept: ReadonlySet<string>, isDrawn: DrawnReader): string | undefined {
  let name: string | undefined
  findPart(operand, (part) => {
    name ??= nameOf(part, kept, isDrawn)
    return name !== undefined
  })
  return name
}

function nameOf(part: Value, kept: ReadonlySet<string>, isDrawn: DrawnReader): string | undefined {
  if (part.kind === 'member') return kept.has(part.name ?? '') ? part.name : undefined
  if (part.kind === 'call') {
    const text = /^(?:getProperty|getItem|get)$/.test(lastNameOf(part.callee) ?? '') ? stringConstantOf(part.args[0]) : undefined
    return text !== undefined && kept.has(text) ? text : undefined
  }
  return part.kind === 'reference' && isCodeName(part.name) && isDrawn(resolveValue(part)) ? part.name : undefined
}
