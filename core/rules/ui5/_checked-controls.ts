import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  findPart,
  isConstant,
  isStrictPattern,
  resolveValue,
  valuesOf,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { FlowHit } from '../../flow/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { appAround } from './_row-writers.ts'

/** A text of which nothing is open but what stands in fields that were checked before its function was called. */
interface CheckedText extends Span {
  /** The method that makes it, and that nothing else of the file speaks of. */
  readonly method: string
}

/**
 * `if (!/^\d{10}$/.test(phone)) { this.byId("phone").setValueState("Error"); return }` before `this.print()`, the only call of the method that writes
 * `this.byId("phone").getValue()` into markup. Fact: SAPUI5 API, sap.m.InputBase, `setValueState`.
 */
export const checkedTexts: Extract<CheckedText> = defineExtract({
  name: 'ui5-checked-texts',
  keywords: [],
  withFlow: true,
  prefilter: (text) =>
    /\.test\(/.test(text) && /\.setValueState\(/.test(text) && /\.write(?:ln)?\(|\.(?:inner|outer)HTML\b/.test(text),
  *collect({ facts, text, step }) {
    for (const { method, controls } of checkedMethods(facts, text, step)) {
      step(facts.values.length)
      for (const { value } of valuesOf(facts)) {
        if (!isWithin(value, method) || (value.kind !== 'concat' && value.kind !== 'template')) continue
        if (value.parts.every((part) => isConstant(part) || controls.has(controlRead(part) ?? '')))
          yield { start: value.start, end: value.end, method: lastName(method.name) }
      }
    }
  },
})

interface CheckedMethod {
  readonly method: FunctionFact
  readonly controls: ReadonlySet<string>
}

/** Methods of the file that are called at one place, behind conditions that leave where a control holds something else than its form. */
function* checkedMethods(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<CheckedMethod> {
  const checks = facts.guards.flatMap((guard) => {
    if (!guard.exits || guard.caughtAt !== undefined || !refusesOtherForms(guard.test)) return []
    step(facts.calls.length)
    return facts.calls.flatMap((call) => {
      const isMarked = lastNameOf(call.callee) === 'setValueState' && 'object' in call.callee && isWithin(call, guard.inside)
      const control = isMarked && 'object' in call.callee ? idOf(call.callee.object) : undefined
      return control === undefined ? [] : { control, end: guard.inside.end, around: guard.function }
    })
  })
  if (checks.length === 0) return
  for (const method of facts.functions) {
    const name = lastName(method.name)
    step(checks.length)
    if (name === '' || !/^\w{4,80}$/.test(name)) continue
    const calls = facts.calls.filter(({ callee }) => 'object' in callee && callee.object.kind === 'this' && callee.name === name)
    step(facts.calls.length)
    const [only, other] = calls
    if (only === undefined || other !== undefined || mentionsOf(name, text, step) !== 2) continue
    const before = checks.filter(({ end, around }) => around === only.function && end <= only.start)
    if (before.length > 0) yield { method, controls: new Set(before.map(({ control }) => control)) }
  }
}

/** `!/^\d{10}$/.test(value)`, by itself or beside something else that refuses: what goes on has the form. */
function refusesOtherForms(test: Value): boolean {
  if (test.kind === 'choice' && test.isAnd !== true && test.test === undefined) return test.options.some(refusesOtherForms)
  if (test.kind !== 'operation' || test.operator !== '!') return false
  const [asked] = test.operands
  if (asked?.kind !== 'call' || asked.callee.kind !== 'member' || asked.callee.name !== 'test') return false
  return isStrictPattern(asked.callee.object)
}

/** `phone` of `this.byId("phone")`. */
function idOf(control: Value): string | undefined {
  const read = findPart(resolveValue(control), (part) => part.kind === 'call' && lastNameOf(part.callee) === 'byId')
  const [id] = read?.kind === 'call' ? read.args : []
  const text = id && constantOf(id)
  return typeof text === 'string' ? text : undefined
}

/** The control whose value a part of a text is. */
function controlRead(part: Value): string | undefined {
  const read = resolveValue(part)
  return read.kind === 'call' && read.callee.kind === 'member' && read.callee.name === 'getValue'
    ? idOf(read.callee.object)
    : undefined
}

function mentionsOf(name: string, text: string, step: (count?: number) => void): number {
  step(1 + text.length / 1000)
  let found = 0
  for (let at = text.indexOf(name); at !== -1 && found < 3; at = text.indexOf(name, at + name.length)) found++
  return found
}

/** Whether all that is open in what becomes markup was checked, and no view calls the method by itself. */
export function isCheckedText(
  { at: { file, span } }: FlowHit,
  { scripts, ui5Apps }: Pick<Project, 'scripts' | 'ui5Apps'>,
): boolean {
  if (span === undefined) return false
  const found = scripts.of(file, checkedTexts).find(({ start, end }) => start === span.start && end === span.end)
  const views = found === undefined ? [] : (appAround(file, ui5Apps)?.views ?? [])
  return (
    found !== undefined &&
    !views.some(({ controls }) =>
      controls.some(({ properties }) => [...properties.values()].some(({ value }) => value.includes(found.method))),
    )
  )
}
