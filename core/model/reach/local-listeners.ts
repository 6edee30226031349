import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { resolveValue, stringConstantOf, type ScriptFacts, type Value } from '../../facts/index.ts'
import { isOfUi5App } from '../script/index.ts'

/** Scripts with a server that the machine itself alone reaches: `app.listen(3000, '127.0.0.1')`. */
export const localListeners: Extract<true> = defineExtract({
  name: 'reach-local-listeners',
  keywords: ['.listen('],
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => (listensLocally(facts, step) ? [true] : []),
})

/**
 * Whether a server of the script listens on an address of its own machine, also one that the environment may replace: `process.env.HOST || 'localhost'`.
 * Facts: Node.js 24, "server.listen" (`port, host`, `{ host }`); Fastify 5, "listen" (`{ host }`).
 */
export function listensLocally({ calls }: Pick<ScriptFacts, 'calls'>, step: (count: number) => void): boolean {
  step(calls.length)
  return calls.some(({ callee, args }) => callee.kind === 'member' && callee.name === 'listen' && hostsOf(args).some(isLocalHost))
}

const LOCAL = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i

function hostsOf([first, second]: readonly Value[]): readonly Value[] {
  const options = first && resolveValue(first)
  if (options?.kind === 'object') return options.fields.flatMap(({ key, value }) => (key === 'host' ? value : []))
  return second === undefined ? [] : [second]
}

/** An address of the machine itself, also as what stands for a missing one: `process.env.HOST || 'localhost'`. */
export function isLocalHost(value: Value): boolean {
  const host = resolveValue(value)
  const last = host.kind === 'choice' ? host.options.at(-1) : host
  return LOCAL.test(stringConstantOf(last) ?? '')
}
