import {
  accessesOf,
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
import { READS_TOKENS } from '../tables/routes.ts'

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

/** `res.sendStatus(401)`, `next({ status: 403 })`. */
export function refusesCaller({ args }: CallValue): boolean {
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
        accessesOf(part).some(({ binding, steps }) => isRequest(binding) && CALLER_PARTS.test(steps[0] ?? ''))
  return findPart(test, isOfCaller) !== undefined
}

const CALLER_PARTS = /^(?:headers|get|header|cookies|signedCookies|rawHeaders|socket|ip)$/

/** The first parameter of a function with a response behind it. */
export function isRequest(binding: Binding | undefined): boolean {
  return binding?.kind === 'parameter' && binding.function.parameters[0] === binding && binding.function.parameters.length > 1
}
