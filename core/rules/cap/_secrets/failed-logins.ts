import {
  constantOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'
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
export function failedLogins({ calls, guards, partial }: ScriptFacts, step: (count?: number) => void): readonly FailedLogin[] {
  return partial.flatMap((caught): readonly FailedLogin[] => {
    const { tried } = caught
    step()
    if (tried === undefined) return []
    step(calls.length)
    const answers = calls.filter((one) => isAnswer(one) && takesRequest(one.function))
    const given = answers.filter((one) => isWithin(one, tried)).flatMap(successOf)
    const check = calls.find((one) => isWithin(one, tried) && asksForPassword(one))
    if (given.length === 0 || check === undefined || !LOGS_IN.test(`${check.function.name} ${routeOf(check, calls)}`)) return []
    const answer = answers.find(
      (one) => isWithin(one, caught) && successOf(one).some((key) => given.includes(key)) && !isProved(one, caught, guards),
    )
    return answer === undefined
      ? []
      : [{ start: answer.start, end: answer.end, check, caught: { start: caught.start, end: caught.end } }]
  })
}

function asksForPassword({ callee, args }: CallValue): boolean {
  const isPassword = (part: Value): boolean => 'name' in part && PASSWORD.test(part.name ?? '')
  return ASKS.test(lastNameOf(callee) ?? '') && args.some((given) => findPart(given, isPassword) !== undefined)
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

/** A condition on the way to it compares, or has something compared: who gets there has shown something. That a password is there, or long enough, is nothing. */
function isProved(answer: Span, caught: Span, guards: readonly Guard[]): boolean {
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

const CONVERTS = /^(?:String|Number|trim|toString|toLowerCase|toUpperCase)$/
