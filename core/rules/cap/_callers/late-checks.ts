import { findPart, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createHandlerReader, handlerFunction, itemsOf, registrationOf, type HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'
import { hasStatus } from '../_handlers/refusals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContext } from '../../../model/script/index.ts'

/** A check of a handler that decides nothing: for which the request does not wait, or that no event starts. */
export interface LateCheck {
  readonly at: Span
  readonly variant: 'unawaited' | 'timer' | 'misspelt'
}

const REFUSES = /^(?:reject|error)$/
const TIMER = /^(?:setTimeout|setImmediate|nextTick|queueMicrotask)$/
const WRONG_CASE = /^(?:read|create|update|delete|upsert|insert)$/i

/** @param isDropped nobody waits for the call */
export function* findLateChecks(
  facts: ScriptFacts,
  handlers: readonly HandlerFunction[],
  isDropped: (call: CallValue) => boolean,
): Generator<LateCheck> {
  const callbacks = findCallbacks(facts)
  const handlerAt = createHandlerReader(handlers)
  for (const call of facts.calls) {
    const { callee, args } = call
    const name = lastNameOf(callee) ?? ''
    const event = misspeltIn(call)
    if (event !== undefined) yield { at: event, variant: 'misspelt' }
    // `.then((ok) => { if (!ok) req.reject(403) })` that nobody waits for, or a timer of the handler itself
    if (REFUSES.test(name) && callee.kind === 'member' && isContext(callee.object)) {
      const later = callbacks.get(call.function)?.call
      const started = lastNameOf(later?.callee ?? callee) ?? ''
      const isTimer = TIMER.test(started) && handlerAt(call.start)?.fact === later?.function
      if (later !== undefined && (isTimer || /^(?:then|finally)$/.test(started)) && isDropped(later))
        yield { at: { start: call.start, end: call.end }, variant: isTimer ? 'timer' : 'unawaited' }
    }
    const handler = handlerAt(call.start)
    if (handler === undefined || handler.phase === 'after') continue
    const isLoop = name === 'forEach' || ((name === 'map' || name === 'all' || name === 'allSettled') && isDropped(call))
    const given = isLoop ? functionOf(mapped(args[0]) ?? args[0]) : isDropped(call) ? handlerFunction(callee, facts) : undefined
    if (given === undefined || !(given.isAsync || isLoop) || !refuses(given, handler, facts)) continue
    if (given.isAsync || given.returns.some((answer) => isStarted(answer, facts)))
      yield { at: { start: call.start, end: callee.end }, variant: 'unawaited' }
  }
}

/** It refuses requests in some case: by `req.reject(…)`, or by an exception behind a condition. */
export function refusesRequest(fact: FunctionFact, { calls, guards }: ScriptFacts, text: string): boolean {
  const isOwn = (span: Span): boolean => isWithin(span, fact)
  return (
    calls.some(
      (call) => isOwn(call) && call.callee.kind === 'member' && call.callee.name === 'reject' && isContext(call.callee.object),
    ) ||
    guards.some(
      ({ function: within, exits, inside }) => within === fact && exits && /\bthrow\b/.test(text.slice(inside.start, inside.end)),
    )
  )
}

/** `ids.map(check)` of `Promise.all(ids.map(check))`. */
function mapped(value: Value | undefined): Value | undefined {
  return value?.kind === 'call' && lastNameOf(value.callee) === 'map' ? value.args[0] : undefined
}

/** `(id) => assertOwner(req, id)`: the call gives a promise, as far as the file tells. */
function isStarted(answer: Value, facts: ScriptFacts): boolean {
  if (answer.kind !== 'call') return false
  const own = handlerFunction(answer.callee, facts)
  return own === undefined ? answer.args.some(isContext) && CHECKING.test(lastNameOf(answer.callee) ?? '') : own.isAsync
}

/** What it is called tells that it refuses. */
const CHECKING =
  /^(?:assert|ensure|require|verify|check|guard|authori[sz]e|forbid|deny|restrict|protect|validate|must|only)(?=[A-Z_]|$)|(?:Only|OrReject|OrFail|OrThrow|Allowed|Authori[sz]ed|Permitted)$/

/** It rejects, throws by a call, or hands the request to what may: before a deed to anything, else to what is called so. */
function refuses(
  { start, end }: FunctionFact,
  handler: Pick<HandlerFunction, 'fact' | 'phase'>,
  facts: ScriptFacts,
  depth = 0,
): boolean {
  const { fact, phase } = handler
  return facts.calls.some((call) => {
    if (call.start < start || call.end > end) return false
    const name = lastNameOf(call.callee) ?? ''
    if (REFUSES.test(name) && call.callee.kind === 'member' && isContext(call.callee.object)) return !tellsOfFailure(call)
    if (!call.args.some(isContext) || fact === undefined) return false
    const own = depth > 0 ? undefined : handlerFunction(call.callee, facts)
    if (own !== undefined && refuses(own, handler, facts, depth + 1)) return true
    return start >= fact.start && (phase === 'before' || CHECKING.test(name))
  })
}

/** `req.error(500, …)`, `req.reject({ message: error.message })` of a `catch`: something went wrong, nobody was refused. */
function tellsOfFailure(call: CallValue): boolean {
  return (
    hasStatus(call, /^5\d\d$/) ||
    call.args.some(
      (given) => findPart(given, (part) => part.kind === 'reference' && part.binding?.kind === 'catch') !== undefined,
    )
  )
}

/** `srv.before('Update', 'Orders', …)`: CAP writes its events in capitals. */
function misspeltIn(call: CallValue): Span | undefined {
  const registration = registrationOf(call)
  const [event] = call.args
  if (registration === undefined || !registration.isTargeted || registration.phase === 'reject' || event === undefined)
    return undefined
  return itemsOf(event).find(
    (item) =>
      item.kind === 'literal' &&
      typeof item.value === 'string' &&
      WRONG_CASE.test(item.value) &&
      item.value !== item.value.toUpperCase() &&
      // an action may be called `read`
      item.value !== 'read',
  )
}
