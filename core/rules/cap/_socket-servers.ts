import {
  accessesOf,
  constantOf,
  fieldOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createEffectReader } from '../../flow/index.ts'
import type { Span } from '../../types.ts'

/** A handler of connections that serves whoever connects. `usesData`: it reads or changes data of the application; otherwise it passes on what clients send. */
export interface OpenSocketServer extends Span {
  readonly usesData: boolean
}

/** What makes a WebSocket server. Facts: ws 8.18 (doc/ws.md), socket.io 4.8 (Server API). */
const SERVERS: ReadonlySet<string> = new Set([
  ...['Server', 'WebSocketServer', 'WebSocket Server', 'default Server', 'default WebSocketServer'].map(
    (name) => `module:ws ${name} new`,
  ),
  ...['Server new', 'new', '()', 'default ()', 'default new', 'Server ()', 'listen ()'].map((name) => `module:socket.io ${name}`),
])

/** Options that decide who may connect. Facts: ws 8.18, `verifyClient`; engine.io 6, `allowRequest`. */
const ADMITTING = ['verifyClient', 'allowRequest']

/** What a function has to do with who connects: whether it does so well, other rules ask. */
const LOOKS_AT_CLIENT =
  /auth|token|jwt|cookie|session|verif|passw|credential|api_?key|signature|ticket|secret|log_?in|origin|permission|allowed/i

/** What a client sends by itself; Node.js and the packages emit the others. */
const OWN_EVENTS = /^(?:close|disconnect|disconnecting|error|ping|pong|open|connect|end)$/

/** Handlers of connections of the servers that a script makes, where nothing asks who connects. */
export function* openSocketServers(facts: ScriptFacts, text: string): Generator<OpenSocketServer> {
  const made = facts.calls.filter((call) => accessesOf(call).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' '))))
  if (made.length === 0) return
  const looks = ({ start, end }: Span): boolean => LOOKS_AT_CLIENT.test(text.slice(start, end))
  if (made.some((call) => call.args.some((given) => ADMITTING.some((name) => fieldOf(given, name) !== undefined)))) return
  const handlers = facts.calls.flatMap((call) => (isOfServer(call) ? [{ call, handler: functionOf(call.args[1]) }] : []))
  // io.use(authenticate), server.on('upgrade', (request, socket) => …)
  const fronts = facts.calls.filter(
    (call) => isMiddleware(call) || (lastNameOf(call.callee) === 'on' && isConstant(call.args[0], /^(?:upgrade|headers)$/)),
  )
  if (fronts.some((front) => looks(front) || front.args.some((given) => isUnseen(given)))) return
  const effects = createEffectReader(facts)
  for (const { call, handler } of handlers) {
    if (handler === undefined || looks(handler)) continue
    const usesData = effects.usesOf(handler) === 'stored'
    if (usesData || passesOn(handler, facts)) yield { start: call.callee.start, end: call.callee.end, usesData }
  }
}

/** `wss.on('connection', …)`, `io.of('/orders').on('connection', …)`. */
function isOfServer({ callee, args: [event] }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'on' && isConstant(event, /^connect(?:ion)?$/) && isServer(callee.object)
}

function isServer(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => {
    const path = [root, ...(steps.at(-2) === 'of' ? steps.slice(0, -2) : steps)].join(' ')
    return SERVERS.has(path)
  })
}

/** `io.use(…)`, `io.engine.use(…)`. */
function isMiddleware({ callee }: CallValue): boolean {
  if (callee.kind !== 'member' || callee.name !== 'use') return false
  const { object } = callee
  return isServer(object) || (object.kind === 'member' && object.name === 'engine' && isServer(object.object))
}

/** A function of another file: it may ask. */
function isUnseen(given: Value): boolean {
  return constantOf(given) === undefined && functionOf(given) === undefined
}

function isConstant(value: Value | undefined, pattern: RegExp): boolean {
  const written = value && constantOf(value)
  return typeof written === 'string' && pattern.test(written)
}

/** It listens to what the client sends, and sends to others. */
function passesOn(handler: FunctionFact, { calls }: ScriptFacts): boolean {
  const inside = calls.filter(({ start, end }) => handler.start <= start && end <= handler.end)
  const listens = inside.filter(
    ({ callee, args: [event] }) => lastNameOf(callee) === 'on' && isConstant(event, /./) && !isConstant(event, OWN_EVENTS),
  )
  return listens.some((listening) =>
    inside.some(
      ({ callee, args, start, end }) =>
        listening.start < start &&
        end < listening.end &&
        /^(?:send|emit|publish|broadcast\w{0,20})$/.test(lastNameOf(callee) ?? '') &&
        args.length > 0 &&
        !answersSender(callee, handler),
    ),
  )
}

/** `socket.send(…)`: the client itself; not `socket.broadcast.emit(…)`, `socket.to(room).emit(…)`. */
function answersSender(callee: Value, handler: FunctionFact): boolean {
  const [own] = handler.parameters
  return callee.kind === 'member' && callee.object.kind === 'reference' && callee.object.binding === own
}
