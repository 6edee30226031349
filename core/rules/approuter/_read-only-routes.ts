import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { Route } from '../../model/approuter/index.ts'
import { servedServices, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { isBelow } from '../../paths.ts'

/** A route of Express by its method and the first segment of its path. */
interface RegisteredRoute {
  readonly method: string
  readonly segment: string
}

const REGISTERED = /\b(?:app|router|server)\w{0,20}\.(get|post|put|patch|delete|all|use)\(\s{0,20}["'`]\/?([^"'`/\s]{0,100})/gi

/** Routes that scripts of servers register by a constant path: `app.get('/labels/:id', …)`. */
export const registeredRoutes: Extract<RegisteredRoute> = defineExtract({
  name: 'approuter-registered-routes',
  keywords: ['.get(', '.post(', '.put(', '.patch(', '.delete(', '.all(', '.use('],
  prefilter: (text) => /(?:app|router|server)\w{0,20}\.(?:get|post|put|patch|delete|all|use)\(/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collectText(text) {
    for (const [, method = '', segment = ''] of text.matchAll(REGISTERED)) yield { method: method.toLowerCase(), segment }
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
      .filter(({ file, value: { segment } }) => isBelow(file, root.root) && (segment === folder || /^[:*]/.test(segment)))
    return own.length > 0 && own.every(({ value }) => value.method === 'get')
  })
}

/** `^/odata/v4/(.*)$`: what begins with a path of OData, up to the first part that varies. */
const ODATA_PREFIX = /^\^\(?(\/odata\/(?:[\w-]{1,60}\/){0,5})(?=\(?\.[*+])/

/**
 * Whether nothing answers behind a route for OData: the projects there serve services, all under other paths, and no script registers a route there.
 * A router with `/:id` lies below the path that the app uses it for.
 * Needs the extract `registeredRoutes`.
 */
export function servesNothing({ source, rewrite }: Route, roots: readonly CapRoot[], scripts: Scripts): boolean {
  const prefix = rewrite === undefined ? ODATA_PREFIX.exec(source)?.[1] : undefined
  if (prefix === undefined || roots.length === 0) return false
  return (
    roots.every((root) => {
      const endpoints = servedServices(root).flatMap((service) => service.endpoints)
      return (
        root.runtime === 'node' &&
        endpoints.length > 0 &&
        endpoints.every(({ path }) => !`${path}/`.startsWith(prefix) && !prefix.startsWith(`${path}/`))
      )
    }) &&
    scripts
      .get(registeredRoutes)
      .every(({ value: { method, segment } }) => segment !== 'odata' && (method === 'get' || !segment.startsWith('*')))
  )
}
