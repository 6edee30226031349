import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, findPart, functionAround, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode, isRequestName } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHandledFunctions, type HandledFunctions } from '../_handlers/handled-functions.ts'

/** Where code that runs for a request replaces the database that all of them use. */
interface SharedConnection extends Span {
  /** `cds.db`. */
  readonly name: string
}

/** `cds.db = …`, `cds.services.db = …`; no comparison. */
const REPLACES = /\bdb\s{0,4}=(?![=>])/

/**
 * `cds.db = await cds.connect.to(optionsOf(req))` in a middleware or handler, or in a function of the file that one calls.
 * Facts: capire, "cds.db" (a shortcut to cds.services.db: the primary database of the process, which statements without a service run on).
 */
export const sharedConnections: Extract<SharedConnection> = defineExtract({
  name: 'cap-shared-connections',
  keywords: ['services.db', '.db ='],
  prefilter: (text) => REPLACES.test(text) && /\bcds\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const replaced = facts.assignments.flatMap((assignment) => {
      const name = nameOf(assignment.target)
      return name === undefined || assignment.operator !== '=' ? [] : [{ ...assignment, name }]
    })
    if (replaced.length === 0) return
    const handled = findHandledFunctions(facts)
    const seen = new Set<FunctionFact>()
    for (const { target, value, name } of replaced) {
      step(facts.calls.length)
      const within = functionAround(facts, target.start)
      if (within === undefined || within.kind === 'file' || seen.has(within) || !takesParameter(value)) continue
      if (!runsForRequest(within, handled) && !isCalledForRequest(within, facts, handled)) continue
      seen.add(within)
      yield { name, start: target.start, end: target.end }
    }
  },
})

function nameOf(target: Value): string | undefined {
  const known = accessesOf(target).find(
    ({ root, steps }) =>
      /^(?:global:cds|module:@sap\/cds(?:\/lib(?:\/cds)?)?)$/.test(root) &&
      /^(?:default )?(?:services )?db$/.test(steps.join(' ')),
  )
  return known && (known.steps.includes('services') ? 'cds.services.db' : 'cds.db')
}

/** It depends on what the function is given: at the start of a server the same is set once. */
function takesParameter(value: Value): boolean {
  return (
    findPart(
      value,
      (part) =>
        part.kind === 'reference' &&
        (part.binding?.kind === 'parameter' ||
          part.binding?.definitions.some(({ value: given }) => given !== undefined && isOfParameter(given)) === true),
    ) !== undefined
  )
}

function isOfParameter(value: Value): boolean {
  return findPart(value, (part) => part.kind === 'reference' && part.binding?.kind === 'parameter') !== undefined
}

/** `(req, res, next) => …`, `(err, req, res, next) => …`, a handler of a service. */
function runsForRequest(within: FunctionFact, { handlerOf }: HandledFunctions): boolean {
  if (handlerOf(within) !== undefined) return true
  for (let here: FunctionFact | undefined = within; here !== undefined; here = here.parent)
    if (here.parameters.length > 1 && here.parameters.slice(0, 2).some((one) => isRequestName(one?.name))) return true
  return false
}

/** By its name: methods of an object are called by `this`, or by another name for it. */
function isCalledForRequest({ name }: FunctionFact, facts: ScriptFacts, handled: HandledFunctions): boolean {
  const own = name.slice(name.lastIndexOf('.') + 1)
  if (own === '') return false
  return facts.calls.some(
    ({ callee, args, function: caller }) =>
      lastNameOf(callee) === own && args.length > 0 && caller.kind !== 'file' && runsForRequest(caller, handled),
  )
}
