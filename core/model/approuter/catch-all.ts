import type { Approuter, Route } from './types.ts'

/** Whether a route takes every path (but perhaps the bare `/`), whatever its source looks like. Undecided counts as no. */
export function isCatchAll({ languages }: Approuter, { source, matchCase }: Route): boolean {
  const language = languages.read(source, matchCase)
  const paths = languages.read('^/[^?]+$', true)
  return language !== undefined && paths !== undefined && languages.isWithin(paths, language) === true
}

/** Real descriptors have under 40 routes; of a hostile one the rest is left alone. */
const MAX_ROUTES = 80

/** Whether an earlier route takes each URL of this one, for every method, so that no request arrives here. Undecided counts as no. */
export function isUnreachable({ languages, routes }: Approuter, route: Route): boolean {
  const language = route.index < MAX_ROUTES ? languages.read(route.source, route.matchCase) : undefined
  if (language === undefined) return false
  return routes.some((earlier) => {
    if (earlier.index >= route.index || earlier.methods !== undefined) return false
    const taken = languages.read(earlier.source, earlier.matchCase)
    return taken !== undefined && languages.isWithin(language, taken) === true
  })
}
