import { findPart, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isSigned } from '../_callers/issued-tokens.ts'
import { ignoredComparisons } from '../_secrets/ignored-comparisons.ts'
import { mayAskForProof } from '../_secrets/unasked-logins.ts'

/** What a function that finds a row signs a token for. */
export interface LoginToken {
  /** The row found, though nothing asks for a password or reads whether it fits. */
  readonly isUnasked: boolean
  /** The claim that is what the client sent, as it was sent. */
  readonly claim?: string
}

/** Tells what a query is for whose function signs a token: `isSent` says that a value is what the query was asked for. Fact: jsonwebtoken 9 (README, `sign`): objects stay objects. */
export function createLoginTokenReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (query: CallValue, isSent: (value: Value) => boolean) => LoginToken | undefined {
  let signing: readonly CallValue[] | undefined
  let ignored: ReadonlySet<unknown> | undefined
  return (query, isSent) => {
    if (signing === undefined) step(facts.calls.length)
    signing ??= facts.calls.filter(signs)
    step(signing.length)
    for (const { args, function: around, start } of signing) {
      const payload = args[0] && resolveValue(args[0])
      if (around !== query.function || start < query.end || payload?.kind !== 'object') continue
      ignored ??= new Set(ignoredComparisons(facts, text, step).map((one) => one.around))
      step((around.end - around.start) >> 6)
      const isOfRow = payload.fields.some(({ value }) => findPart(value, isFoundBy(query)) !== undefined)
      const isUnasked = isOfRow && (ignored.has(around) || !mayAskForProof(around, text))
      const claim = payload.fields.find(({ value }) => isSent(value))?.key
      if (isUnasked || claim !== undefined) return { isUnasked, ...(claim !== undefined && { claim }) }
    }
    return undefined
  }
}

/** `jwt.sign({ … })`, or a function of the file that hands its parameter to that. */
function signs(call: CallValue): boolean {
  if (call.kind !== 'call') return false
  if (isSigned(call)) return true
  const made = functionOf(call.callee)
  return made !== undefined && made.returns.some((given) => isSigningOf(resolveValue(given), made.parameters[0]))
}

function isSigningOf(value: Value, parameter: unknown): boolean {
  if (value.kind !== 'call' || !isSigned(value)) return false
  const [payload] = value.args
  return parameter !== undefined && payload?.kind === 'reference' && payload.binding === parameter
}

/** The row that the query found, by its name. */
function isFoundBy(query: CallValue): (part: Value) => boolean {
  return (part) =>
    part.kind === 'reference' &&
    part.binding?.definitions.some(({ value }) => value !== undefined && isWithin(query, value)) === true
}
