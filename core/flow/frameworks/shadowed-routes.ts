import { stringConstantOf, type Binding, type CallValue, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { isAsCertain } from '../../facts/guards.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import { append } from '../../lists.ts'
import { VERBS } from '../tables/routes.ts'
import { keyOf, routeBelow } from './registrations.ts'

/** A route of one handler, as far as its path is written. */
interface WrittenRoute {
  readonly call: CallValue
  readonly app: Binding | string
  readonly verb: string
  readonly segments: readonly string[]
  /** The only one, which never passes the request on. */
  readonly answers: boolean
  /** Its framework tries routes in the order of their registration. */
  readonly isOrdered: boolean
}

/**
 * Tells whether an offset lies in a call that registers a route which an earlier one of the same app answers: `app.get('/parts/:id', …)` before `app.get('/parts/new', …)`. The handlers that are
 * written in it never run, and neither does what they would register.
 * Facts: Express 5, "Routing" (the first route that matches answers, unless it calls next); @koa/router 13, "Nested routes" (likewise). find-my-way 9, which Fastify
 * and restify use, and h3 2 try written segments before parameters, whatever the order.
 */
export function createShadowReader(facts: ScriptFacts, step: (count?: number) => void): (offset: number) => boolean {
  const found: CallValue[] = []
  const earlier = new Map<Binding | string, WrittenRoute[]>()
  const routes = facts.calls.flatMap((call) => routeOf(call) ?? []).sort((a, b) => placeOf(a.call) - placeOf(b.call))
  // they come in the order of the text: what begins before this is written in one that never runs
  let hiddenUntil = 0
  for (const route of routes) {
    const { call } = route
    if (placeOf(call) < hiddenUntil) continue
    const known = earlier.get(route.app) ?? []
    step(known.length)
    const isShadowed = known.some((one) => covers(one, route) && runsFirst(one.call, call, facts, step))
    if (isShadowed) {
      found.push(call)
      hiddenUntil = call.end
    } else if (route.answers) append(earlier, route.app, route)
  }
  if (found.length === 0) return () => false
  // of a chain, `router.get(…).post(…)`, the call is also what stands before it
  const around = createSpanIndex(found, (call) => ({ start: placeOf(call), end: call.end }))
  return (offset) => around(offset).length > 0
}

/** Behind the receiver: of a chain the calls begin at one place. */
function placeOf({ callee }: CallValue): number {
  return 'object' in callee ? callee.object.end : callee.end
}

function routeOf(call: CallValue): WrittenRoute | undefined {
  const { callee, args } = call
  if (!('object' in callee) || !VERBS.has(callee.name ?? '')) return undefined
  const below = routeBelow(callee.object)
  const written = below ?? args[0]
  const path = stringConstantOf(written)
  const app = keyOf(callee.object)
  if (path === undefined || !path.startsWith('/') || app === undefined) return undefined
  // what is given another app later is none of which the order tells
  if (typeof app !== 'string' && app.definitions.length > 1) return undefined
  const [handler, other] = below === undefined ? args.slice(1) : args
  const fact = other === undefined ? functionOf(handler) : undefined
  const answers = fact !== undefined && neverPassesOn(fact)
  const isOrdered = fact !== undefined && isOfOrdered(fact)
  return { call, app, verb: callee.name ?? '', segments: path.split('/'), answers, isOrdered }
}

/** `(req, res) => …`, `(ctx) => …`: without a third parameter, and without that of Koa. */
function neverPassesOn({ parameters, rest }: FunctionFact): boolean {
  const [first, second] = parameters
  if (rest !== undefined || parameters.length > 2) return false
  return parameters.length < 2 || (!/^_?next$/.test(second?.name ?? '') && !/^_?(?:c|ctx|context)$/.test(first?.name ?? ''))
}

/** `(req, res) => …` of Express, `(ctx) => …` of Koa and Hono; not `(request, reply) => …` of Fastify. */
function isOfOrdered({ parameters: [first, second] }: FunctionFact): boolean {
  return /^_?res(?:ponse)?$/.test(second?.name ?? '') || /^_?(?:c|ctx|context)$/.test(first?.name ?? '')
}

/** All that the later route matches, the earlier one matches. */
function covers(earlier: WrittenRoute, later: WrittenRoute): boolean {
  if (earlier.verb !== later.verb && earlier.verb !== 'all') return false
  if (earlier.segments.length !== later.segments.length) return false
  return earlier.segments.every((segment, index) => {
    const other = later.segments[index] ?? ''
    return segment === other || (earlier.isOrdered && /^:\w+$/.test(segment) && /^:?[\w.~-]+$/.test(other))
  })
}

/** In the same function, whatever its conditions say: of two branches each has its own route. */
function runsFirst(earlier: CallValue, later: CallValue, facts: ScriptFacts, step: (count?: number) => void): boolean {
  return earlier.function === later.function && isAsCertain(facts, placeOf(earlier), placeOf(later), step)
}
