import { accessesOf, constantOf, stringConstantOf, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { followCalls } from '../../../model/reach/index.ts'
import { openHandlersOf, type Doubts } from './socket-handlers.ts'

/**
 * Handlers of connections of ws that anyone makes, which don't listen to errors of them.
 * Facts: ws 8.23, doc/ws.md ("Event: 'error'" of a WebSocket) and lib/websocket.js (`receiverOnError` emits it for an invalid frame, listeners or not);
 * Node.js 24, "Error events" (without a listener the error is thrown). Tried with ws 8: two bytes, ff 00, end the process.
 */
export const socketErrors: Extract<UnheardErrors> = defineExtract({
  name: 'cap-socket-errors',
  keywords: ["'ws'", '"ws"'],
  prefilter: (text) => /\.on\s{0,4}\(\s{0,20}['"`]connection/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const open = openHandlersOf(facts, text, step).filter(({ call }) => isOfWs(call))
    if (open.length === 0) return
    const callsIn = createInnerIndex(facts.calls)
    const listening = new Set(open.map(({ handler }) => listens(handler, { text, callsIn })))
    if (listening.has('yes')) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { call, handler, doubts } of open) {
      const event = call.args[0]
      if (event === undefined || isForDevelopers(call)) continue
      const handed = handsOn(handler, { text, callsIn })
      const mayListen = handed === 'perhaps' || listening.has('perhaps')
      if (handed !== 'yes')
        yield { start: event.start, end: event.end, doubts: { ...doubts, mayAsk: doubts.mayAsk || mayListen } }
    }
  },
})

/** The name of the event of connections, where nothing listens to errors of them. */
export interface UnheardErrors extends Span {
  readonly doubts: Doubts
}

interface Code {
  readonly text: string
  readonly callsIn: (around: Span) => readonly CallValue[]
}

/** `wss.on('connection', …)`, `new WebSocketServer(…).on('connection', …)` */
function isOfWs({ callee, args: [event] }: CallValue): boolean {
  const isOf = 'object' in callee && accessesOf(callee.object).some(({ root }) => root === 'module:ws')
  return isOf && event !== undefined && constantOf(event) === 'connection'
}

const LISTENING = /^(?:on|once|addListener|prependListener|addEventListener)$/

/** `socket.on('error', …)`, `socket.onerror = …`, `for (const name of ['error', 'close'])`, `socket.on(EVENTS.error, …)`; perhaps: `socket.on(EVENTS.failed, …)`. */
function listens(handler: FunctionFact, { text, callsIn }: Code): Listens {
  if (/["'`]error["'`]|\bonerror\b/.test(text.slice(handler.start, handler.end))) return 'yes'
  const events = callsIn(handler).flatMap(({ callee, args }) =>
    LISTENING.test(lastNameOf(callee) ?? '') ? args.slice(0, 1) : [],
  )
  if (events.some((event) => /error/i.test(stringConstantOf(event) ?? lastNameOf(event) ?? ''))) return 'yes'
  return events.some((event) => stringConstantOf(event) === undefined) ? 'perhaps' : 'no'
}

type Listens = 'yes' | 'perhaps' | 'no'

const KEEPS = /^(?:add|push|unshift|set|delete|has|get|splice|indexOf|stringify|log|info|debug|warn)$/

/** Whether another function gets the connection, and listens to its errors, or may do so; or it gets the request, and may ask who connects. */
function handsOn(handler: FunctionFact, code: Code): Listens {
  const [own, request] = handler.parameters
  if (own === undefined) return 'yes'
  const isOwn = (value: Value): boolean =>
    'fields' in value ? value.fields.some((field) => isOwn(field.value)) : 'binding' in value && value.binding === own
  const isRequest = (value: Value): boolean => request !== undefined && 'binding' in value && value.binding === request
  const found = code.callsIn(handler).map((call): Listens => {
    if (call.args.some(isRequest)) return 'yes'
    if (!call.args.some(isOwn) || (call.kind === 'call' && KEEPS.test(lastNameOf(call.callee) ?? ''))) return 'no'
    const called = functionOf(call.callee)
    return called === undefined ? 'yes' : strongest(followCalls([called], code.callsIn).map((one) => listens(one, code)))
  })
  return strongest(found)
}

function strongest(found: readonly Listens[]): Listens {
  return found.find((one) => one === 'yes') ?? found.find((one) => one === 'perhaps') ?? 'no'
}
