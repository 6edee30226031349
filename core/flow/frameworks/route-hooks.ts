import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** Hooks that run before a handler, and that may answer instead of it. Fact: Fastify 5, "Hooks" (request lifecycle). */
export const FRONT_HOOKS: ReadonlySet<string> = new Set(['onRequest', 'preParsing', 'preValidation', 'preHandler'])

/** `app.addHook('preHandler', verify)`: what asks every request of the app, whatever is registered first. */
export function hookOf({ callee, args: [name, hook] }: CallValue): Value | undefined {
  if (lastNameOf(callee) !== 'addHook' || name === undefined) return undefined
  const written = constantOf(name)
  return typeof written === 'string' && FRONT_HOOKS.has(written) ? hook : undefined
}

/** What options of a route run before its handler: `{ preHandler: [verify] }`. */
export function hooksIn(options: Value): readonly Value[] {
  const made = resolveValue(options)
  return [...FRONT_HOOKS].flatMap((name) => fieldOf(made, name)?.value ?? [])
}

/** A route that an object describes: `app.route({ method: 'POST', url: '/orders', handler })`. */
export interface DescribedRoute {
  readonly path: Value | undefined
  readonly method: string
  readonly handler: Value
}

export function describedRoute(options: Value | undefined): DescribedRoute | undefined {
  const made = options && resolveValue(options)
  const handler = fieldOf(made, 'handler')?.value
  if (handler === undefined) return undefined
  const method = fieldOf(made, 'method')?.value
  const written = method && constantOf(method)
  return { path: fieldOf(made, 'url')?.value, method: typeof written === 'string' ? written.toLowerCase() : 'all', handler }
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
