import { bindingOf } from '../../facts/asked-values.ts'
import { findPart, accessesOf, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isRequestName } from '../../model/script/index.ts'
import { RESPONSE_NAME } from '../tables/requests.ts'

/**
 * Functions that answer with a variable of the module that another one fills with what a client has sent: `last = { parcel: req.body }`, and `res.json(last)`.
 * What a process keeps for others is data like a row. Fact: Express 5, `req.body`; Node.js 24, "Modules" (a module is loaded once for all requests).
 */
export function createKeptBodyReader(facts: ScriptFacts, step: (count?: number) => void): (fact: FunctionFact) => boolean {
  const found = new Set<FunctionFact>()
  const kept = new Map<Binding, ReadonlySet<FunctionFact>>()
  for (const binding of facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !binding.isCaptured) continue
    const writers = binding.definitions.flatMap(({ kind, value, function: within }) =>
      kind === 'assign' && within.kind !== 'file' && value !== undefined && findPart(value, isSentBody) !== undefined
        ? [within]
        : [],
    )
    if (writers.length > 0) kept.set(binding, new Set(writers))
  }
  if (kept.size === 0) return () => false
  step(facts.calls.length)
  for (const { callee, args, function: around } of facts.calls) {
    if (!('object' in callee) || !ANSWERS.test(callee.name ?? '') || !isResponse(callee.object)) continue
    const isKept = (part: Value): boolean => {
      const binding = bindingOf(part)
      return binding !== undefined && kept.get(binding)?.has(around) === false
    }
    if (args.some((given) => findPart(given, isKept) !== undefined)) found.add(around)
  }
  return (fact) => found.has(fact)
}

const ANSWERS = /^(?:json|send|end|write)$/

/** `res` of `res.status(200).json(…)`, too. */
function isResponse(value: Value): boolean {
  return accessesOf(value).some(({ binding }) => binding?.kind === 'parameter' && RESPONSE_NAME.test(binding.name))
}

/** The body of a request, or a part of it. */
function isSentBody(part: Value): boolean {
  return accessesOf(part).some(
    ({ binding, steps: [name] }) => binding?.kind === 'parameter' && isRequestName(binding.name) && name === 'body',
  )
}
