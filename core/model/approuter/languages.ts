import * as language from './route-language.ts'
import type { RouteLanguage } from './route-language.ts'

/** The languages of a project's routes: each source is read once, and all that is computed on them is counted. */
export interface RouteLanguages {
  /** What a source takes; undefined: undecided, see route-language.ts, or the steps of the project are used up. */
  read(source: string, matchCase: boolean, from?: 'anywhere' | 'start'): RouteLanguage | undefined
  /** The shortest URL of both that none of `earlier` has; undefined: there is none, or it is undecided. */
  findCommonUrl(one: RouteLanguage, other: RouteLanguage, earlier: readonly RouteLanguage[]): string | undefined
  isWithin(inner: RouteLanguage, outer: RouteLanguage): boolean | undefined
  isExponential(source: string): boolean | undefined
}

/** States that are worked on for one project, before the rest is left undecided: some 5,000 operations on real sources, or 10 s on the worst ones. */
const STEPS = 300_000

export function createRouteLanguages(steps: number = STEPS): RouteLanguages {
  const read = new Map<string, RouteLanguage | undefined>()
  const exponential = new Map<string, boolean | undefined>()
  let left = steps
  /** Whether that many states may still be worked on. */
  const spend = (states: number): boolean => (left -= states) >= 0
  return {
    read(source, matchCase, from = 'anywhere') {
      const key = `${from} ${matchCase} ${source}`
      if (!read.has(key)) {
        const found = spend(source.length + 1) ? language.readRouteLanguage(source, matchCase, from) : undefined
        if (left >= 0) read.set(key, found)
        if (found !== undefined) spend(found.states)
        return found
      }
      return read.get(key)
    },
    findCommonUrl(one, other, earlier) {
      if (!spend(one.states + other.states + earlier.reduce((sum, { states }) => sum + states, 0))) return undefined
      const found = language.findCommonUrl(one, other, earlier)
      return typeof found === 'object' ? found.url : undefined
    },
    isWithin: (inner, outer) => (spend(inner.states + outer.states) ? language.isWithin(inner, outer) : undefined),
    isExponential(source) {
      if (!exponential.has(source) && spend(4 * source.length + 1)) exponential.set(source, language.isExponential(source))
      return exponential.get(source)
    },
  }
}
