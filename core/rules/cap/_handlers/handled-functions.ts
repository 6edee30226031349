import { functionAround, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { append } from '../../../lists.ts'
import { findHandlers, handlerFunction, type HandledEvent, type HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/** The handlers of a script with the functions of the script that they call. */
export interface HandledFunctions {
  readonly handlers: readonly HandlerFunction[]
  /** The handler in which a place runs, as far as the script tells. */
  handlerOf(place: Span): HandlerFunction | undefined
  /** All of them, at most 20: a helper of the script may serve several. */
  handlersOf(place: Span): readonly HandlerFunction[]
  /** Calls of a function of the script by its name or as a method. */
  callsOf(fact: FunctionFact): readonly CallValue[]
}

/** By which names the model finds the event of a handler. */
export type EventNames = Omit<HandledEvent, 'file'>

export function eventNamesOf({ events, entities, service }: HandlerFunction): EventNames {
  const isConnected = service.kind === 'connected'
  return { events: events.flatMap((event) => event ?? []), entities, service: service.name, isConnected }
}

const MAX_HOPS = 4
/** Of a helper: as many tell what it is called for as a thousand. */
const MOST_HANDLERS = 20

export function findHandledFunctions(facts: ScriptFacts): HandledFunctions {
  const handlers = findHandlers(facts)
  const reached = new Map<FunctionFact, readonly HandlerFunction[]>()
  for (const handler of handlers)
    if (handler.fact !== undefined)
      reached.set(handler.fact, [...(reached.get(handler.fact) ?? []), handler].slice(0, MOST_HANDLERS))
  const own = new Set(reached.keys())
  const around = ({ start, end }: Span): readonly HandlerFunction[] => {
    let fact = reached.size === 0 ? undefined : functionAround(facts, start)
    while (fact !== undefined && (end > fact.end || !reached.has(fact))) fact = fact.parent
    return (fact && reached.get(fact)) ?? []
  }
  const called = facts.calls.flatMap((call) => {
    const fact = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    return fact === undefined || own.has(fact) ? [] : [{ call, fact }]
  })
  for (let hop = 0; hop < MAX_HOPS && reached.size > 0; hop++) {
    let isNew = false
    for (const { call, fact } of called) {
      const known = reached.get(fact) ?? []
      if (known.length >= MOST_HANDLERS) continue
      const more = around(call).filter((handler) => !known.includes(handler))
      if (more.length === 0) continue
      reached.set(fact, [...known, ...more].slice(0, MOST_HANDLERS))
      isNew = true
    }
    if (!isNew) break
  }
  let callsByFunction: ReadonlyMap<FunctionFact, readonly CallValue[]> | undefined
  return {
    handlers,
    handlerOf: (place) => around(place)[0],
    handlersOf: around,
    callsOf: (asked) => (callsByFunction ??= callsByFact(called)).get(asked) ?? [],
  }
}

function callsByFact(
  called: readonly { readonly call: CallValue; readonly fact: FunctionFact }[],
): ReadonlyMap<FunctionFact, readonly CallValue[]> {
  const found = new Map<FunctionFact, CallValue[]>()
  for (const { call, fact } of called) append(found, fact, call)
  return found
}
