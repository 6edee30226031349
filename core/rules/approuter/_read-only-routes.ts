import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { Route } from '../../model/approuter/index.ts'
import { servedServices, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { isBelow } from '../../paths.ts'

/** A route of Express by its method and its path, without the first slash. */
interface RegisteredRoute {
  readonly method: string
  readonly path: string
}

const REGISTERED = /\b(?:app|router|server)\w{0,20}\.(get|post|put|patch|delete|all|use)\(\s{0,20}["'`]\/?([^"'`\s]{0,200})/gi

/** Routes that scripts of servers register by a constant path: `app.get('/labels/:id', …)`. */
export const registeredRoutes: Extract<RegisteredRoute> = defineExtract({
  name: 'approuter-registered-routes',
  keywords: ['.get(', '.post(', '.put(', '.patch(', '.delete(', '.all(', '.use('],
  prefilter: (text) => /(?:app|router|server)\w{0,20}\.(?:get|post|put|patch|delete|all|use)\(/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collectText(text) {
    for (const [, method = '', path = ''] of text.matchAll(REGISTERED)) yield { method: method.toLowerCase(), path }
  },
})

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
      .filter(({ file, value: { path } }) => isBelow(file, root.root) && (path.split('/', 1)[0] === folder || /^[:*]/.test(path)))
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

/** Whether a route that changes data may lie below a path, or above it. A router with `/:id` lies below the path that the app uses it for. */
function mayAnswer({ method, path }: RegisteredRoute, prefix: string): boolean {
  const own = path.split('/').filter((one) => one !== '')
  if (method === 'get' || own[0] === undefined || own[0].startsWith(':')) return false
  return prefix
    .split('/')
    .filter((one) => one !== '')
    .every((one, index) => {
      const registered = own[index]
      return registered === undefined || registered === one || /[:*$(]/.test(registered)
    })
}
