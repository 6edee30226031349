import { keyOf, resolveValue, type FunctionFact, type Guarded, type Value } from '../../facts/index.ts'
import type { CheckForm, FlowCheck } from '../check-types.ts'
import { cleansOf, commonCleans, type Cleans } from '../tables/harmless.ts'
import { provedAtEnd } from './asserted.ts'
import type { CheckingScript } from './input.ts'
import { createPresenceTest } from './presence.ts'
import { provedAt, provedByTest } from './proofs.ts'

/** Parameters of a check: the value, and what it is held against. */
const MAX_PARAMETERS = 3
const MAX_RETURNS = 8
const MAX_DEPTH = 4

/** Tells what the functions of a script check for others, by throwing or by what they answer. */
export function createOwnChecks(script: CheckingScript): (fact: FunctionFact) => readonly FlowCheck[] {
  const { facts, step, parts } = script
  const throwing = parts.throwing()
  const isPresence = createPresenceTest(facts)
  return (fact) => {
    if (fact.kind === 'file' || fact.parameters.length > MAX_PARAMETERS) return []
    const isAnswering =
      fact.returns.length > 0 && fact.returns.length <= MAX_RETURNS && fact.returns.every((answer) => isAnswer(answer))
    if (!isAnswering && !throwing.has(fact)) return []
    const guards = { guards: parts.guardsIn(fact).filter(({ test }) => !isPresence(test)) }
    const isEmpty = guards.guards.length === 0 && fact.returns.some((answer) => answer.kind !== 'literal' && isPresence(answer))
    step(1 + guards.guards.length)
    return fact.parameters.flatMap((_, parameter): FlowCheck[] => {
      const thrown = throwing.has(fact) ? cleansOf(provedAtEnd(fact, parameter, script)) : undefined
      if (thrown !== undefined) return [toCheck(parameter, 'throws', thrown)]
      return isAnswering && !isEmpty ? answeredBy(fact, parameter, guards, script) : []
    })
  }
}

function toCheck(parameter: number, form: CheckForm, cleans: Cleans): FlowCheck {
  return { parameter, form, ...(cleans !== 'all' && { cleans }) }
}

/** `a === b`, `!x`, `list.includes(x)`, `true`: no text. */
export function isAnswer(value: Value, depth = 0): boolean {
  // a name may be given itself
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'literal') return typeof value.value === 'boolean'
  if (value.kind === 'choice') return value.options.every((option) => isAnswer(option, depth + 1))
  if (value.kind === 'reference') {
    const given = resolveValue(value)
    return given !== value && isAnswer(given, depth + 1)
  }
  return value.kind === 'operation' || value.kind === 'call' || value.kind === 'member'
}

/** What holds of a parameter where the function gives true, or else where it gives false. */
function answeredBy(fact: FunctionFact, parameter: number, guards: Guarded, script: CheckingScript): FlowCheck[] {
  const binding = fact.parameters[parameter]
  if (binding === undefined) return []
  for (const holds of [true, false]) {
    const judged = fact.returns.flatMap((answer): [judged?: Cleans | undefined] => {
      const value: Value = { kind: 'reference', start: answer.start, end: answer.end, name: binding.name, binding }
      if (keyOf(value) === undefined) return [undefined]
      if (answer.kind === 'literal' && Boolean(answer.value) !== holds) return []
      const ofAnswer = provedByTest(answer, holds, value, script.parts.conditions)
      return [cleansOf([...provedAt(value, guards.guards, script), ...ofAnswer])]
    })
    const cleans = commonCleans(judged)
    if (cleans === undefined) continue
    const check = toCheck(parameter, holds ? 'true' : 'false', cleans)
    return [fact.isAsync ? { ...check, isPromised: true } : check]
  }
  return []
}
