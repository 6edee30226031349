import { isChecked, isCheckedBy, keyOf, resolveValue, type FunctionFact, type Guarded, type Value } from '../../facts/index.ts'
import type { CheckForm, FlowCheck } from '../check-types.ts'
import { HTML_FAULTS, ORIGIN_CHECK_CLEANS, SCHEME_CHECK_CLEANS } from '../tables/web.ts'
import { effectOf } from './asserted.ts'
import type { CheckingScript } from './input.ts'
import { isOriginChecked, isOriginTested } from './origin-checks.ts'
import type { GuardEffect } from './draft.ts'
import { createPresenceTest } from './presence.ts'
import { isRefused, isRefusedBy } from './refused-characters.ts'
import { isSchemeChecked, isSchemeTested } from './scheme-checks.ts'

/** Parameters of a check: the value, and what it is held against. */
const MAX_PARAMETERS = 3
const MAX_RETURNS = 8
const MAX_DEPTH = 4

/** Tells what the functions of a script check for others, by throwing or by what they answer. */
export function createOwnChecks({ facts, text, step, parts }: CheckingScript): (fact: FunctionFact) => readonly FlowCheck[] {
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
      const thrown = throwing.has(fact) ? effectOf(fact, parameter, { parts, text, realm: 'browser' }) : undefined
      if (thrown !== undefined) return [toCheck(parameter, 'throws', OF_EFFECT[thrown] ?? 'origin')]
      return isAnswering && !isEmpty ? answeredBy(fact, parameter, guards) : []
    })
  }
}

/** What a check is enough for; undefined: for all rules. */
const CLEANS = { clean: undefined, origin: ORIGIN_CHECK_CLEANS, markup: HTML_FAULTS, scheme: SCHEME_CHECK_CLEANS } as const
type Checked = keyof typeof CLEANS
const OF_EFFECT: Readonly<Partial<Record<GuardEffect, Checked>>> = { clean: 'clean', unmarked: 'markup', scheme: 'scheme' }

function toCheck(parameter: number, form: CheckForm, checked: Checked): FlowCheck {
  const cleans = CLEANS[checked]
  return { parameter, form, ...(cleans !== undefined && { cleans }) }
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
function answeredBy(fact: FunctionFact, parameter: number, guards: Guarded): FlowCheck[] {
  const binding = fact.parameters[parameter]
  if (binding === undefined) return []
  for (const holds of [true, false]) {
    const judged = fact.returns.map((answer): Checked | 'any' | undefined => {
      const value: Value = { kind: 'reference', start: answer.start, end: answer.end, name: binding.name, binding }
      if (keyOf(value) === undefined) return undefined
      if (answer.kind === 'literal' && Boolean(answer.value) !== holds) return 'any'
      if (isChecked(guards, value, answer.start) || isCheckedBy(answer, value, holds)) return 'clean'
      if (isOriginChecked(guards, value, answer.start) || isOriginTested(answer, value, holds)) return 'origin'
      if (isRefused(guards, value, answer.start, '<') || isRefusedBy(answer, value, holds, '<')) return 'markup'
      return isSchemeChecked(guards, value, answer.start) || isSchemeTested(answer, value, holds) ? 'scheme' : undefined
    })
    const found = new Set(judged.filter((how) => how !== 'any'))
    if (found.size === 0 || found.has(undefined)) continue
    // what is enough for one is not for the other
    const only = [...found].filter((how) => how !== 'clean' && how !== undefined)
    if (only.length > 1) continue
    const check = toCheck(parameter, holds ? 'true' : 'false', only[0] ?? 'clean')
    return [fact.isAsync ? { ...check, isPromised: true } : check]
  }
  return []
}
