import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf, constantOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { listensLocally } from './local-listeners.ts'

const SERVERS: ReadonlySet<string> = new Set(
  ['http', 'https', 'node:http', 'node:https', 'http2', 'node:http2'].flatMap((name) => [
    `module:${name} createServer`,
    `module:${name} createSecureServer`,
  ]),
)

/** What looks at who calls, or turns somebody away. */
const ASKS = /authoriz|authenticat|passport|verify|token|session|cookie|signature|api-?key|\b40[13]\b/i

/** How far calls of functions of the file are followed. */
const MOST_FUNCTIONS = 40

/**
 * The functions of a script that answer the requests of a server of Node.js itself, `http.createServer((req, res) => …)`, and ask nobody who calls.
 * Fact: Node.js 24, "http.createServer".
 */
export const rawServerSpans: Extract<Span> = defineExtract({
  name: 'reach-raw-servers',
  keywords: ['createServer', 'createSecureServer'],
  collect({ facts, text, step }) {
    const answering = facts.calls.flatMap(({ callee, args }) => {
      const isServer = accessesOf(callee).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))
      return isServer || isRequestListener(callee, args) ? answererOf(args.at(-1)) : []
    })
    if (answering.length === 0) return []
    step(text.length)
    if (listensLocally(facts, step)) return []
    const spans = followCalls(answering, createInnerIndex(facts.calls))
    return spans.some(({ start, end }) => ASKS.test(text.slice(start, end)))
      ? []
      : spans.map(({ start, end }) => ({ start, end }))
  },
})

/** `server.on('request', …)` of what `createServer()` gave. */
function isRequestListener(callee: Value, [event]: readonly Value[]): boolean {
  if (callee.kind !== 'member' || !LISTENS.has(callee.name ?? '') || event === undefined || constantOf(event) !== 'request')
    return false
  const server = resolveValue(callee.object)
  return server.kind === 'call' && accessesOf(server.callee).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))
}

const LISTENS: ReadonlySet<string> = new Set(['on', 'addListener', 'once'])

/** The function itself, or the one that a function of the file makes: `createServer(toHandler(pages))`. */
function answererOf(value: Value | undefined): readonly FunctionFact[] {
  const own = functionOf(value)
  if (own !== undefined) return [own]
  const made = value && resolveValue(value)
  return made?.kind === 'call' ? (functionOf(made.callee)?.returns ?? []).flatMap((one) => functionOf(one) ?? []) : []
}

/** Functions with those of the same file that they call. */
export function followCalls(
  first: readonly FunctionFact[],
  callsIn: (fact: FunctionFact) => readonly CallValue[],
): readonly FunctionFact[] {
  const found = new Set(first)
  // what is added on the way is visited too
  for (const fact of found)
    for (const { callee } of found.size < MOST_FUNCTIONS ? callsIn(fact) : []) {
      const called = functionOf(callee)
      if (called !== undefined && found.size < MOST_FUNCTIONS) found.add(called)
    }
  return [...found]
}
