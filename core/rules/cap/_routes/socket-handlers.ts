import {
  accessesOf,
  constantOf,
  fieldOf,
  isOnTheWay,
  resolveValue,
  stringConstantOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { SOCKET_SERVERS } from '../../../flow/index.ts'
import { followCalls, isLocalHost, listensLocally } from '../../../model/reach/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** What the file leaves open of a handler that seems to serve whoever connects. */
export interface Doubts {
  /** A function of another file may ask who connects, or what asks can't be told from a look at an address. */
  readonly mayAsk: boolean
  /** The server waits for another file to hand it connections: `noServer: true`. */
  readonly waits: boolean
}

/** A function that serves each connection, whoever makes it. */
export interface OpenHandler {
  readonly call: CallValue
  readonly handler: FunctionFact
  readonly doubts: Doubts
}

const SERVERS: ReadonlySet<string> = new Set(SOCKET_SERVERS)

/** Scripts that hand connections to a server of ws. */
export const socketUpgrades: Extract<true> = defineExtract({
  name: 'cap-socket-upgrades',
  keywords: ['handleUpgrade'],
  isFor: isDeployedCode,
  collectText: () => [true],
})

/** What makes a server of connections. */
export function isSocketServer(call: CallValue): boolean {
  return accessesOf(call).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))
}

/** `server.on('upgrade', …)` */
export function hears({ callee, args: [event] }: CallValue, events: RegExp): boolean {
  return lastNameOf(callee) === 'on' && isConstant(event, events)
}

/** Whether a value is a text of a form. */
export function isConstant(value: Value | undefined, pattern: RegExp): boolean {
  const written = stringConstantOf(value)
  return written !== undefined && pattern.test(written)
}

/** Options that decide who may connect. Facts: ws 8.18, `verifyClient`; engine.io 6, `allowRequest`. */
const ADMITTING = ['verifyClient', 'allowRequest']

/** What a function has to do with who connects: whether it does so well, other rules ask. */
const LOOKS_AT_CLIENT =
  /auth|token|jwt|cookie|session|verif|passw|credential|api_?key|signature|ticket|secret|log_?in|origin|permission|allowed/i

/** Handlers of connections of the servers that a script makes, where nothing asks who connects. */
export function openHandlersOf(facts: ScriptFacts, text: string, step: (count: number) => void): readonly OpenHandler[] {
  const made = facts.calls.filter(isSocketServer)
  if (made.length === 0) return []
  if (made.some((call) => optionOf(call, ADMITTING) !== undefined)) return []
  const callsIn = createInnerIndex(facts.calls)
  const looks = ({ start, end }: Span): boolean =>
    LOOKS_AT_CLIENT.test(text.slice(start, end)) || callsIn({ start, end }).some(({ callee }) => isNamedForLooking(callee))
  const follow = (given: readonly Value[]): readonly FunctionFact[] =>
    followCalls(
      given.flatMap((value) => functionOf(value) ?? []),
      callsIn,
    )
  // io.use(authenticate), server.on('upgrade', (request, socket) => …)
  const fronts = facts.calls.filter((call) => isMiddleware(call) || hears(call, /^(?:upgrade|headers)$/))
  if (fronts.some((front) => looks(front) || follow(front.args).some(looks) || front.args.some((given) => isUnseen(given))))
    return []
  const readPartsOf = createPartReader(facts)
  if (fronts.some((front) => refusesInFront(front, { callsIn, readPartsOf }))) return []
  const isReachable = createReachable(facts, made, step)
  const handlers = facts.calls.filter((call) => isOfServer(call) && isReachable(call))
  step(handlers.length * handlers.length)
  const found = handlers.map((call) => {
    const functions = follow(call.args.slice(1, 2))
    const [handler] = functions
    const refusal = handler === undefined ? 'unseen' : refusalOf(handler, { facts, callsIn, readPartsOf })
    return { call, handler, server: serverOf(call, text), asks: functions.some(looks) || refusal === 'asks', refusal }
  })
  return found.flatMap(({ call, handler, server }) => {
    const same = found.filter((one) => one.server === server)
    if (handler === undefined || same.some(({ asks }) => asks)) return []
    const doubts = { mayAsk: same.some(({ refusal }) => refusal !== undefined), waits: waitsElsewhere(call, facts) }
    return [{ call, handler, doubts }]
  })
}

/** `check(request)` of `const check = auth.verify`: by what it is, whatever its name. */
function isNamedForLooking(callee: Value): boolean {
  return accessesOf(callee).some(({ root, steps }) => LOOKS_AT_CLIENT.test([root, ...steps].join(' ')))
}

/** An option of the server, such as `port` of `new WebSocketServer({ port: 8080 })`. */
function optionOf({ args }: CallValue, names: readonly string[]): Value | undefined {
  return args
    .map(resolveValue)
    .flatMap((given) => names.flatMap((name) => fieldOf(given, name)?.value ?? []))
    .at(0)
}

/** Other machines connect to it: it listens at an address of its own, or the server that it is part of does. Fact: ws 8.18, `new WebSocketServer` (host, port). */
function createReachable({ calls }: ScriptFacts, made: readonly CallValue[], step: (count: number) => void) {
  const isWithLocal = listensLocally({ calls }, step)
  const isOpen = (server: CallValue): boolean => {
    const host = optionOf(server, ['host'])
    if (host !== undefined) return !isLocalHost(host)
    return !isWithLocal || optionOf(server, ['port']) !== undefined
  }
  return (call: CallValue): boolean => {
    const own = ownServer(call)
    return own === undefined ? made.some(isOpen) : isOpen(own)
  }
}

/** The server whose handler a call registers, where the file shows which one it is. */
function ownServer({ callee }: CallValue): CallValue | undefined {
  const server = 'object' in callee ? resolveValue(callee.object) : callee
  return 'args' in server && isSocketServer(server) ? server : undefined
}

/** Without a server of its own it gets only connections that somebody hands to it. Fact: ws 8.18, `noServer`, `handleUpgrade`. */
function waitsElsewhere(call: CallValue, { calls }: ScriptFacts): boolean {
  const server = ownServer(call)
  const option = server && optionOf(server, ['noServer'])
  return (
    option !== undefined && constantOf(option) === true && !calls.some(({ callee }) => lastNameOf(callee) === 'handleUpgrade')
  )
}

/** `io` of `io.on('connection', …)`, `io.sockets.on('connection', …)`. */
function serverOf({ callee }: CallValue, text: string): string {
  return 'object' in callee ? text.slice(callee.object.start, callee.object.end).replace(/\.sockets$/, '') : ''
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

interface HandlerCode {
  readonly facts: ScriptFacts
  readonly callsIn: (around: Span) => readonly CallValue[]
  /** The names of what is read of a name; undefined where it is used as a whole. */
  readonly readPartsOf: (binding: Binding) => ReadonlySet<string | undefined>
}

const ENDS_CONNECTION = /^(?:close|terminate|destroy|disconnect|end)$/
/** The request of a connection. Facts: socket.io 4 (`handshake`, `request`), ws 2 (`upgradeReq`). */
const REQUESTS = ['handshake', 'request', 'upgradeReq']
/** What says where a request goes; a token may stand in it. */
const ADDRESS = /^(?:url|method|socket)$/
const NOTES = /^(?:log|info|debug|warn|trace|emit|stringify)$/
/** What gets a request for where it goes, or to pass it on: `parseUrl(request)`. */
const READS_ADDRESS = /^(?:emit|handleUpgrade|info|debug|warn|trace|stringify)$|log|url|path|parse|room|channel|topic/i

/** Whether a handler ends connections for what their requests say, or a function of another file that gets them; `may`: for what may be no more than an address, or in that function. */
function refusalOf(handler: FunctionFact, { facts, callsIn, readPartsOf }: HandlerCode): 'asks' | 'may' | undefined {
  const [own, request] = handler.parameters
  const inside = callsIn(handler)
  const guards = facts.guards.filter((guard) => isWithin(guard.inside, handler))
  const refusing = inside.filter((call) => endsConnection(call, own) && guards.some((guard) => isOnTheWay(guard, call.start)))
  const refusesItself = refusing.some((call) => call.function === handler)
  if (inside.some((call) => isHanded(call, request, NOTES)))
    return refusesItself && inside.some((call) => isHanded(call, request, READS_ADDRESS)) ? 'asks' : 'may'
  const parts = request === undefined ? [] : [...readPartsOf(request)]
  const isPattern = request === undefined && handler.parameters.length > 1
  const isOfOwn = own !== undefined && REQUESTS.some((name) => readPartsOf(own).has(name))
  if (parts.length === 0 && !isPattern && !isOfOwn) return undefined
  if (refusing.length === 0) return undefined
  const readsMore = isPattern || isOfOwn || parts.some((name) => name !== undefined && !ADDRESS.test(name))
  return readsMore && refusesItself ? 'asks' : 'may'
}

/** `next(new Error('Who?'))` of a middleware that looks at the request, `socket.destroy()` where a function of another file gets the request of an upgrade. */
function refusesInFront(front: CallValue, { callsIn, readPartsOf }: Omit<HandlerCode, 'facts'>): boolean {
  const fact = front.args.map(functionOf).find((one) => one !== undefined)
  if (fact === undefined) return false
  const [first, second] = fact.parameters
  const inside = callsIn(fact)
  if (isMiddleware(front))
    return (
      first !== undefined &&
      REQUESTS.some((name) => readPartsOf(first).has(name)) &&
      inside.some(({ callee, args: [error] }) => isOf(callee, second) && error !== undefined && !isNothing(error))
    )
  return inside.some((call) => isHanded(call, first, READS_ADDRESS)) && inside.some((call) => endsConnection(call, second))
}

function isOf(value: Value, binding: Binding | undefined): boolean {
  return binding !== undefined && 'binding' in value && value.binding === binding
}

/** A function of another file gets the request, but for those with such names. */
function isHanded({ callee, args }: CallValue, request: Binding | undefined, names: RegExp): boolean {
  return args.some((given) => isOf(given, request)) && functionOf(callee) === undefined && !names.test(lastNameOf(callee) ?? '')
}

function endsConnection({ callee }: CallValue, connection: Binding | undefined): boolean {
  return 'object' in callee && ENDS_CONNECTION.test(callee.name ?? '') && isOf(callee.object, connection)
}

/** The names that are read of each name, put together when it is asked for first. */
function createPartReader({ values }: ScriptFacts): (binding: Binding) => ReadonlySet<string | undefined> {
  let parts: Map<Binding, Set<string | undefined>> | undefined
  return (binding) => {
    if (parts === undefined) {
      parts = new Map()
      for (const { value, parent } of values) {
        if (!('binding' in value) || value.binding === undefined) continue
        const known = parts.get(value.binding) ?? new Set()
        parts.set(value.binding, known)
        known.add(parent !== undefined && 'object' in parent && parent.object === value ? parent.name : undefined)
      }
    }
    return parts.get(binding) ?? new Set()
  }
}
