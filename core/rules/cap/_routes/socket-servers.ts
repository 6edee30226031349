import { accessesOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createEffectReader } from '../../../flow/index.ts'
import { createDevelopmentReader, isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isConstant, openHandlersOf, type Doubts } from './socket-handlers.ts'

/** A handler of connections that serves whoever connects. */
export interface OpenSocketServer extends Span {
  /** It reads or changes data of the application, passes on what clients send, or gives the connection to a function of another file. */
  readonly does: 'uses-data' | 'passes-on' | 'hands-over'
  readonly doubts: Doubts
}

/** The servers that a script makes, tests and code for developers aside. */
export const socketServers: Extract<OpenSocketServer> = defineExtract({
  name: 'cap-socket-servers',
  keywords: ['socket.io', 'WebSocket', "'ws'", '"ws"'],
  prefilter: (text) => /\.on\s{0,4}\(\s{0,20}['"`]connect/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const isForDevelopers = createDevelopmentReader(facts)
    for (const found of openSocketServers(facts, text, step)) if (!isForDevelopers(found)) yield found
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

/** What a client sends by itself; Node.js and the packages emit the others. */
const OWN_EVENTS = /^(?:close|disconnect|disconnecting|error|ping|pong|open|connect|end)$/

function* openSocketServers(facts: ScriptFacts, text: string, step: (count: number) => void): Generator<OpenSocketServer> {
  const effects = createEffectReader(facts)
  for (const { call, handler, doubts } of openHandlersOf(facts, text, step)) {
    const does =
      effects.usesOf(handler) === 'stored'
        ? 'uses-data'
        : passesOn(handler, facts)
          ? 'passes-on'
          : handsOver(handler, facts)
            ? 'hands-over'
            : undefined
    if (does !== undefined) yield { start: call.callee.start, end: call.callee.end, does, doubts }
  }
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
