import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import type { Span } from '../../types.ts'

const SERVERS: ReadonlySet<string> = new Set(
  ['http', 'https', 'node:http', 'node:https', 'http2', 'node:http2'].flatMap((name) => [
    `module:${name} createServer`,
    `module:${name} createSecureServer`,
  ]),
)

/** What looks at who calls, or turns somebody away. */
const ASKS = /authoriz|authenticat|passport|verify|token|session|cookie|signature|api-?key|\b40[13]\b/i
/** The machine itself alone reaches it. */
const LOCAL = /\.listen\([^()]{0,80}["'`](?:localhost|127\.0\.0\.1|::1)["'`]/

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
      if (!accessesOf(callee).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))) return []
      return functionOf(args.at(-1)) ?? []
    })
    if (answering.length === 0) return []
    step(text.length)
    if (LOCAL.test(text)) return []
    const spans = withCalled(answering, facts)
    return spans.some(({ start, end }) => ASKS.test(text.slice(start, end)))
      ? []
      : spans.map(({ start, end }) => ({ start, end }))
  },
})

/** Functions with those of the same file that they call. */
function withCalled(first: readonly FunctionFact[], { calls }: ScriptFacts): readonly FunctionFact[] {
  const found = new Set(first)
  // what is added on the way is visited too
  for (const fact of found)
    for (const { callee, start } of calls) {
      const called = start >= fact.start && start < fact.end ? functionOf(callee) : undefined
      if (called !== undefined && found.size < MOST_FUNCTIONS) found.add(called)
    }
  return [...found]
}
