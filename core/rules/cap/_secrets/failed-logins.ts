import {
  constantOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isAround, isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'
import { isLogCall } from '../../../model/script/index.ts'
import { isAnswer, takesRequest } from '../_routes/route-answers.ts'

/** A login that answers as after the right password where the check itself has failed. */
export interface FailedLogin extends Span {
  /** What checks the password. */
  readonly check: CallValue
  /** The block that answers. */
  readonly caught: Span
}

/** What asks another system whether a password is right. */
const ASKS =
  /^(?:post|get|request|fetch|send|call|axios|executeHttpRequest|bind|logon|log_?in|sign_?in|authenticate|verify\w{0,20})$/i
const PASSWORD = /^(?:\w{0,20}_)?(?:passw(?:or)?d|passwd|pwd)$/i
const LOGS_IN = /log_?-?[io]n|sign_?-?in|authenticat/i
/** How an answer says that the caller is logged in. */
const SUCCESS = /^(?:success|ok|authenticated|is_?authenticated|logged_?in|is_?logged_?in|valid)$/i
const TOKEN = /^(?:(?:access|auth|id|session|jwt)_?)?token$/i

/**
 * `try { await sap.post(path, body, { auth: { username, password } }); res.json({ success: true }) } catch { res.json({ success: true }) }`: clients of HTTP throw for
 * an answer 401 as they do where nobody answers. Facts: axios 1 (README, "Handling Errors": `validateStatus`); CWE-636, "Not Failing Securely".
 */
export function failedLogins(facts: ScriptFacts, step: (count?: number) => void): readonly FailedLogin[] {
  const { calls, partial } = facts
  const callsIn = createInnerIndex(calls)
  const answersIn = createInnerIndex(calls.filter((one) => isAnswer(one) && takesRequest(one.function)))
  return partial.flatMap((caught): readonly FailedLogin[] => {
    const { tried } = caught
    step()
    if (tried === undefined) return []
    const given = answersIn(tried).flatMap(successOf)
    if (given.length === 0) return []
    const inside = callsIn(tried)
    step(inside.length)
    const check = inside.find((one) => asksForPassword(one) && fails(one, tried, facts))
    if (check === undefined || !LOGS_IN.test(`${check.function.name} ${routeOf(check, calls)}`)) return []
    const answer = answersIn(caught).find(
      (one) => successOf(one).some((key) => given.includes(key)) && !isProved(one, caught, facts),
    )
    return answer === undefined
      ? []
      : [{ start: answer.start, end: answer.end, check, caught: { start: caught.start, end: caught.end } }]
  })
}

function asksForPassword(call: CallValue): boolean {
  return ASKS.test(lastNameOf(call.callee) ?? '') && isGivenPassword(call)
}

function isGivenPassword({ args }: CallValue): boolean {
  const isPassword = (part: Value): boolean => 'name' in part && PASSWORD.test(part.name ?? '')
  return args.some((given) => findPart(given, isPassword) !== undefined)
}

/** It throws for a wrong password; `fetch` only answers, and the code has to throw. Fact: Fetch Standard, "Fetch API": the promise is rejected for network errors. */
function fails({ callee }: CallValue, tried: Span, { functions }: ScriptFacts): boolean {
  if (callee.kind !== 'reference' || callee.name !== 'fetch') return true
  return functions.some(({ thrown }) => thrown?.some((one) => isWithin(one, tried)) === true)
}

/** `app.post('/login', …)` around it. */
function routeOf({ start }: Span, calls: readonly CallValue[]): string {
  const around = calls
    .filter((one) => isAround(one, start) && one.args.length > 1)
    .map(({ args: [path] }) => path && constantOf(path))
  return around.filter((path) => typeof path === 'string').join(' ')
}

/** By what an answer says that the caller is logged in; none where its status refuses. */
function successOf(call: CallValue): readonly string[] {
  const isRefusal = (part: Value): boolean =>
    'args' in part && lastNameOf(part.callee) === 'status' && part.args.some((given) => Number(constantOf(given)) >= 400)
  if (findPart(call.callee, isRefusal) !== undefined) return []
  return call.args.flatMap((given) => {
    const made = resolveValue(given)
    if (!('fields' in made)) return []
    return made.fields.flatMap(({ key = '', value }) =>
      (SUCCESS.test(key) && constantOf(value) === true) || (TOKEN.test(key) && constantOf(value) === undefined) ? [key] : [],
    )
  })
}

/**
 * A condition on the way to it compares, or has something compared, or what is given the password there fails as well: who gets there has shown something. That a
 * password is there, or long enough, is nothing.
 */
function isProved(answer: Span, caught: Span, { calls, guards, partial }: ScriptFacts): boolean {
  // where it fails, this answer isn't given
  const isPassed = (one: Span): boolean =>
    partial.every(
      ({ tried }) => tried === undefined || !isWithin(one, tried) || !isWithin(tried, caught) || isWithin(answer, tried),
    )
  const isChecked = calls.some(
    (one) =>
      isWithin(one, caught) &&
      one.end <= answer.start &&
      !isLogCall(one) &&
      !isAnswer(one) &&
      checksPassword(one) &&
      isPassed(one),
  )
  if (isChecked) return true
  const proves = (part: Value): boolean =>
    ('args' in part && !CONVERTS.test(lastNameOf(part.callee) ?? '')) ||
    ('operator' in part && /^[=!]==?$/.test(String(part.operator)))
  return guards.some(
    (guard) =>
      isWithin(guard.test, caught) &&
      guard.test.start < answer.start &&
      isOnTheWay(guard, answer.start) &&
      findPart(guard.test, proves) !== undefined,
  )
}

/** Also a function of the project: `await verifyLocal(user, password)`. */
function checksPassword(call: CallValue): boolean {
  const name = lastNameOf(call.callee) ?? ''
  return !CONVERTS.test(name) && !MAKES.test(name) && isGivenPassword(call)
}

const MAKES = /hash|^sign(?:token|jwt)?$|encode|encrypt|stringify|push|^set/i
const CONVERTS = /^(?:String|Number|trim|toString|toLowerCase|toUpperCase)$/
