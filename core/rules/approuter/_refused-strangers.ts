import {
  constantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'

/** Methods with which a handler sends a response of its own. */
export const ANSWERS: ReadonlySet<string> = new Set(['end', 'send', 'json', 'pipe', 'sendFile', 'write'])

/**
 * Whether a handler looks at the user of the session itself: without one it answers 401 or 403, and every other answer of it needs one.
 * Fact: @sap/approuter 23.0.0, doc/extending.md (`req.user` is there after a login, in the slot `beforeRequestHandler`).
 */
export function refusesStrangers(
  written: Value,
  { calls, guards, assignments }: Pick<ScriptFacts, 'calls' | 'guards' | 'assignments'>,
): boolean {
  const handler = resolveValue(written)
  const own = handler.kind === 'function' ? handler.function : undefined
  const [request, response] = own?.parameters ?? []
  if (own === undefined || request === undefined || response === undefined) return false
  const asked = guards.filter((guard) => isWithin(guard, own)).slice(0, MAX_GUARDS)
  const provesUser = (test: Value, holds: boolean): boolean => saysUser(test, holds, request)
  const isForUsers = (guard: Guard, { start }: Span): boolean =>
    isAround(guard.inside, start)
      ? provesUser(guard.test, true)
      : guard.exits && guard.inside.end <= start && provesUser(guard.test, false)
  const statuses = [
    ...calls.flatMap((call) => (/^(?:status|sendStatus|writeHead)$/.test(nameOf(call) ?? '') ? call.args.slice(0, 1) : [])),
    ...assignments.flatMap(({ target, value }) => (/^status(?:Code)?$/.test(target.name ?? '') ? value : [])),
  ].filter((status) => REFUSALS.has(constantOf(status)))
  const refusing = asked.filter(
    ({ inside, test }) => provesUser(test, false) && statuses.some((status) => isAround(inside, status.start)),
  )
  const answers = calls.filter(
    (call) =>
      isWithin(call, own) &&
      call.callee.kind === 'member' &&
      (ANSWERS.has(call.callee.name ?? '') || call.callee.name === 'sendStatus') &&
      isFrom(call.callee.object, response),
  )
  const refused = new Set(answers.filter(({ start }) => refusing.some(({ inside }) => isAround(inside, start))))
  return refused.size > 0 && answers.every((answer) => refused.has(answer) || asked.some((guard) => isForUsers(guard, answer)))
}

/** Of one handler; a bound for hostile files. */
const MAX_GUARDS = 100
const REFUSALS: ReadonlySet<unknown> = new Set([401, 403])

/** Whether a condition that holds, or does not, means that there is a user. */
function saysUser(test: Value, holds: boolean, request: FunctionFact['parameters'][number]): boolean {
  if (test.kind === 'operation') {
    const [one, other] = test.operands
    if (one === undefined) return false
    if (test.operator === '!') return saysUser(one, !holds, request)
    const isNothing = other?.kind === 'literal' ? other.value === null : other?.kind === 'reference' && other.name === 'undefined'
    if (!isNothing || !/^[!=]==?$/.test(test.operator)) return false
    return saysUser(one, holds === test.operator.startsWith('!'), request)
  }
  // `a && b` holds where all of them do, `a || b` fails where all of them do
  if (test.kind === 'choice')
    return (
      test.test === undefined && holds === (test.isAnd === true) && test.options.some((part) => saysUser(part, holds, request))
    )
  return holds && isUser(test, request)
}

/** `req.user`, `req.user.id`, `req.session.user`, `req.isAuthenticated()`. */
function isUser(value: Value, request: FunctionFact['parameters'][number]): boolean {
  if (value.kind === 'call') return nameOf(value) === 'isAuthenticated' && isFrom(value.callee, request)
  let isNamed = false
  for (let here = value; here.kind === 'member'; here = here.object) isNamed ||= here.name === 'user'
  return isNamed && isFrom(value, request)
}

function nameOf({ callee }: CallValue): string | undefined {
  return callee.kind === 'member' ? callee.name : undefined
}

/** `response`, and what its chained calls give back: `res.status(200).json()`. */
export function isFrom(value: Value, binding: unknown): boolean {
  let here = value
  for (let step = 0; step < 10; step++) {
    if (here.kind === 'reference') return here.binding === binding
    if (here.kind === 'call') here = here.callee
    else if (here.kind === 'member') here = here.object
    else return false
  }
  return false
}
