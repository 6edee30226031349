import type { Approuter, Route } from './types.ts'

/** Whether a route takes every path (but perhaps the bare `/`), whatever its source looks like. Undecided counts as no. */
export function isCatchAll({ languages }: Approuter, { source, matchCase }: Route): boolean {
  const language = languages.read(source, matchCase)
  const paths = languages.read('^/[^?]+$', true)
  return language !== undefined && paths !== undefined && languages.isWithin(paths, language) === true
}

/** Whether an earlier route takes each URL of this one, for every method, so that no request arrives here. Undecided counts as no. */
export function isUnreachable({ languages, routes }: Approuter, route: Route): boolean {
  const language = languages.read(route.source, route.matchCase)
  if (language === undefined) return false
  return routes.some((earlier) => {
    if (earlier.index >= route.index || earlier.methods !== undefined) return false
    const taken = languages.read(earlier.source, earlier.matchCase)
    return taken !== undefined && languages.isWithin(language, taken) === true
  })
}
