import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { constantOf, stringConstantOf, resolveValue, type CallValue, type MemberValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Route } from '../../model/approuter/index.ts'
import { servedServices, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { isBelow } from '../../paths.ts'

/** A route of Express by its method and its path, without the first slash; undefined: one that only runs tell. */
interface RegisteredRoute {
  readonly method: string
  readonly path: string | undefined
}

const METHODS = /^(?:get|post|put|patch|delete|all|use|route)$/
/** What a server is called; others have `get` with a default value. */
const SERVER = /(?:app|router|server)\w{0,20}$/i
const CLIENT = /axios|^(?:got|superagent|needle|\$|jQuery)$/
const PROXY = /proxy/i
/** A call that makes one: entities of CAP have proxies of their own. */
const MAKES_PROXY = /^(?:(?:legacy)?create)?(?:http|express|reverse|web)?proxy(?:middleware|server)?$/i

/**
 * Routes that scripts of servers register: `app.get('/labels/:id', …)`, `router.route('/labels')`, one for each path of a list. A proxy may answer to any path, unless
 * it is registered for one.
 * Facts: Express 4, "Routing" (`app.route`; paths may be lists and regular expressions); http-proxy-middleware, `createProxyMiddleware` (`pathFilter`).
 */
export const registeredRoutes: Extract<RegisteredRoute> = defineExtract({
  name: 'approuter-registered-routes',
  keywords: ['.get(', '.post(', '.put(', '.patch(', '.delete(', '.all(', '.use(', '.route('],
  prefilter: (text) => /\.(?:post|put|patch|delete|all|use|route)\(|(?:app|router|server)\w{0,20}\.get\(/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    step(facts.calls.length + facts.values.length)
    const used = new Set(
      facts.values.flatMap(({ value }) => (value.kind === 'await' ? value.value : isThen(value) ? value.object : [])),
    )
    const placed = new Set<Value>()
    for (const call of facts.calls) {
      const [first, ...others] = call.args
      // what is waited for is an answer, and no route
      if (first === undefined || !isRegistration(call) || used.has(call) || isAwaited(text, call.start)) continue
      const method = lastNameOf(call.callee) ?? ''
      if (method !== 'use' || !isHandler(first)) {
        for (const handler of others) placed.add(resolveValue(handler))
        for (const path of pathsOfRoute(first)) yield { method, path }
      } else if (call.args.some(isProxy)) yield { method, path: undefined }
    }
    if (facts.calls.some((call) => MAKES_PROXY.test(lastNameOf(call.callee) ?? '') && !placed.has(call)))
      yield { method: 'use', path: undefined }
  },
})

/** Of a statement that drops what it waits for, the facts have the call alone. */
function isAwaited(text: string, start: number): boolean {
  return /\bawait\s{1,4}$/.test(text.slice(Math.max(0, start - 10), start))
}

function isThen(value: Value): value is MemberValue {
  return value.kind === 'member' && /^(?:then|catch|finally)$/.test(value.name ?? '')
}

/** By the method, and by a handler behind the path; `use` may have nothing else. */
function isRegistration({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member' || !METHODS.test(callee.name ?? '')) return false
  const receiver = lastNameOf(callee.object) ?? ''
  if (callee.name === 'get') return args.length > 1 && SERVER.test(receiver)
  if (callee.name === 'use' || callee.name === 'route') return true
  const last = args.at(-1)
  return args.length > 1 && last !== undefined && !CLIENT.test(receiver) && resolveValue(last).kind !== 'object'
}

/** Of the first argument: no text, list or pattern, and no name of one. */
function isHandler(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'reference') return made.binding?.kind === 'import' || made.binding?.kind === 'function'
  return made.kind === 'call' || made.kind === 'new' || made.kind === 'function'
}

/** By its name, or that of its module. */
function isProxy(handler: Value): boolean {
  const made = resolveValue(handler)
  const name = lastNameOf('callee' in made ? made.callee : made) ?? ''
  if (name === 'require' && 'args' in made) return made.args.some((argument) => PROXY.test(String(constantOf(argument))))
  return PROXY.test(name) || (handler.kind === 'reference' && PROXY.test(handler.name))
}

/** Without the first slash, and undefined for each that is no constant text. */
function pathsOfRoute(value: Value): readonly (string | undefined)[] {
  const made = resolveValue(value)
  if (made.kind === 'array') return made.items.map(pathOfRoute)
  return [pathOfRoute(made)]
}

function pathOfRoute(value: Value): string | undefined {
  const path = stringConstantOf(value)
  return path?.replace(/^\//, '')
}

/** `^/labels/(.*)$`: only what begins with this folder. */
const FIRST_SEGMENT = /^(?:\^\(?)?\\?\/([\w-]{1,60})(?![\w.?*+[-])/

/**
 * Whether the servers behind a route only read there: the project registers routes below its first folder, all for GET, and no service of CAP lies there. Needs the
 * extract `registeredRoutes`.
 */
export function routesOnlyRead({ source, rewrite }: Route, roots: readonly CapRoot[], scripts: Scripts): boolean {
  const folder = FIRST_SEGMENT.exec(rewrite ?? source)?.[1]
  if (folder === undefined || !source.startsWith('^') || roots.length === 0) return false
  const leadsThere = (path: string): boolean => path.split('/').find((one) => one !== '') === folder
  return roots.every((root) => {
    if (servedServices(root).some(({ endpoints }) => endpoints.some(({ path }) => leadsThere(path)))) return false
    const own = scripts
      .get(registeredRoutes)
      .filter(
        ({ file, value: { path } }) =>
          isBelow(file, root.root) && (path === undefined || path.split('/', 1)[0] === folder || /^[:*]/.test(path)),
      )
    return own.length > 0 && own.every(({ value }) => value.method === 'get')
  })
}

/** `^/odata/v4/(.*)$`: what begins with it, up to the first part that varies. */
const PREFIX = /^\^\(?(\/(?:[\w-]{1,60}\/){1,6})(?=\(?\.[*+])/
/** What that becomes: `/odata/v4/$1`. */
const REWRITTEN = /^(\/(?:[\w-]{1,60}\/){1,6})(?=\$\d)/

/**
 * Whether nothing that changes data answers behind a route: the projects there serve services, all that expose something under other paths, and no script registers a
 * route there. Of paths that are not OData's a service without any element has to lie there, so that they are CAP's: it answers 404 to everything.
 * Needs the extract `registeredRoutes`.
 */
export function servesNothing({ source, rewrite }: Route, roots: readonly CapRoot[], scripts: Scripts): boolean {
  const prefix = (rewrite === undefined ? PREFIX.exec(source) : REWRITTEN.exec(rewrite))?.[1]
  if (prefix === undefined || roots.length === 0) return false
  return (
    roots.every((root) => hasNoElementsBelow(root, prefix)) &&
    scripts.get(registeredRoutes).every(({ value }) => !mayAnswer(value, prefix))
  )
}

function hasNoElementsBelow(root: CapRoot, prefix: string): boolean {
  const services = servedServices(root)
  const below = services.filter(({ endpoints }) =>
    endpoints.some(({ path }) => `${path}/`.startsWith(prefix) || prefix.startsWith(`${path}/`)),
  )
  const isOfCap = prefix.startsWith('/odata/') ? services.some(({ endpoints }) => endpoints.length > 0) : below.length > 0
  return root.runtime === 'node' && isOfCap && below.every(({ elements }) => elements.length === 0)
}

/**
 * Whether a route that changes data may lie below a path, or above it. A router lies below the path that the app uses it for, which may answer itself then; its
 * own routes begin anew. All but `use` take whole paths.
 */
export function mayAnswer({ method, path }: RegisteredRoute, prefix: string): boolean {
  if (method === 'get') return false
  if (path === undefined) return true
  const own = path.split('/').filter((one) => one !== '')
  const wanted = prefix.split('/').filter((one) => one !== '')
  if (own.length === 0 || (method !== 'use' && own.length < wanted.length && !/[*(+?]/.test(path))) return false
  return wanted.every((one, index) => {
    const registered = own[index]
    return registered === undefined || registered === one || /[:*$(+?]/.test(registered)
  })
}
