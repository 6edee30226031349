import type { FunctionFact, ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContext, isLogCall } from '../../../model/script/index.ts'
import type { CallsIn } from '../_rows/decided-states.ts'
import { isInScript } from './handed-requests.ts'
import { codeOf } from './preparing-handlers.ts'

/**
 * Tells handlers of all events that look at nothing of a request but who calls, for which event and in which role: `srv.before('*', (req) => requireRole(req, 'editor'))`. Whose
 * row it is about, they do not ask; of functions of other files, their names say so.
 */
export function createRoleGateReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (handler: HandlerFunction) => boolean {
  // hardly any script has such a handler
  let callsIn: CallsIn | undefined
  const isOfCaller = (fact: FunctionFact): boolean => {
    const calls = (callsIn ??= createInnerIndex(facts.calls))(fact)
    step(calls.length)
    return (
      !OF_ROWS.test(text.slice(fact.start, fact.end)) &&
      calls.every(
        (call) =>
          isLogCall(call) || !call.args.some(isContext) || isGate(lastNameOf(call.callee) ?? '') || isInScript(call, facts),
      )
    )
  }
  return ({ phase, events, isTargeted, fact }) =>
    phase === 'before' &&
    !isTargeted &&
    fact !== undefined &&
    events.every((name) => name === '*') &&
    codeOf(fact, facts).every(isOfCaller)
}

function isGate(name: string): boolean {
  return GATES.test(name) && !OF_OWNERS.test(toWords(name))
}

/** `ensureOwnerIsUser`, `checkRowOfUser`: whose row it is. */
const OF_OWNERS =
  /\b(?:owns?|owners?|owned|ownership|belongs?|same|rows?|records?|creators?|created|author|entity|instance|data|match(?:es)?)\b/
/** What a request is about. */
const OF_ROWS = /\.\s{0,4}(?:data|params|query|subject|target|entity)\b|\b(?:where|UPDATE|DELETE)\s{0,4}[(`]/
/** Functions that ask for a login, an account or a role, or which event it is. */
const GATES =
  /^_?(?:require|check|assert|ensure|verify|validate|enforce|has|is)_?\w{0,20}?_?(?:users?|roles?|login|log_?ged_?in|auth|authentication|authenticated|accounts?|sessions?|scopes?|events?)$/i

/** A function that asks whether somebody with an account calls, by its name: all who pass have that in common. */
export const ACCOUNT_GATE: RegExp =
  /^(?:require|ensure|assert|check|verify)_?(?:active|current|log_?ged_?in|signed_?in|authenticated|known)_?(?:user|account|caller|session)$/i
