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
  /** All of them: a helper of the script may serve several. */
  handlersOf(place: Span): readonly HandlerFunction[]
}

const MAX_HOPS = 4

export function findHandledFunctions(facts: ScriptFacts): HandledFunctions {
  const handlers = findHandlers(facts)
  const reached = new Map<FunctionFact, readonly HandlerFunction[]>()
  for (const handler of handlers) if (handler.fact !== undefined) reached.set(handler.fact, [handler])
  const own = new Set(reached.keys())
  const around = (span: Span): readonly HandlerFunction[] => {
    let found: FunctionFact | undefined
    for (const fact of reached.keys())
      if (isWithin(span, fact) && (found === undefined || fact.start >= found.start)) found = fact
    return (found && reached.get(found)) ?? []
  }
  const called = facts.calls.flatMap((call) => {
    const fact = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    return fact === undefined || own.has(fact) ? [] : [{ call, fact }]
  })
  for (let hop = 0; hop < MAX_HOPS && reached.size > 0; hop++) {
    let isNew = false
    for (const { call, fact } of called) {
      const known = reached.get(fact) ?? []
      const more = around(call).filter((handler) => !known.includes(handler))
      if (more.length === 0) continue
      reached.set(fact, [...known, ...more])
      isNew = true
    }
    if (!isNew) break
  }
  return { handlers, handlerOf: (place) => around(place)[0], handlersOf: around }
}
