import { isPublicByNature, readUrl, type Deployment } from '../deployment/index.ts'
import type { Route, RoutePurpose } from './types.ts'

/** Paths that are public by their nature: pages of the login and logout, health checks, icons and the web manifest. */
const PAGE =
  /(?:^|[/^(|])(?:logout|logged-?out|do\/logout|login|health|healthz|favicon|robots\.txt|manifest\.(?:json|webmanifest)|icons?)(?=[/.\\$)?*|]|$)/i

/** What stands beside such a page in one source and is as harmless: `^/(health|info)$`. */
const BESIDE_PAGE =
  /^[\^/\\]*(?:live(?:ness)?|ready|readiness|ping|status|info|version|robots|manifest|logo|images?|img|css|fonts?|assets|static|public|(?:[\w-]{1,50}\\?\.)?(?:html?|ico|png|svg|css|txt|json))\b/i

/** The UI5 runtime through a destination, as SAP's generators write it (`/resources/`, `/test-resources/`, `/ui5/`). */
const UI5_RUNTIME = /(?:^|[/^(|?:])(?:(?:(?:sap|open)?ui5[-_])?(?:test-)?resources|(?:sap|open)?ui5)(?:[/\\($.]|$)/i

/** A destination that is the UI5 runtime and nothing else, whatever the source. */
const UI5_DESTINATION = /^(?:sap|open)?ui5(?:[-_.]?(?:cdn|dist|core|runtime|resources|sdk|libs?|sap[-_.]?com))?$/i

/** Where SAP and the OpenUI5 project publish it (UI5 documentation, "Bootstrapping: Loading and Initializing"). */
const UI5_HOST =
  /^(?:[a-z0-9-]{1,60}\.)?(?:sapui5|openui5)(?:\.[a-z0-9-]{1,20}){0,2}\.ondemand\.com$|^ui5\.sap\.com$|^(?:sdk\.)?openui5\.org$/

/** The callbacks of multitenancy check their own tokens in CAP (`cds add multitenancy` writes the route). */
const MTX_CALLBACK = /^\^?\\?\/-\\?\/cds\b/

/** Management endpoints, which have a rule of their own: Spring Boot's actuators and the services behind multitenancy. */
const MANAGEMENT =
  /^\^?\(?\\?\/?(?:mtx|-\\?\/cds\\?\/(?:deployment|model-provider|jobs))(?:[\\/(.*$)?]|$)|^\^?\(?\\?\/?(?:[\w-]{1,60}\\?\/){0,3}actuator(?:[\\/(.*$)?]|$)/i

/** Public demo services: there is nothing to protect. */
const DEMO_DATA = /northwind|odata[-_.]?org/i

/** A destination of a public demo service, by its name. */
export const isDemoData = (name: string): boolean => DEMO_DATA.test(name)

/** Destinations whose address says that there is nothing to protect, by their names. */
export type PublicDestinations = ReadonlyMap<string, RoutePurpose>

export function findPublicDestinations({ destinations }: Deployment): PublicDestinations {
  const found = new Map<string, RoutePurpose>()
  const others = new Set<string>()
  for (const destination of destinations) {
    const host = readUrl(destination.property('url')?.text ?? '')?.host ?? ''
    const authentication = destination.property('authentication')?.text ?? 'NoAuthentication'
    if (UI5_HOST.test(host)) found.set(destination.name, 'ui5-runtime')
    // with a key of the project's own it is not for everybody
    else if (isPublicByNature(host) && authentication === 'NoAuthentication') found.set(destination.name, 'demo-data')
    else others.add(destination.name)
  }
  // one landscape may have something else there
  for (const name of others) found.delete(name)
  return found
}

/** What a route is for, where that decides whether it may be public, told by its source, its target and the pages that the descriptor names. */
export function purposeOf(
  { source, rewrite, target }: Pick<Route, 'source' | 'rewrite' | 'target'>,
  namedPages: readonly string[],
  known: PublicDestinations,
): RoutePurpose | undefined {
  if (MANAGEMENT.test(source) || MANAGEMENT.test(rewrite ?? '')) return 'management'
  if (MTX_CALLBACK.test(source)) return 'mtx-callback'
  if (target.kind === 'destination' && isUi5(source, target.name)) return 'ui5-runtime'
  if (target.kind === 'destination' && DEMO_DATA.test(target.name)) return 'demo-data'
  const named = target.kind === 'destination' ? known.get(target.name) : undefined
  if (named !== undefined) return named
  if (namedPages.some((page) => takesOnly(source, page))) return 'named-page'
  return isPage(source) ? 'page' : undefined
}

function isUi5(source: string, destination: string): boolean {
  return UI5_DESTINATION.test(destination) || (/ui5/i.test(destination) && UI5_RUNTIME.test(source))
}

/** Every alternative is such a page, and none leads on: `^/health/(.*)$` is one, `^/health/odata/(.*)$` and `^/(login|api)/(.*)$` are not. */
function isPage(source: string): boolean {
  const match = PAGE.exec(source)
  if (match === null) return false
  const after = source.slice(match.index + match[0].length)
  if (/^\/[\w-]{1,100}\\?\/.{0,500}?(?:\.[*+]|\][*+])/.test(after)) return false
  const groups = [...source.matchAll(/\(([^()]{0,500})\)/g)].map(([, inside = '']) => inside.replace(/^\?[:=]/, ''))
  const outside = source.replaceAll(/\([^()]{0,500}\)/g, (group) => (PAGE.test(group) ? 'login' : ''))
  return [outside, ...groups.filter((group) => PAGE.test(group))].every((part) =>
    part.split('|').every((option) => PAGE.test(option) || BESIDE_PAGE.test(option)),
  )
}

/** Whether the source is the page's own path and no more, told by its text: `^/logout.html$` for `/logout.html`. */
function takesOnly(source: string, page: string): boolean {
  const bare = source
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll('\\', '')
    .replace(/^\(?\/?/, '')
  return bare === page.replace(/^\//, '')
}
