import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { findCallbacks, functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createHandlerReader, handlerFunction, itemsOf, registrationOf, type HandlerFunction } from '../../model/cap/index.ts'
import type { Span } from '../../types.ts'
import { isDroppedIn } from './_role-predicates.ts'

/** A check of a handler that decides nothing: for which the request does not wait, or that no event starts. */
export interface LateCheck {
  readonly at: Span
  readonly variant: 'unawaited' | 'misspelt'
}

const REFUSES = /^(?:reject|error)$/
const TIMER = /^(?:setTimeout|setImmediate|nextTick|queueMicrotask)$/
const REQUEST = /^_?(?:req|request)$/
const WRONG_CASE = /^(?:read|create|update|delete|upsert|insert)$/i

/** @param used values that a statement does not drop */
export function* findLateChecks(
  text: string,
  facts: ScriptFacts,
  handlers: readonly HandlerFunction[],
  used: ReadonlySet<Value>,
): Generator<LateCheck> {
  const callbacks = findCallbacks(facts)
  const isDropped = isDroppedIn(facts, text, used)
  const handlerAt = createHandlerReader(handlers)
  for (const call of facts.calls) {
    const { callee, args } = call
    const name = lastNameOf(callee) ?? ''
    const event = misspeltIn(call)
    if (event !== undefined) yield { at: event, variant: 'misspelt' }
    // `.then((ok) => { if (!ok) req.reject(403) })` that nobody waits for, or a timer of the handler itself
    if (REFUSES.test(name) && callee.kind === 'member' && isRequest(callee.object)) {
      const later = callbacks.get(call.function)?.call
      const started = lastNameOf(later?.callee ?? callee) ?? ''
      const isLate =
        /^(?:then|finally)$/.test(started) || (TIMER.test(started) && handlerAt(call.start)?.fact === later?.function)
      if (later !== undefined && isLate && isDropped(later))
        yield { at: { start: call.start, end: call.end }, variant: 'unawaited' }
    }
    const handler = handlerAt(call.start)
    if (handler?.phase !== 'before' && handler?.phase !== 'on') continue
    const given = name === 'forEach' ? functionOf(args[0]) : undefined
    const called =
      name === 'forEach' ? given : isDropped(call) ? (functionOf(callee) ?? handlerFunction(callee, facts)) : undefined
    if (called?.isAsync === true && refuses(called, handler, facts))
      yield { at: { start: call.start, end: callee.end }, variant: 'unawaited' }
  }
}

function isRequest(value: Value): boolean {
  return value.kind === 'reference' && REQUEST.test(value.name)
}

/** It refuses requests in some case: by `req.reject(…)`, or by an exception behind a condition. */
export function refusesRequest(fact: FunctionFact, { calls, guards }: ScriptFacts, text: string): boolean {
  const isOwn = ({ start, end }: Span): boolean => fact.start <= start && end <= fact.end
  return (
    calls.some(
      (call) => isOwn(call) && call.callee.kind === 'member' && call.callee.name === 'reject' && isRequest(call.callee.object),
    ) ||
    guards.some(
      ({ function: within, exits, inside }) => within === fact && exits && /\bthrow\b/.test(text.slice(inside.start, inside.end)),
    )
  )
}

/** It rejects, throws by a call, or hands the request to what may. */
function refuses({ start, end }: FunctionFact, { fact }: HandlerFunction, facts: ScriptFacts): boolean {
  return facts.calls.some((call) => {
    if (call.start < start || call.end > end) return false
    if (REFUSES.test(lastNameOf(call.callee) ?? '') && call.callee.kind === 'member' && isRequest(call.callee.object)) return true
    return call.args.some((argument) => isRequest(argument) && fact !== undefined && start >= fact.start)
  })
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
