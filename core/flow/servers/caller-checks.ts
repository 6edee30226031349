import {
  accessesOf,
  stringConstantOf,
  fieldOf,
  findPart,
  pathOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createOffsetIndex } from '../../facts/span-index.ts'
import { isLoginPath, READS_TOKENS } from '../tables/routes.ts'

/** Where a script answers 401 or 403 on a condition on the request itself: `if (!genuine(req)) return res.sendStatus(401)`, whatever the function is called and wherever it is. */
export function callerChecks(facts: ScriptFacts): number[] {
  const { calls, guards } = facts
  const refused = calls.flatMap((call) => (refusesCaller(call) ? call.start : []))
  if (refused.length === 0) return []
  const isRefusedIn = createOffsetIndex(refused)
  const running = (names: RegExp): ReadonlySet<unknown> =>
    new Set(calls.flatMap(({ callee, function: around }) => (names.test(lastNameOf(callee) ?? '') ? around : [])))
  const decoding = running(DECODES)
  const verifying = running(VERIFIES)
  const readsUnverified = (callee: Value): boolean => {
    const own = functionOf(callee)
    if (own === undefined) return READS_TOKENS.test(pathOf(callee)?.join(' ') ?? '')
    return decoding.has(own) && !verifying.has(own)
  }
  return guards.flatMap(({ start, test, inside }) => (isRefusedIn(inside) && asksRequest(test, readsUnverified) ? start : []))
}

/** Anybody can write a token that is only decoded. */
const DECODES = /^(?:jwt_?)?decode/i
const VERIFIES = /verif|timingSafeEqual|createHmac|createSecurityContext|validate/i

/** `res.sendStatus(401)`, `next({ status: 403 })`, `res.redirect('/login')`. */
export function refusesCaller({ callee, args }: CallValue): boolean {
  const to = lastNameOf(callee) === 'redirect' ? stringConstantOf(args.at(-1)) : undefined
  if (to !== undefined) return isLoginPath(to.replace(/[?#].*/, ''))
  const isRefused = (value: Value | undefined): boolean =>
    value?.kind === 'literal' && (value.value === 401 || value.value === 403)
  return args.some((given) => isRefused(given) || STATUS.some((name) => isRefused(fieldOf(given, name)?.value)))
}

const STATUS = ['status', 'statusCode', 'code']

/** Whether a condition looks at who calls, or has a function look at the request. */
function asksRequest(test: Value, readsUnverified: (callee: Value) => boolean): boolean {
  const isOfCaller = (part: Value): boolean =>
    part.kind === 'call'
      ? part.args.some((given) => given.kind === 'reference' && isRequest(given.binding)) && !readsUnverified(part.callee)
      : part.kind === 'member' &&
        accessesOf(part).some(
          ({ binding, steps: [step = ''] }) => isRequest(binding) && (CALLER_PARTS.test(step) || SET_BY_LOGIN.test(step)),
        )
  return findPart(test, isOfCaller) !== undefined
}

/** What a middleware that knows who calls leaves in the request: `req.account`, `req.isStaff`. */
const SET_BY_LOGIN =
  /^(?:is|current|auth|logged_?in)?_?(?:user|account|member|staff|admin|employee|manager|principal|identity|caller|person|profile|customer|operator|claims|roles?|logged_?in|authenticated)(?:_?id)?$/i

const CALLER_PARTS = /^(?:headers|get|header|cookies|signedCookies|rawHeaders|socket|ip)$/

/** The first parameter of a function with a response behind it. */
export function isRequest(binding: Binding | undefined): boolean {
  return binding?.kind === 'parameter' && binding.function.parameters[0] === binding && binding.function.parameters.length > 1
}
