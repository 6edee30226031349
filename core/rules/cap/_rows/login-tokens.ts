import { findPart, resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { VERBS } from '../../../flow/tables/routes.ts'
import { blankComments } from '../../../model/reach/index.ts'
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
      const isUnasked =
        isOfRow && (ignored.has(around) || !mayAskForProof(around, text)) && !isAskedBefore(around, facts, text, step)
      const claim = payload.fields.find(({ value }) => isSent(value))?.key
      if (isUnasked || claim !== undefined) return { isUnasked, ...(claim !== undefined && { claim }) }
    }
    return undefined
  }
}

/**
 * Whether a function in front of the handler in its route asks for a password: `router.post('/login', checkPassword, login)`. One of another file says it by its name. A token of the
 * caller is none: the row found may be that of somebody else.
 */
function isAskedBefore(around: FunctionFact, { calls }: ScriptFacts, text: string, step: (count?: number) => void): boolean {
  step(calls.length)
  return calls.some(({ callee, args: [, ...handlers] }) => {
    if (callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || functionOf(handlers.at(-1)) !== around) return false
    return handlers.slice(0, -1).some((handler) => {
      const { start, end } = functionOf(handler) ?? handler
      step((end - start) >> 6)
      return ASKS_PASSWORD.test(blankComments(text.slice(start, end)))
    })
  })
}

/** Facts: bcrypt 6, argon2 0.43 (README, `compare`, `verify`); passport-local 1 (README, "Authenticate Requests"). */
const ASKS_PASSWORD =
  /passw|passphrase|pwd|\bpin\b|\botp\b|\bbcrypt|\bargon2|credential|authenticate\(\s{0,10}["'](?:local|login|basic|ldap)/i

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
