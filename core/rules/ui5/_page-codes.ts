import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, findPart, resolveValue, valuesOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDeveloperFile, isOfServerFolder } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A one-time code that a page draws and compares itself. */
interface PageCode {
  readonly at: Span
  readonly name: string
}

/** What a second factor is called; a captcha proves nothing about a user. */
const CODE =
  /(?:^|[^a-z])otp(?:$|[^a-z])|otp$|^_?[a-z]{0,9}otp|one_?time|(?:^|_)[2m]fa(?:$|_)|(?:verif\w{0,10}|security|auth\w{0,12}|login|sms)_?(?:code|pin)/i
const COMPARED = /^[!=]==?$/

/** `this._otp = Math.floor(100000 + Math.random() * 900000)`, `if (this.byId("otp").getValue() === String(this._otp))`. */
export const pageCodes: Extract<PageCode> = defineExtract({
  name: 'ui5-page-codes',
  keywords: ['Math.random', 'getRandomValues'],
  isFor: (path) => !isOfServerFolder(path) && !isDeveloperFile(path),
  prefilter: (text) => /otp|one_?time|2fa|mfa|_?(?:code|pin)\b/i.test(text),
  *collect({ facts, step }) {
    const kept = namesDrawn(facts, step)
    for (const { value } of valuesOf(facts)) {
      if (value.kind !== 'operation' || !COMPARED.test(value.operator)) continue
      step(value.operands.length)
      const codes = value.operands.flatMap((operand) => codeIn(operand, kept) ?? [])
      const [name] = codes
      // the other one is what the user has entered
      const isEntered = value.operands.some((operand) => codeIn(operand, kept) === undefined && constantOf(operand) === undefined)
      if (name !== undefined && isEntered) yield { at: { start: value.start, end: value.end }, name }
    }
  },
})

function isDrawn(value: Value): boolean {
  return (
    findPart(value, (part) => part.kind === 'call' && /^(?:random|getRandomValues)$/.test(lastNameOf(part.callee) ?? '')) !==
    undefined
  )
}

/** Fields, paths of models and keys of the storage that get a drawn code. */
function namesDrawn({ assignments, calls }: ScriptFacts, step: (count?: number) => void): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string | undefined, value: Value): void => {
    step()
    if (name !== undefined && CODE.test(name) && isDrawn(resolveValue(value))) found.add(name)
  }
  for (const { target, value } of assignments) add(target.name, value)
  for (const { callee, args } of calls) {
    const [key, value] = args
    if (value !== undefined && /^(?:setProperty|setItem|put)$/.test(lastNameOf(callee) ?? '')) add(textOf(key), value)
  }
  return found
}

/** The name of a drawn code in an operand: `this._otp`, `model.getProperty("/otp")`, `String(otp)`. */
function codeIn(operand: Value, kept: ReadonlySet<string>): string | undefined {
  let name: string | undefined
  findPart(operand, (part) => {
    name ??= nameOf(part, kept)
    return name !== undefined
  })
  return name
}

function nameOf(part: Value, kept: ReadonlySet<string>): string | undefined {
  if (part.kind === 'member') return kept.has(part.name ?? '') ? part.name : undefined
  if (part.kind === 'call') {
    const text = /^(?:getProperty|getItem|get)$/.test(lastNameOf(part.callee) ?? '') ? textOf(part.args[0]) : undefined
    return text !== undefined && kept.has(text) ? text : undefined
  }
  return part.kind === 'reference' && CODE.test(part.name) && isDrawn(resolveValue(part)) ? part.name : undefined
}

function textOf(value: Value | undefined): string | undefined {
  const text = value && constantOf(value)
  return typeof text === 'string' ? text : undefined
}
