import type { OpenScript } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { CallValue, FunctionFact } from '../../facts/types.ts'
import { createInnerIndex, isAround } from '../../facts/span-index.ts'
import { handlerFunction } from './registrations.ts'

/** An answer for who is not let in. */
export const REFUSES: RegExp =
  /\b(?:reject|error|sendStatus|status)\s{0,4}\(\s{0,20}(?:\{[^{}]{0,80}\b(?:code|status)\w{0,6}\s{0,4}:\s{0,4})?['"]?40[13]\b|\bthrow\b[^;{]{0,120}\b(?:40[13]|unauthori[sz]ed|forbidden)\b/i
/** What compares a token with something that the caller can't make; to decode it is not enough. */
export const VERIFIES: RegExp =
  /\b(?:verify|jwtVerify|createSecurityContext|timingSafeEqual)\s{0,4}\(|\b(?:verify|validate|check|authenticate)\w{0,20}(?:jwt|token|session|api_?key|signature)\w{0,20}\s{0,4}\(/i
/** CAP's own user, who has shown a token already. */
const ASKS_ROLE = /\buser\??\.is\s{0,4}\(/
/** It throws where what it is given is no proof. */
const THROWS = /\b(?:verify|jwtVerify|createSecurityContext|(?:verify|validate)\w{0,20}(?:jwt|token))\s{0,4}\(/i
/** What is no proof lets the request on. */
const FAILS_OPEN = /\bcatch\s{0,5}(?:\([^()]{0,60}\)\s{0,5})?\{[^{}]{0,300}\b(?:next|handler)\s{0,3}\(/
/** Conditions under which only a developer's own machine goes on. */
const DEVELOPMENT = /NODE_ENV|CDS_ENV|development|['"]OPTIONS['"]/
const COMMENT = /(^|\s)\/\/[^\n]{0,500}/g

export function withoutComments(text: string): string {
  return text.replaceAll(COMMENT, '$1')
}

/** Asks for a token of the project's own, or CAP for the role of its user. */
export function mayCheckCaller(text: string): boolean {
  return REFUSES.test(text) && asksForProof(text)
}

function asksForProof(text: string): boolean {
  return VERIFIES.test(text) || ASKS_ROLE.test(text)
}

/** Functions of the file that it asks. */
const MAX_CALLED = 20

/**
 * Tells functions that refuse callers without a verified identity before they go on: `goesOn` is the call of what is behind them, `next()` of a middleware, the
 * handler of a function around it.
 */
export function createCallerCheckReader({
  facts,
  text,
  step,
}: OpenScript): (fact: FunctionFact, goesOn: (call: CallValue) => boolean) => boolean {
  const callsIn = createInnerIndex(facts.calls)
  const plain = ({ start, end }: Pick<FunctionFact, 'start' | 'end'>): string => withoutComments(text.slice(start, end))
  const isForDevelopers = ({ start }: CallValue): boolean =>
    facts.guards.some(({ inside, test }) => isAround(inside, start) && DEVELOPMENT.test(text.slice(test.start, test.end)))
  return (fact, goesOn) => {
    const calls = callsIn(fact)
    step(calls.length)
    const first = calls.find((call) => goesOn(call) && !isForDevelopers(call))
    const whole = plain(fact)
    if (first === undefined || FAILS_OPEN.test(whole)) return false
    const before = { start: fact.start, end: first.start }
    const own = plain(before)
    const called = callsIn(before).flatMap(({ callee }) => functionOf(callee) ?? handlerFunction(callee, facts) ?? [])
    const asked = [own, ...called.slice(0, MAX_CALLED).map(plain)]
    if (!asked.some(asksForProof)) return false
    return asked.some((part) => REFUSES.test(part)) || (THROWS.test(own) && REFUSES.test(whole))
  }
}
