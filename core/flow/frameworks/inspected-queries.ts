import { findPart, type Binding, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isLogCall } from '../../model/script/index.ts'

/** What `cds.parse.…` gives is looked at by a condition, and goes nowhere: no query runs with it. Others that are made of the same text are sinks of their own. */
export function isOnlyInspected(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const { bindings, guards } = facts
  step(bindings.length >> 4)
  const holder = bindings.find(({ definitions }) => definitions.some(({ value }) => value === call))
  if (holder === undefined) return false
  const holds = (value: Value): boolean => findPart(value, (part) => isOf(part, holder)) !== undefined
  step(guards.length + facts.calls.length)
  return (
    guards.some(({ test }) => holds(test)) && !handedValues(facts, holder).some((value) => !isJudgement(value) && holds(value))
  )
}

function isOf(part: Value, holder: Binding): boolean {
  return 'binding' in part && part.binding === holder
}

/** What the function around hands on: to calls, to names and fields, to its caller. */
function handedValues({ calls, bindings, assignments, functions }: ScriptFacts, holder: Binding): readonly Value[] {
  const { start, end } = holder.function
  const isInside = (value: { readonly start: number; readonly end: number }): boolean => start <= value.start && value.end <= end
  return [
    ...calls.flatMap((call) => (isInside(call) && !isLogCall(call) ? call.args : [])),
    ...bindings.flatMap(({ definitions }) => definitions.flatMap(({ value }) => (value && isInside(value) ? value : []))),
    ...assignments.flatMap(({ value }) => (isInside(value) ? value : [])),
    ...functions.flatMap((fact) => (isInside(fact) ? fact.returns : [])),
  ]
}

/** `expr.xpr.length`, `!expr.ref`, `expr.xpr?.length > 1 && isPlain`: true or false, or a number. */
function isJudgement(value: Value): boolean {
  if ('operands' in value) return true
  if ('options' in value) return value.test === undefined && value.options.every(isJudgement)
  return 'object' in value && value.name === 'length'
}
