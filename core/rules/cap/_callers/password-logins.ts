import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findCallbacks } from '../../../facts/callbacks.ts'
import type { FunctionFact } from '../../../facts/index.ts'
import { spanOf } from '../../../facts/span-index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createAccountReader, createEventReader } from './account-answers.ts'

/** A handler that compares the password of a login with the one that is kept. */
export interface PasswordLogin {
  /** Of the comparison. */
  readonly at: Span
  /** The event of CAP, the address of the route, or the name of the function. */
  readonly event: string
}

/** The first check of a password in each function that answers a login; a change of the password is asked for with a session. */
export const passwordLogins: Extract<PasswordLogin> = defineExtract({
  name: 'cap-password-logins',
  keywords: ['password', 'passwd', 'pwd'],
  prefilter: (text) => LOGIN.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const callbacks = findCallbacks(facts)
    const { isPasswordCheck } = createAccountReader(callbacks)
    const eventOf = createEventReader(facts, callbacks)
    const done = new Set<FunctionFact>()
    for (const { test, function: around } of facts.guards) {
      step()
      if (done.has(around) || !isPasswordCheck(test)) continue
      done.add(around)
      step((facts.calls.length + facts.classes.length) >> 3)
      const { event } = eventOf(around)
      if (LOGIN.test(event)) yield { at: spanOf(test), event }
    }
  },
})

/** What answers a login, by its name or address. */
const LOGIN = /log_?-?(?:in|on)|sign_?-?in|authenticate|anmeld|connexion/i

/** Scripts that speak of limits on attempts, whichever way they count them. */
export const attemptLimits: Extract<true> = defineExtract({
  name: 'cap-attempt-limits',
  keywords: ['ttempt', 'imit', 'hrottl', 'aptcha', 'ocked', 'ockout', 'ailed'],
  prefilter: (text) => LIMITS.test(text),
  isFor: isDeployedCode,
  *collect() {
    yield true
  },
})

const LIMITS =
  /attempts?\b|lock_?out|locked|(?:rate|request|login)_?-?limit|limiter|throttl|captcha|failed_?(?:login|count|tries)|brute_?-?force/i
