import type { FunctionFact, ScriptFacts } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { findHandlers, handlerFunction, type HandlerFunction } from '../../model/cap/index.ts'
import type { Span } from '../../types.ts'
import { isWithin } from '../../facts/span-index.ts'

/** The handlers of a script with the functions of the script that they call. */
export interface HandledFunctions {
  readonly handlers: readonly HandlerFunction[]
  /** The handler in which a place runs, as far as the script tells. */
  handlerOf(place: Span): HandlerFunction | undefined
}

const MAX_HOPS = 4

export function findHandledFunctions(facts: ScriptFacts): HandledFunctions {
  const handlers = findHandlers(facts)
  const reached = new Map<FunctionFact, HandlerFunction>()
  for (const handler of handlers) if (handler.fact !== undefined) reached.set(handler.fact, handler)
  const around = (span: Span): HandlerFunction | undefined => {
    let found: FunctionFact | undefined
    for (const fact of reached.keys())
      if (isWithin(span, fact) && (found === undefined || fact.start >= found.start)) found = fact
    return found && reached.get(found)
  }
  for (let hop = 0; hop < MAX_HOPS && reached.size > 0; hop++) {
    const before = reached.size
    for (const call of facts.calls) {
      const called = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
      const handler = called === undefined || reached.has(called) ? undefined : around(call)
      if (called !== undefined && handler !== undefined) reached.set(called, handler)
    }
    if (reached.size === before) break
  }
  return { handlers, handlerOf: around }
}
