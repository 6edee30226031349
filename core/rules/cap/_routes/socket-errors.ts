import { accessesOf, constantOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { openHandlersOf } from './socket-servers.ts'

/**
 * Handlers of connections of ws that anyone makes, which don't listen to errors of them.
 * Facts: ws 8.23, doc/ws.md ("Event: 'error'" of a WebSocket) and lib/websocket.js (`receiverOnError` emits it for an invalid frame, listeners or not);
 * Node.js 24, "Error events" (without a listener the error is thrown). Tried with ws 8: two bytes, ff 00, end the process.
 */
export const socketErrors: Extract<Span> = defineExtract({
  name: 'cap-socket-errors',
  keywords: ["'ws'", '"ws"'],
  prefilter: (text) => /\.on\s{0,4}\(\s{0,20}['"`]connection/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const open = openHandlersOf(facts, text).filter(({ call }) => isOfWs(call))
    if (open.length === 0 || open.some(({ handler }) => ofErrors(handler, text))) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { call, handler } of open) {
      step(facts.calls.length)
      const event = call.args[0]
      if (event !== undefined && !isForDevelopers(call) && !mayListen(handler, facts, text))
        yield { start: event.start, end: event.end }
    }
  },
})

/** `wss.on('connection', …)`, `new WebSocketServer(…).on('connection', …)` */
function isOfWs({ callee, args: [event] }: CallValue): boolean {
  const isOf = 'object' in callee && accessesOf(callee.object).some(({ root }) => root === 'module:ws')
  return isOf && event !== undefined && constantOf(event) === 'connection'
}

/** `socket.on('error', …)`, `socket.onerror = …`, `for (const name of ['error', 'close'])`. */
function ofErrors({ start, end }: Span, text: string): boolean {
  return /["'`]error["'`]|\bonerror\b/.test(text.slice(start, end))
}

const KEEPS = /^(?:add|push|unshift|set|delete|has|get|splice|indexOf|stringify|log|info|debug|warn)$/

/** Another function gets the connection, and listens to its errors, or may do so; or it gets the request, and may ask who connects. */
function mayListen(handler: FunctionFact, { calls }: ScriptFacts, text: string): boolean {
  const [own, request] = handler.parameters
  if (own === undefined) return true
  const isOwn = (value: Value): boolean => {
    if (value.kind === 'object') return value.fields.some((field) => isOwn(field.value))
    return value.kind === 'reference' && value.binding === own
  }
  const isRequest = (value: Value): boolean => value.kind === 'reference' && value.binding === request
  return calls.some((call) => {
    if (request !== undefined && isWithin(call, handler) && call.args.some(isRequest)) return true
    if (!isWithin(call, handler) || !call.args.some(isOwn) || (call.kind === 'call' && KEEPS.test(lastNameOf(call.callee) ?? '')))
      return false
    const called = functionOf(call.callee)
    return called === undefined || ofErrors(called, text)
  })
}
