import { constantOf, type CallValue, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import { findCallbacks, methodOf } from '../../facts/callbacks.ts'

/** A function that handles events of a CAP service. */
export interface HandlerFunction {
  readonly fact: FunctionFact
  readonly phase: 'before' | 'on' | 'after'
  readonly call: CallValue
}

const OF_STREAMS = /^(?:data|end|error|close|finish|bootstrap|served|connect|listening|exit|message|shutdown)$/

/** The handlers that a script registers: `srv.before('CREATE', 'Books', (req) => …)`. */
export function findHandlers(facts: ScriptFacts): HandlerFunction[] {
  return [...findCallbacks(facts)].flatMap(([fact, callback]) => {
    const method = methodOf(callback)
    const [event] = callback.call.args
    const { callee } = callback.call
    // an action of a service may be called as an event of a stream; streams name no entity
    const isService = (callee.kind === 'member' && callee.object.kind === 'this') || callback.index > 1
    if (callback.index === 0 || event === undefined) return []
    if (!isService && OF_STREAMS.test(String(constantOf(event) ?? ''))) return []
    return method === 'before' || method === 'on' || method === 'after' ? [{ fact, phase: method, call: callback.call }] : []
  })
}

/** The handler that a place of a script lies in. */
export function handlerAround(handlers: readonly HandlerFunction[], start: number): HandlerFunction | undefined {
  return handlers.findLast(({ fact }) => fact.start <= start && start < fact.end)
}
