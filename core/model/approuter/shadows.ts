import { findCommonUrl, isWithin, readRouteLanguage, takesUrl, type RouteLanguage } from './route-language.ts'
import { scopesFor, takesMethod } from './routes.ts'
import type { Route, Shadow } from './types.ts'

/** Real descriptors have under 40 routes; of a hostile one the rest is left alone. */
const MAX_ROUTES = 80
const MAX_PAIRS = 100
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Routes that take URLs which a stricter route behind them is meant for, where both lead to the same backend under the same path: then what the second
 * one asks for is never asked. A narrow exception before a general route is no such case: all that it takes, it is meant for.
 */
export function findShadows(routes: readonly Route[]): Shadow[] {
  const known = routes.slice(0, MAX_ROUTES)
  const languages = new Map<Route, RouteLanguage | undefined>()
  const languageOf = (route: Route): RouteLanguage | undefined => {
    if (!languages.has(route)) languages.set(route, readRouteLanguage(route.source, route.matchCase))
    return languages.get(route)
  }
  const shadows: Shadow[] = []
  let pairs = 0
  for (const [index, strict] of known.entries()) {
    for (const lax of known.slice(0, index)) {
      const difference = compare(lax, strict)
      if (difference === undefined || lax.purpose === 'ui5-runtime' || lax.purpose === 'mtx-callback') continue
      if (++pairs > MAX_PAIRS) return shadows
      const found = findUrl(lax, strict, difference.method, known, languageOf)
      if (found === undefined) continue
      shadows.push({ lax, strict, ...difference, ...found })
      break
    }
  }
  return shadows
}

/** The first method for which `lax` asks for less, on the way to the same backend. */
function compare(lax: Route, strict: Route): Pick<Shadow, 'method' | 'missing'> | undefined {
  const { kind, name } = lax.target
  if (strict.target.kind !== kind || strict.target.name !== name || kind === 'self' || !strict.authenticates) return undefined
  for (const method of METHODS) {
    if (!takesMethod(lax, method) || !takesMethod(strict, method)) continue
    if (!lax.authenticates) return { method, missing: 'login' }
    if (scopesFor(strict, method) !== undefined && scopesFor(lax, method) === undefined) return { method, missing: 'scope' }
  }
  return undefined
}

function findUrl(
  lax: Route,
  strict: Route,
  method: string,
  routes: readonly Route[],
  languageOf: (route: Route) => RouteLanguage | undefined,
): Pick<Shadow, 'url' | 'extent'> | undefined {
  const [taking, meant] = [languageOf(lax), languageOf(strict)]
  // undecided, or a narrow exception
  if (taking === undefined || meant === undefined || isWithin(taking, meant) !== false) return undefined
  const before = routes.slice(0, lax.index).filter((route) => takesMethod(route, method))
  const earlier = before.map(languageOf)
  if (earlier.includes(undefined)) return undefined
  const decided = earlier.filter((language) => language !== undefined)
  const common = findCommonUrl(taking, meant, decided)
  if (common === undefined || common === 'none' || decided.some((language) => takesUrl(language, common.url))) return undefined
  if (backendPath(lax, common.url) !== backendPath(strict, common.url)) return undefined
  return { url: common.url, extent: isWithin(meant, taking) === true ? 'whole' : 'part' }
}

/** Quantifiers within a repeated group: the only sources whose time is not bounded on a short URL. They are not run. */
const RISKY = /\)(?:[*+]|\{\d{0,5},)/

/** What the backend sees; the same marker for all that can't be told. */
function backendPath({ source, rewrite, matchCase, index }: Route, url: string): string {
  if (rewrite === undefined) return url
  if (RISKY.test(source)) return `?${index}`
  const path = url.replace(new RegExp(source, matchCase ? '' : 'i'), rewrite)
  return path.startsWith('/') ? path : `/${path}`
}
