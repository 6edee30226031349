import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createEffectReader, SOCKET_SERVERS } from '../../../flow/index.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isWithin } from '../../../facts/span-index.ts'

/** A handler of connections that serves whoever connects. */
export interface OpenSocketServer extends Span {
  /** It reads or changes data of the application, passes on what clients send, or gives the connection to a function of another file. */
  readonly does: 'uses-data' | 'passes-on' | 'hands-over'
}

/** The servers that a script makes, tests and code for developers aside. */
export const socketServers: Extract<OpenSocketServer> = defineExtract({
  name: 'cap-socket-servers',
  keywords: ['socket.io', 'WebSocket', "'ws'", '"ws"'],
  prefilter: (text) => /\.on\s{0,4}\(\s{0,20}['"`]connect/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text }) {
    const isForDevelopers = createDevelopmentReader(facts)
    for (const found of openSocketServers(facts, text)) if (!isForDevelopers(found)) yield found
  },
})

/** One item for each script whose functions get a connection, listen to what its client sends, and read or change data then. */
export const socketListeners: Extract<true> = defineExtract({
  name: 'cap-socket-listeners',
  keywords: ['sock'],
  prefilter: (text) => /\bsock(?:et)?\s{0,4}\.\s{0,4}on\s{0,4}\(/i.test(text),
  isFor: isDeployedCode,
  *collect({ facts }) {
    const effects = createEffectReader(facts)
    const isListening = ({ callee, args: [event, handler] }: CallValue): boolean => {
      if (callee.kind !== 'member' || callee.name !== 'on' || callee.object.kind !== 'reference') return false
      if (callee.object.binding?.kind !== 'parameter' || !isConstant(event, /./) || isConstant(event, OWN_EVENTS)) return false
      const listener = functionOf(handler)
      return listener !== undefined && effects.usesOf(listener) === 'stored'
    }
    if (facts.calls.some(isListening)) yield true
  },
})

const SERVERS: ReadonlySet<string> = new Set(SOCKET_SERVERS)

/** What makes a server of connections. */
export function isSocketServer(call: CallValue): boolean {
  return accessesOf(call).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))
}

/** `server.on('upgrade', …)` */
export function hears({ callee, args: [event] }: CallValue, events: RegExp): boolean {
  return lastNameOf(callee) === 'on' && isConstant(event, events)
}

/** Options that decide who may connect. Facts: ws 8.18, `verifyClient`; engine.io 6, `allowRequest`. */
const ADMITTING = ['verifyClient', 'allowRequest']

/** What a function has to do with who connects: whether it does so well, other rules ask. */
const LOOKS_AT_CLIENT =
  /auth|token|jwt|cookie|session|verif|passw|credential|api_?key|signature|ticket|secret|log_?in|origin|permission|allowed/i

/** What a client sends by itself; Node.js and the packages emit the others. */
const OWN_EVENTS = /^(?:close|disconnect|disconnecting|error|ping|pong|open|connect|end)$/

/** A function that serves each connection, whoever makes it. */
export interface OpenHandler {
  readonly call: CallValue
  readonly handler: FunctionFact
}

/** Handlers of connections of the servers that a script makes, where nothing asks who connects. */
export function openHandlersOf(facts: ScriptFacts, text: string): readonly OpenHandler[] {
  const made = facts.calls.filter(isSocketServer)
  if (made.length === 0) return []
  const looks = ({ start, end }: Span): boolean => LOOKS_AT_CLIENT.test(text.slice(start, end))
  if (made.some((call) => call.args.some((given) => ADMITTING.some((name) => fieldOf(given, name) !== undefined)))) return []
  // io.use(authenticate), server.on('upgrade', (request, socket) => …)
  const fronts = facts.calls.filter((call) => isMiddleware(call) || hears(call, /^(?:upgrade|headers)$/))
  if (fronts.some((front) => looks(front) || front.args.some((given) => isUnseen(given)))) return []
  return facts.calls.flatMap((call) => {
    const handler = isOfServer(call) ? functionOf(call.args[1]) : undefined
    return handler === undefined || looks(handler) ? [] : [{ call, handler }]
  })
}

function* openSocketServers(facts: ScriptFacts, text: string): Generator<OpenSocketServer> {
  const effects = createEffectReader(facts)
  for (const { call, handler } of openHandlersOf(facts, text)) {
    const does =
      effects.usesOf(handler) === 'stored'
        ? 'uses-data'
        : passesOn(handler, facts)
          ? 'passes-on'
          : handsOver(handler, facts)
            ? 'hands-over'
            : undefined
    if (does !== undefined) yield { start: call.callee.start, end: call.callee.end, does }
  }
}

/** `wss.on('connection', …)`, `io.of('/orders').on('connection', …)`, `io.sockets.on('connection', …)`. */
function isOfServer({ callee, args: [event] }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'on' && isConstant(event, /^connect(?:ion)?$/) && isServer(callee.object)
}

function isServer(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => {
    const own = steps.at(-2) === 'of' ? steps.slice(0, -2) : steps.at(-1) === 'sockets' ? steps.slice(0, -1) : steps
    return SERVERS.has([root, ...own].join(' '))
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
  const written = stringConstantOf(value)
  return written !== undefined && pattern.test(written)
}

/** It listens to what the client sends, and sends to others. */
function passesOn(handler: FunctionFact, { calls }: ScriptFacts): boolean {
  const inside = calls.filter((span) => isWithin(span, handler))
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

/** `require('./orders')(socket)`: another file listens. */
function handsOver(handler: FunctionFact, { calls }: ScriptFacts): boolean {
  const [own] = handler.parameters
  return calls.some(
    (call) =>
      isWithin(call, handler) &&
      call.args.some((given) => given.kind === 'reference' && given.binding !== undefined && given.binding === own) &&
      accessesOf(call.callee).some(({ root }) => root.startsWith('module:.')),
  )
}

/** `socket.send(…)`: the client itself; not `socket.broadcast.emit(…)`, `socket.to(room).emit(…)`. */
function answersSender(callee: Value, handler: FunctionFact): boolean {
  const [own] = handler.parameters
  return callee.kind === 'member' && callee.object.kind === 'reference' && callee.object.binding === own
}
