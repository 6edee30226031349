import { countMatchSteps } from './match-cost.ts'
import type { Route } from './types.ts'

/** What an engine does in a fraction of a millisecond; a real source takes some hundred. */
const MAX_MATCH_STEPS = 20_000

/**
 * The path that the target of a route sees for a URL: rewritten where the route says so (`target`, with `$1` for groups), else the URL itself.
 * Undefined where the platform's engine might take long for the source: it is the project's, so it runs only where its steps were counted before.
 */
export function rewriteUrl(
  { source, rewrite, matchCase }: Pick<Route, 'source' | 'rewrite' | 'matchCase'>,
  url: string,
): string | undefined {
  if (rewrite === undefined) return url
  const pattern = patternFor(source, matchCase, url)
  if (pattern === undefined) return undefined
  const path = url.replace(pattern, rewrite)
  return path.startsWith('/') ? path : `/${path}`
}

/** Whether a route takes a URL. Undecided counts as no. */
export function takesUrl({ source, matchCase }: Pick<Route, 'source' | 'matchCase'>, url: string): boolean {
  return patternFor(source, matchCase, url)?.test(url) === true
}

/** Undefined where it might take long for this URL. */
function patternFor(source: string, matchCase: boolean, url: string): RegExp | undefined {
  return countMatchSteps(source, matchCase, url) > MAX_MATCH_STEPS ? undefined : new RegExp(source, matchCase ? '' : 'i')
}
