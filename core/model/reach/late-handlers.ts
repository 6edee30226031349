import type { Binding, ScriptFacts } from '../../facts/types.ts'
import { append } from '../../lists.ts'
import { isAsCertain } from '../../facts/guards.ts'
import { handlerFunction, type HandlerFunction } from '../cap/index.ts'

/** A handler that answers each request of an event, as far as the file tells. */
interface Answering {
  readonly handler: HandlerFunction
  readonly receiver: Binding | 'this'
}

/**
 * Handlers of one service that are registered for requests which an earlier one of the same function has answered: `srv.on('submit', async (req) => …)` twice. Requests run through
 * the `on` handlers in their order until one does not call `next`; events that are emitted run all of them, which only the model tells apart.
 * Facts: capire, "Core Services" (`srv.on`: "interceptor stack"; for events "all registered .on handlers are executed").
 */
export function findLateHandlers(
  facts: ScriptFacts,
  handlers: readonly HandlerFunction[],
  step: (count?: number) => void,
): ReadonlySet<HandlerFunction> {
  const late = new Set<HandlerFunction>()
  const earlier = new Map<string, Answering[]>()
  for (const handler of handlers) {
    const receiver = receiverOf(handler)
    if (receiver === undefined || handler.events.length === 0) continue
    const isAnswered = handler.events.every((event) => {
      const known = event === undefined ? [] : (earlier.get(event) ?? [])
      step(known.length)
      return known.some(
        (one) => one.receiver === receiver && covers(one.handler, handler) && runsFirst(one.handler, handler, facts, step),
      )
    })
    if (isAnswered) late.add(handler)
    else if (neverPassesOn(handler, facts))
      for (const event of handler.events) if (event !== undefined) append(earlier, event, { handler, receiver })
  }
  return late
}

/** Of `srv.on`: a name that stands for one service, or `this`. */
function receiverOf({ call: { callee }, phase, service }: HandlerFunction): Binding | 'this' | undefined {
  if (phase !== 'on' || service.kind === 'connected' || callee.kind !== 'member' || callee.name !== 'on') return undefined
  const { object } = callee
  if (object.kind === 'this') return 'this'
  if (object.kind !== 'reference' || object.binding === undefined) return undefined
  return object.binding.definitions.length > 1 ? undefined : object.binding
}

/** `async (req) => …`, as it is registered: what a function makes of it may pass the request on. */
function neverPassesOn({ handler, fact }: HandlerFunction, facts: ScriptFacts): boolean {
  if (handler === undefined || fact === undefined || handlerFunction(handler, facts) !== fact) return false
  return fact.parameters.length < 2 && fact.rest === undefined
}

/** All rows that the later one is for, the earlier one is for. */
function covers(earlier: HandlerFunction, later: HandlerFunction): boolean {
  if (!earlier.isTargeted) return true
  const known = earlier.entities
  return known !== undefined && later.entities !== undefined && later.entities.every((name) => known.includes(name))
}

/** In the same function, whatever its conditions say: of two branches each has its own handler. */
function runsFirst(
  { call }: HandlerFunction,
  later: HandlerFunction,
  facts: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  return call.function === later.call.function && isAsCertain(facts, call.start, later.call.start, step)
}
