import { isWithin, readRouteLanguage } from './route-language.ts'
import type { Route } from './types.ts'

/** Whether a route takes every path (but perhaps the bare `/`), whatever its source looks like. Undecided counts as no. */
export function isCatchAll({ source, matchCase }: Route): boolean {
  const language = readRouteLanguage(source, matchCase)
  const paths = readRouteLanguage('^/[^?]+$', true)
  return language !== undefined && paths !== undefined && isWithin(paths, language) === true
}
