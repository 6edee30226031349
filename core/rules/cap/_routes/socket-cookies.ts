import { fieldOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isWithin, spanOf } from '../../../facts/span-index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { hears, isSocketServer } from './socket-handlers.ts'

/** What a script has to do with who opens a WebSocket in whose name. */
export type SocketUse =
  | { readonly kind: 'server' | 'checks-origin' | 'same-site' }
  /** It takes the user from the cookie that the browser sends with the request of the connection. */
  | { readonly kind: 'cookie'; readonly at: Span; readonly part: string }

/** Servers of WebSockets, and what their scripts make of the cookie and of the origin of those who connect. */
export const socketUses: Extract<SocketUse> = defineExtract({
  name: 'cap-socket-uses',
  keywords: ['socket.io', 'engine.io', 'WebSocket', "'ws'", '"ws"', 'cookie', 'session', 'sameSite', 'SameSite', 'origin'],
  prefilter: (text) =>
    isOfSameSite(text) || /["'](?:socket\.io|engine\.io|ws)["']|\b(?:request|handshake|upgradeReq|req)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    if (isOfSameSite(text)) yield { kind: 'same-site' }
    const isServer = facts.calls.some(isSocketServer)
    if (isServer) yield { kind: checksOrigin(facts, text) ? 'checks-origin' : 'server' }
    if (!isServer && looksAtOrigin(text)) {
      if (READS_ORIGIN.test(text) && !/access-control/i.test(text)) yield { kind: 'checks-origin' }
      return
    }
    for (const { value } of facts.values) {
      step()
      const at = cookieRead(value, facts)
      if (at === undefined) continue
      step(facts.functions.length + facts.calls.length)
      const inside = facts.functions.filter((one) => one.parent?.kind === 'file' && isWithin(value, one))
      const read = inside.map(({ start, end }) => text.slice(start, end)).join('\n')
      if (!DEFENDS.test(read) && (at === 'session' || IDENTIFIES.test(read)))
        yield { kind: 'cookie', at: spanOf(value), part: text.slice(value.start, value.end) }
    }
  },
})

/** A cookie that browsers don't send with a connection that another site opens. Fact: RFC 6265bis, "SameSite". */
function isOfSameSite(text: string): boolean {
  return [...text.matchAll(/samesite["']?\s{0,4}[:=]([^,;}\n]{0,80})/gi)].some(
    ([, value = '']) => /\b(?:lax|strict|true)\b/i.test(value) && !/none/i.test(value),
  )
}

/** What says who the user is. */
const IDENTIFIES = /verif|decod|jwt|session|token|get_?user|find_?user|unsign|authenticat/i
/** What another site does not know, or a browser says of it. */
const DEFENDS =
  /csrf|xsrf|handshake\.auth\b|handshake\.query\.\w{0,20}(?:token|ticket)|sec-websocket-protocol|headers\.authorization\b|sec-fetch-site|referer/i
/** Words about CORS, which browsers do not apply to WebSockets. Fact: socket.io 4, "Handling CORS". */
const CORS = /\bcors\s{0,4}[:(]\s{0,4}\{[^{}]{0,400}\}|Access-Control-Allow-Origin/gi

/** A function that another file may ask. */
const READS_ORIGIN = /\bheaders\b.{0,3}\borigin\b/
/** Without WebSockets the rules of CORS apply. Fact: socket.io 4, `transports`. */
const POLLS_ONLY = /\btransports["']?\s{0,4}:\s{0,4}\[\s{0,9}["'`]polling["'`]\s{0,9}\]/

function looksAtOrigin(text: string): boolean {
  return /(?:\b|[a-z_])origins?\b/i.test(text.replace(CORS, ''))
}

/** Where the deciding function is of another file, it may look at the origin. Facts: ws 8.18, `verifyClient`; engine.io 6, `allowRequest`. */
function checksOrigin({ calls }: ScriptFacts, text: string): boolean {
  const isElsewhere = (given: Value | undefined): boolean => given !== undefined && functionOf(given) === undefined
  return (
    looksAtOrigin(text) ||
    POLLS_ONLY.test(text) ||
    calls.some(
      (call) =>
        (isSocketServer(call) &&
          call.args.some((given) => ['verifyClient', 'allowRequest'].some((name) => isElsewhere(fieldOf(given, name)?.value)))) ||
        (hears(call, /^upgrade$/) && isElsewhere(call.args[1])),
    )
  )
}

/** `socket.request.headers.cookie`, `request.headers.cookie`, `socket.handshake.session`. */
function cookieRead(value: Value, facts: ScriptFacts): 'cookie' | 'session' | undefined {
  if (value.kind !== 'member') return undefined
  const { name, object } = value
  if (name === 'session') return isOfConnection(object) ? 'session' : undefined
  if (name !== 'cookie' || object.kind !== 'member' || object.name !== 'headers') return undefined
  const isRequest = (given: Value): boolean => isOfConnection(given) || isUpgradeRequest(given, facts)
  return isRequest(object.object) || isGiven(object.object, isRequest, facts) ? 'cookie' : undefined
}

/** `userOf(request)`: a parameter of a function of the file that is given it. */
function isGiven(value: Value, isRequest: (given: Value) => boolean, { calls }: ScriptFacts): boolean {
  if (value.kind !== 'reference' || value.binding?.kind !== 'parameter') return false
  const { binding } = value
  const position = binding.function.parameters.indexOf(binding)
  return calls.some(({ callee, args }) => {
    const given = functionOf(callee) === binding.function ? args[position] : undefined
    return given !== undefined && isRequest(given)
  })
}

/** The request of `(socket) => socket.request`. Facts: engine.io 6 (`socket.request`), socket.io 4 (`socket.handshake`), ws 2 (`upgradeReq`). */
function isOfConnection(value: Value): boolean {
  if (value.kind !== 'member' || !/^(?:request|handshake|upgradeReq)$/.test(value.name ?? '')) return false
  const { object } = value
  return object.kind === 'reference' && object.binding?.kind === 'parameter' && /sock|client|conn|^ws$/i.test(object.name)
}

/** `on('connection', (socket, request) => …)`, `on('upgrade', (request) => …)`, `verifyClient: ({ req }) => …`. */
function isUpgradeRequest(value: Value, { calls }: ScriptFacts): boolean {
  const named = value.kind === 'member' && value.name === 'req' ? value.object : value
  if (named.kind !== 'reference' || named.binding?.kind !== 'parameter') return false
  const { binding } = named
  const takes = (given: FunctionFact | undefined, parameter: number): boolean =>
    given !== undefined && given.parameters[parameter] === binding
  const verifies = (call: CallValue): boolean =>
    isSocketServer(call) && call.args.some((given) => functionOf(fieldOf(given, 'verifyClient')?.value) === binding.function)
  return calls.some(
    (call) =>
      (hears(call, /^connection$/) && takes(functionOf(call.args[1]), 1)) ||
      (hears(call, /^upgrade$/) && takes(functionOf(call.args[1]), 0)) ||
      (verifies(call) && (named !== value || binding.name === 'req')),
  )
}
