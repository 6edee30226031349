import type { RoutePurpose, RouteTarget } from './types.ts'

/** Paths that are public by their nature: pages of the login and logout, health checks, icons and the web manifest. */
const PAGE =
  /(?:^|[/^(|])(?:logout|logged-?out|do\/logout|login|health|healthz|favicon|robots\.txt|manifest\.(?:json|webmanifest)|icons?)(?:[/.\\$)?*|]|$)/i

/** The UI5 runtime through a destination, as SAP's generators write it (`/resources/`, `/test-resources/`, `/ui5/`). */
const UI5_RUNTIME = /(?:^|[/^(|?:])(?:(?:test-)?resources|(?:sap|open)?ui5)(?:[/\\($.]|$)/i

/** A destination that is the UI5 runtime and nothing else, whatever the source. */
const UI5_DESTINATION = /^(?:sap|open)?ui5(?:[-_.]?(?:cdn|dist|core|runtime|resources|libs?))?$/i

/** The callbacks of multitenancy check their own tokens in CAP (`cds add multitenancy` writes the route). */
const MTX_CALLBACK = /^\^?\\?\/-\\?\/cds\b/

/** Management endpoints, which have a rule of their own: Spring Boot's actuators and the services behind multitenancy. */
const MANAGEMENT = /^\^?\(?\\?\/(?:actuator|mtx|-\\?\/cds\\?\/(?:deployment|model-provider|extensibility|jobs))(?:[\\/(.*$)?]|$)/i

/** Public demo services: there is nothing to protect. */
const DEMO_DATA = /northwind|odata[-_.]?org/i

/** What a route is for, where that decides whether it may be public, told by its source, its target and the pages that the descriptor names. */
export function purposeOf(source: string, target: RouteTarget, namedPages: readonly string[]): RoutePurpose | undefined {
  if (MANAGEMENT.test(source)) return 'management'
  if (MTX_CALLBACK.test(source)) return 'mtx-callback'
  if (target.kind === 'destination' && isUi5(source, target.name)) return 'ui5-runtime'
  if (target.kind === 'destination' && DEMO_DATA.test(target.name)) return 'demo-data'
  if (namedPages.some((page) => takesOnly(source, page))) return 'named-page'
  return PAGE.test(source) ? 'page' : undefined
}

function isUi5(source: string, destination: string): boolean {
  return UI5_DESTINATION.test(destination) || (/ui5/i.test(destination) && UI5_RUNTIME.test(source))
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
