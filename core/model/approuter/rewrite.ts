import type { Approuter, Route } from './types.ts'

/**
 * The path that the target of a route sees for a URL: rewritten where the route says so (`target`, with `$1` for groups), else the URL itself.
 * Undefined where a source may take forever: such a one is never run.
 */
export function rewriteUrl(
  { source, rewrite, matchCase }: Route,
  url: string,
  languages: Approuter['languages'],
): string | undefined {
  if (rewrite === undefined) return url
  if (languages.isExponential(source) !== false) return undefined
  const path = url.replace(new RegExp(source, matchCase ? '' : 'i'), rewrite)
  return path.startsWith('/') ? path : `/${path}`
}
