import type { Approuter, Route } from './types.ts'

/** Whether a route takes every path (but perhaps the bare `/`), whatever its source looks like. Undecided counts as no. */
export function isCatchAll({ languages }: Approuter, { source, matchCase }: Route): boolean {
  const language = languages.read(source, matchCase)
  const paths = languages.read('^/[^?]+$', true)
  return language !== undefined && paths !== undefined && languages.isWithin(paths, language) === true
}
