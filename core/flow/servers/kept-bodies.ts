import { alternativesOf } from '../../conditions/addresses.ts'
import { bindingOf } from '../../facts/asked-values.ts'
import { accessesOf, resolveValue, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isRequestName } from '../../model/script/index.ts'
import { RESPONSE_NAME } from '../tables/requests.ts'

/**
 * Functions that answer with a variable of the module that another one fills with what a client has sent: `last = { parcel: req.body }`, and `res.json(last)`.
 * What a process keeps for others is data like a row; a count, a time or one field of a body (a mode, a theme) need not be.
 * Fact: Express 5, `req.body`; Node.js 24, "Modules" (a module is loaded once for all requests).
 */
export function createKeptBodyReader(facts: ScriptFacts, step: (count?: number) => void): (fact: FunctionFact) => boolean {
  const found = new Set<FunctionFact>()
  const kept = new Map<Binding, ReadonlySet<FunctionFact>>()
  step(facts.bindings.length)
  for (const binding of facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !binding.isCaptured) continue
    const writers = binding.definitions.flatMap(({ kind, operator, value, function: within }) => {
      const isSet = kind === 'assign' && KEEPS.test(operator) && within.kind !== 'file' && value !== undefined
      return isSet && holds(value, isSentBody) ? [within] : []
    })
    if (writers.length > 0) kept.set(binding, new Set(writers))
  }
  if (kept.size === 0) return () => false
  step(facts.calls.length)
  for (const { callee, args, function: around } of facts.calls) {
    if (!('object' in callee) || !ANSWERS.test(callee.name ?? '') || !isResponse(callee.object)) continue
    // `last.load`, too
    const isKept = (part: Value): boolean => {
      if ('object' in part) return part.name !== 'length' && isKept(part.object)
      const binding = bindingOf(part)
      return binding !== undefined && kept.get(binding)?.has(around) === false
    }
    if (args.some((given) => holds(given, isKept))) found.add(around)
  }
  return (fact) => found.has(fact)
}

const ANSWERS = /^(?:json|send|end|write)$/
const KEEPS = /^(?:\|\||\?\?)?=$/
const MAX_DEPTH = 4

/** Whether a value is, or holds as a field or an item, what is wanted: no test, comparison or count of it. */
function holds(value: Value, isWanted: (part: Value) => boolean, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const isHeld = (part: Value): boolean => holds(part, isWanted, depth + 1)
  const here = resolveValue(value)
  if ('fields' in here) return here.fields.some((field) => isHeld(field.value))
  if ('items' in here) return here.items.some(isHeld)
  if ('options' in here) return alternativesOf(here).some(isHeld)
  if ('value' in here && typeof here.value === 'object' && here.value !== null) return isHeld(here.value)
  // JSON.stringify(last)
  if ('callee' in here) return lastNameOf(here.callee) === 'stringify' && here.args.slice(0, 1).some(isHeld)
  return ('object' in here || 'binding' in here) && isWanted(here)
}

/** `res` of `res.status(200).json(…)`, too. */
function isResponse(value: Value): boolean {
  return accessesOf(value).some(({ binding }) => binding?.kind === 'parameter' && RESPONSE_NAME.test(binding.name))
}

/** The body of a request as a whole. */
function isSentBody(part: Value): boolean {
  return accessesOf(part).some(
    ({ binding, steps }) =>
      binding?.kind === 'parameter' && isRequestName(binding.name) && steps.length === 1 && steps[0] === 'body',
  )
}
