import { accessesOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { lateFunctions } from '../../approuter/_extension-handlers.ts'

/**
 * What of a request of the approuter holds its client secret: the session, its user, the token of that and the options of OAuth in it. Facts: @sap/approuter 20.10.0,
 * lib/passport/utils.js (`getUserProperties`, `loadOauthOptions`), lib/passport/jwt-refresh.js (the secret is read from there).
 */
const HOLDS = /^(?:session|(?:session\.)?user(?:\.token(?:\.oauthOptions(?:\.(?:clientsecret|key))?)?)?)$/

/** Finds what an extension of the approuter writes of its session into answers. */
export function createSessionReader(facts: ScriptFacts): (part: Value, answer: CallValue) => boolean {
  let functions: ReadonlySet<FunctionFact> | undefined
  return (part, { function: within, args }) => {
    const isHeld = accessesOf(part).some(({ binding, steps }) => {
      if (binding?.kind !== 'parameter' || !HOLDS.test(steps.join('.'))) return false
      functions ??= lateFunctions(facts)
      return functions.has(binding.function) && binding.function.parameters[0] === binding
    })
    return isHeld && !args.some((given) => isSelected(given)) && within.kind !== 'file'
  }
}

/** `JSON.stringify(user, ['id', 'name'])`. */
function isSelected(given: Value): boolean {
  if (given.kind !== 'call' || lastNameOf(given.callee) !== 'stringify') return false
  const [, chosen] = given.args
  return chosen !== undefined && !(chosen.kind === 'literal' || (chosen.kind === 'reference' && chosen.name === 'undefined'))
}
