import {
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  accessesOf,
  type ArrayValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { Callback } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { VERBS } from '../tables/routes.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Calls that register routes, hooks and routers with an app; those of a loop once for each item of a list that the file writes. */
export function registrationsIn(
  { calls }: ScriptFacts,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  step: (count?: number) => void,
): readonly CallValue[] {
  return calls.flatMap((written) => {
    const call = withVerb(written)
    if (call.kind !== 'call' || !isRegistration(call)) return []
    const turns = turnsOf(call, callbacks)
    step(turns.length)
    return turns
  })
}

/** `router.on('GET', '/x', handler)` and `app.route('GET', '/x', handler)` as `router.get('/x', handler)`. Fact: find-my-way 9 (README, "on"). */
export function withVerb(call: CallValue): CallValue {
  const { callee, args } = call
  const [method, path, ...handlers] = args
  if (!('object' in callee) || (callee.name !== 'on' && callee.name !== 'route') || path === undefined || handlers.length === 0)
    return call
  const [verb, address] = [method, path].map((value) => value && constantOf(value))
  if (typeof verb !== 'string' || typeof address !== 'string' || !address.startsWith('/')) return call
  const name = verb.toLowerCase()
  return VERBS.has(name) ? { ...call, callee: { ...callee, name }, args: [path, ...handlers] } : call
}

const APP_NAME = /app|router|routes|server|express/i

/** `app.get('/x', …)`, `app.use(…)`, `router.route('/x')`, `app[verb](path, handler)`: whether the receiver is an app, only the graph tells. */
function isRegistration({ callee, args }: CallValue): boolean {
  if (!('object' in callee)) return false
  const { name, object } = callee
  const isNamed = APP_NAME.test(nameOf(object) ?? '')
  if (name === undefined) return isNamed && args.length >= 2
  if (name === 'use') return args.length > 0
  if (name === 'param') return args.length === 2 && isNamed
  if (name === 'route') return args.length === 1 && isNamed
  if (name === 'addHook') return args.length === 2
  if (name === 'register') return args.length > 0 && isNamed
  if (!VERBS.has(name)) return false
  if (routeBelow(object) !== undefined) return args.length > 0
  if (args.length < 2) return false
  const path = stringConstantOf(args[0])
  return (path !== undefined && path.startsWith('/')) || isNamed
}

function nameOf(value: Value): string | undefined {
  const here = value.kind === 'await' ? value.value : value
  if ('name' in here) return here.name
  return 'callee' in here && 'object' in here.callee ? nameOf(here.callee.object) : undefined
}

const MAX_CHAIN = 20

/** The path of `app.route('/x').get(…).post(…)`. */
export function routeBelow(value: Value): Value | undefined {
  let here = value
  for (let hops = 0; hops < MAX_CHAIN && 'callee' in here && 'object' in here.callee; hops++) {
    if (here.callee.name === 'route' && here.args.length === 1) return here.args[0]
    if (!VERBS.has(here.callee.name ?? '')) return undefined
    here = here.callee.object
  }
  return undefined
}

/** The name of an app, or the field of `this` that it is. */
export function keyOf(value: Value): Binding | string | undefined {
  if ('binding' in value) return value.binding
  if ('object' in value && value.object.kind === 'this') return `this.${value.name ?? ''}`
  return 'callee' in value && 'object' in value.callee ? keyOf(value.callee.object) : undefined
}

/** What a name is in a loop: an item of a list, or a part of it. */
interface LoopedValue {
  readonly list: Value
  readonly path: readonly string[]
}

/** `for (const { router } of mounts)`, `mounts.forEach((one) => one.router)`. */
function loopedValue(value: Value, callbacks: ReadonlyMap<FunctionFact, Callback>): LoopedValue | undefined {
  if ('object' in value && value.name !== undefined) {
    const below = loopedValue(value.object, callbacks)
    return below && { list: below.list, path: [...below.path, value.name] }
  }
  const [definition, other] = ('binding' in value && value.binding?.definitions) || []
  if (definition === undefined || other !== undefined) return undefined
  const { kind, value: list, path, parameter } = definition
  if (kind === 'each') return list && { list, path }
  if (kind !== 'parameter' || parameter !== 0) return undefined
  const callback = callbacks.get(definition.function)
  const callee = callback?.index === 0 ? callback.call.callee : undefined
  return callee !== undefined && 'object' in callee && /^(?:forEach|map|flatMap)$/.test(callee.name ?? '')
    ? { list: callee.object, path }
    : undefined
}

/** Rows of a table of routes; a larger one is told as one route of any path. */
const MAX_TURNS = 200

function turnsOf(call: CallValue, callbacks: ReadonlyMap<FunctionFact, Callback>): readonly CallValue[] {
  const { callee, args } = call
  const verb = 'object' in callee ? callee.property : undefined
  const asked = [...args.map(spreadValue), ...(verb === undefined ? [] : [verb])]
  const looped = asked.flatMap((value) => loopedValue(value, callbacks)?.list ?? [])
  const [list] = looped
  const items = list && itemsOf(list)
  if (items === undefined || items.length === 0 || items.length > MAX_TURNS) return [call]
  return items.map((item) => {
    const here = (value: Value): Value => {
      const own = loopedValue(spreadValue(value), callbacks)
      return own === undefined || own.list !== list ? value : (partAt(item, own.path) ?? value)
    }
    const written = verb && constantOf(here(verb))
    const isVerb = 'object' in callee && typeof written === 'string' && VERBS.has(written.toLowerCase())
    const filled = args.flatMap((value) => (value === spreadValue(value) ? here(value) : (itemsOf(here(value)) ?? value)))
    return { ...call, ...(isVerb && { callee: { ...callee, name: written.toLowerCase() } }), args: filled }
  })
}

/** Where a registration is written: of one in a loop the path in the list, of one in a chain, `router.get(…).put(…)`, its own name. */
export function placeOf(call: CallValue): Span {
  const {
    callee,
    args: [path],
  } = call
  const isChained =
    'object' in callee &&
    'callee' in callee.object &&
    VERBS.has(lastNameOf(callee.object.callee) ?? '') &&
    routeBelow(callee.object) === undefined
  const start = isChained ? callee.end - (lastNameOf(callee) ?? '').length : call.start
  return path === undefined || isWithin(path, { start, end: call.end }) ? { start, end: callee.end } : path
}

/** What a list that the file writes holds: `[a, b]`, `Object.entries({ '/a': a })`, `Object.values({ a, b })`. */
export function itemsOf(list: Value): readonly Value[] | undefined {
  const made = resolveValue(list)
  if ('items' in made) return made.items
  const [given] = 'args' in made ? made.args : []
  const object = given && resolveValue(given)
  const name = 'callee' in made ? lastNameOf(made.callee) : undefined
  if (object === undefined || !('fields' in object) || (name !== 'entries' && name !== 'values')) return undefined
  return object.fields.flatMap(({ key, value, start, end }): Value[] => {
    if (key === undefined) return []
    if (name === 'values') return [value]
    const pair: ArrayValue = { kind: 'array', start, end: value.end, items: [{ kind: 'literal', start, end, value: key }, value] }
    return [pair]
  })
}

/** `front` of `...front`. */
export function spreadValue(value: Value): Value {
  return value.kind === 'spread' ? value.value : value
}

/** A part of an item: `['1', 'router']` of a pair. */
function partAt(item: Value, path: readonly string[]): Value | undefined {
  let here: Value | undefined = item
  for (const name of path) {
    const made: Value | undefined = here && resolveValue(here)
    here = made !== undefined && 'items' in made ? made.items[Number(name)] : fieldOf(made, name)?.value
  }
  return here
}

/** Hooks that run before a handler, and that may answer instead of it. Facts: Fastify 5, "Hooks" (request lifecycle); hyper-express 7, "Router" (`middlewares`). */
const FRONT_HOOKS: ReadonlySet<string> = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler', 'middlewares'])

/** `app.addHook('preHandler', verify)`: what asks every request of the app, whatever is registered first. */
export function hookOf({ callee, args: [name, hook] }: CallValue): Value | undefined {
  if (lastNameOf(callee) !== 'addHook' || name === undefined) return undefined
  const written = stringConstantOf(name)
  return written !== undefined && FRONT_HOOKS.has(written) ? hook : undefined
}

/** What options of a route run before its handler: `{ preHandler: [verify] }`. */
export function hooksIn(options: Value): readonly Value[] {
  const made = resolveValue(options)
  return [...FRONT_HOOKS].flatMap((name) => fieldOf(made, name)?.value ?? [])
}

/** A route that an object describes: `app.route({ method: 'POST', url: '/orders', handler })`. */
interface DescribedRoute {
  readonly path: Value | undefined
  readonly method: string
  readonly handler: Value
}

export function describedRoute(options: Value | undefined): DescribedRoute | undefined {
  const made = options && resolveValue(options)
  const handler = fieldOf(made, 'handler')?.value
  if (handler === undefined) return undefined
  const method = fieldOf(made, 'method')?.value
  const written = stringConstantOf(method)
  return { path: fieldOf(made, 'url')?.value, method: written !== undefined ? written.toLowerCase() : 'all', handler }
}

/** `router.routes()` of Koa is the router. Fact: @koa/router 13 (README). */
export function routerBehind(value: Value): Value {
  const callee = 'callee' in value && value.args.length === 0 ? value.callee : undefined
  const isRoutes = callee !== undefined && /^(?:routes|middleware)$/.test(lastNameOf(callee) ?? '')
  return isRoutes && 'object' in callee ? callee.object : value
}

/** `(ctx, next) => …` lets the next one run; `(req, res) => …` answers. */
export function answersItself({ parameters }: FunctionFact): boolean {
  return parameters.length === 2 && !/^_?next$/.test(parameters[1]?.name ?? '')
}

/** `setUp(app)` of another file, which may protect the app before its routes are registered: by the app, with the place behind the call. */
export function handedApps(
  calls: readonly CallValue[],
  apps: ReadonlySet<Binding>,
): ReadonlyMap<Binding, readonly { readonly offset: number; readonly called: Value }[]> {
  const found = new Map<Binding, { offset: number; called: Value }[]>()
  for (const { callee, args, end } of calls) {
    if (!accessesOf(callee).some(({ root }) => /^module:\.{0,2}\//.test(root))) continue
    for (const argument of args) {
      const app = 'binding' in argument ? argument.binding : undefined
      if (app === undefined || !apps.has(app)) continue
      const known = found.get(app)
      if (known === undefined) found.set(app, [{ offset: end, called: callee }])
      else known.push({ offset: end, called: callee })
    }
  }
  return found
}
