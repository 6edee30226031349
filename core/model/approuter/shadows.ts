import type { RouteLanguages } from './languages.ts'
import { takesUrl, type RouteLanguage } from './route-language.ts'
import { rewriteUrl } from './rewrite.ts'
import { scopesFor, takesMethod } from './routes.ts'
import type { Approuter, Route, Shadow } from './types.ts'

/** Real descriptors have under 40 routes; of a hostile one the rest is left alone. */
const MAX_ROUTES = 80
const MAX_PAIRS = 100
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Routes that take URLs which a stricter route behind them is meant for, where both lead to the same backend under the same path: then what the second
 * one asks for is never asked. A narrow exception before a general route is no such case: all that it takes, it is meant for.
 */
export function findShadows(routes: readonly Route[], languages: RouteLanguages): Shadow[] {
  const known = routes.slice(0, MAX_ROUTES)
  const shadows: Shadow[] = []
  let pairs = 0
  for (const [index, strict] of known.entries()) {
    for (const lax of known.slice(0, index)) {
      const difference = compare(lax, strict)
      if (difference === undefined || lax.purpose === 'ui5-runtime' || lax.purpose === 'mtx-callback') continue
      if (++pairs > MAX_PAIRS) return shadows
      const found = findUrl(lax, strict, difference.method, known, languages)
      if (found === undefined) continue
      shadows.push({ lax, strict, ...difference, ...found })
      break
    }
  }
  return shadows
}

/** The first method for which `lax` asks for less, on the way to the same backend. */
function compare(lax: Route, strict: Route): Pick<Shadow, 'method' | 'missing'> | undefined {
  if (!isSameTarget(lax, strict) || lax.target.kind === 'self' || !strict.authenticates) return undefined
  for (const method of METHODS) {
    if (!takesMethod(lax, method) || !takesMethod(strict, method)) continue
    if (!lax.authenticates) return { method, missing: 'login' }
    if (scopesFor(strict, method) !== undefined && scopesFor(lax, method) === undefined) return { method, missing: 'scope' }
  }
  return undefined
}

/** A protected route that names its methods, and the later route to the same backend that takes all its URLs for a method left out, and asks for less. */
export interface MethodGap {
  readonly strict: Route
  readonly lax: Route
  readonly method: string
  readonly missing: 'login' | 'scope'
}

/** Methods that change something and slip past a route which is meant to protect its path: the first later route that takes them asks for less. */
export function findMethodGaps({ routes, languages }: Approuter): MethodGap[] {
  const known = routes.slice(0, MAX_ROUTES)
  const gaps: MethodGap[] = []
  for (const strict of known) {
    const language = strict.methods === undefined ? undefined : languages.read(strict.source, strict.matchCase)
    const asked = strict.methods?.[0]
    if (language === undefined || asked === undefined || !strict.authenticates) continue
    const method = WRITES.find((write) => !takesMethod(strict, write))
    const next = known
      .slice(strict.index + 1, strict.index + 1 + MAX_ROUTES / 4)
      .find((route) => method !== undefined && takesMethod(route, method) && takesAll(route, language, languages))
    if (method === undefined || next === undefined || !isSameTarget(next, strict)) continue
    if (!next.authenticates) gaps.push({ strict, lax: next, method, missing: 'login' })
    else if (scopesFor(strict, asked) !== undefined && scopesFor(next, method) === undefined)
      gaps.push({ strict, lax: next, method, missing: 'scope' })
  }
  return gaps
}

function takesAll({ source, matchCase }: Route, language: RouteLanguage, languages: RouteLanguages): boolean {
  const own = languages.read(source, matchCase)
  return own !== undefined && languages.isWithin(language, own) === true
}

function isSameTarget(one: Route, other: Route): boolean {
  return one.target.kind === other.target.kind && one.target.name === other.target.name
}

function findUrl(
  lax: Route,
  strict: Route,
  method: string,
  routes: readonly Route[],
  languages: RouteLanguages,
): Pick<Shadow, 'url' | 'extent'> | undefined {
  const languageOf = ({ source, matchCase }: Route): RouteLanguage | undefined => languages.read(source, matchCase)
  const [taking, meant] = [languageOf(lax), languageOf(strict)]
  if (taking === undefined || meant === undefined) return undefined
  const isWithin = languages.isWithin(taking, meant)
  const takesWhole = languages.isWithin(meant, taking) === true
  // undecided, or a narrow exception; one that takes just the same is none
  if (isWithin === undefined || (isWithin && !takesWhole)) return undefined
  const before = routes.slice(0, lax.index).filter((route) => takesMethod(route, method))
  const earlier = before.map(languageOf)
  if (earlier.includes(undefined)) return undefined
  const decided = earlier.filter((language) => language !== undefined)
  // a plain URL says more than one that clients change on its way
  const unusual = languages.read('//|%2f|%5c', false)
  const plain = unusual && languages.findCommonUrl(taking, meant, [...decided, unusual])
  const url = plain ?? languages.findCommonUrl(taking, meant, decided)
  if (url === undefined || decided.some((language) => takesUrl(language, url))) return undefined
  const path = rewriteUrl(lax, url)
  if (path === undefined || path !== rewriteUrl(strict, url)) return undefined
  return { url, extent: takesWhole ? 'whole' : 'part' }
}
