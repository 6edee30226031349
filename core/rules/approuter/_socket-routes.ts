import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { stringConstantOf, fieldOf, resolveValue, type CallValue } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Route } from '../../model/approuter/index.ts'
import { servedServices, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { isBelow } from '../../paths.ts'
import { mayAnswer, registeredRoutes } from './_read-only-routes.ts'

/** Paths at which scripts take WebSockets: `new WebSocketServer({ server, path: '/ws' })`. Fact: ws 8, doc/ws.md (`path`: accept only connections matching this path). */
export const socketPaths: Extract<string> = defineExtract({
  name: 'approuter-socket-paths',
  keywords: ['WebSocketServer', 'WebSocket.Server', 'ws.Server'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    for (const call of facts.calls) {
      const [options] = call.args
      const given = options && resolveValue(options)
      if (given?.kind !== 'object' || !makesServer(call)) continue
      const path = fieldOf(given, 'path')?.value
      const text = stringConstantOf(path)
      if (text !== undefined) yield text
    }
  },
})

function makesServer({ kind, callee }: CallValue): boolean {
  if (kind !== 'new') return false
  const name = lastNameOf(callee)
  return (
    name === 'WebSocketServer' ||
    (name === 'Server' && callee.kind === 'member' && /^ws$|^WebSocket$/.test(lastNameOf(callee.object) ?? ''))
  )
}

/** The path of `^/ws$`, `^/ws/?$`, `^/live/ws(.*)$`. */
function pathOf(source: string): string | undefined {
  if (!source.startsWith('^') || !source.endsWith('$')) return undefined
  const written = source.slice(1, -1)
  const end = ENDINGS.find((one) => written.endsWith(one)) ?? ''
  const path = written.slice(0, written.length - end.length)
  return PLAIN.test(path) ? path : undefined
}

const ENDINGS = ['/(.*)', '(.*)', '/?']
const PLAIN = /^\/[\w/-]{1,200}$/

/**
 * Whether nothing but WebSockets answers at the path of a route: it is that of a server of them, and no script registers another route there, nor lies a service there. The upgrade is a GET, and nothing is forged by another
 * method. Fact: RFC 6455, 4.1. Needs the extracts `socketPaths` and `registeredRoutes`.
 */
export function upgradesAlone({ source, rewrite }: Route, scripts: Scripts, capRoots: readonly CapRoot[]): boolean {
  const path = rewrite === undefined ? pathOf(source) : undefined
  return (
    path !== undefined &&
    scripts.get(socketPaths).some(({ value }) => value.replace(/\/$/, '') === path) &&
    scripts.get(registeredRoutes).every(({ value }) => !mayAnswer(value, path)) &&
    !capRoots.flatMap(servedServices).some(({ endpoints }) => endpoints.some((one) => isBelow(`${one.path}/`, path)))
  )
}
