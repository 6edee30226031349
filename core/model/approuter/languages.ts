import { StopSignal } from '../../budget.ts'
import * as language from './route-language.ts'
import type { RouteLanguage } from './route-language.ts'
import { Undecided } from './route-pattern.ts'

/** The languages of a project's routes: each source is read once, and all that is computed on them is counted. */
export interface RouteLanguages {
  /** What a source takes; undefined: undecided, see route-language.ts, or the steps of the project are used up. */
  read(source: string, matchCase: boolean, from?: 'anywhere' | 'start'): RouteLanguage | undefined
  /** The shortest URL of both that none of `earlier` has; undefined: there is none, or it is undecided. */
  findCommonUrl(one: RouteLanguage, other: RouteLanguage, earlier: readonly RouteLanguage[]): string | undefined
  isWithin(inner: RouteLanguage, outer: RouteLanguage): boolean | undefined
  isExponential(source: string): boolean | undefined
}

/** States and edges of automata that are looked at for one project, before the rest is left undecided: 100 times what 40 real routes take. */
const WORK = 10_000_000
/** Units of it for one step: a step is some 100 ns. */
const UNITS_PER_STEP = 5

export function createRouteLanguages(step: (count: number) => void, work: number = WORK): RouteLanguages {
  const read = new Map<string, RouteLanguage | undefined>()
  const exponential = new Map<string, boolean | undefined>()
  let left = work
  let isTold = false
  const count = (units: number): void => {
    step(units / UNITS_PER_STEP)
    left -= units
    if (left >= 0) return
    // the rule that asks now is told to be incomplete; those after it go on without what is undecided
    if (isTold) throw new Undecided()
    isTold = true
    throw new StopSignal('steps')
  }
  return {
    read(source, matchCase, from = 'anywhere') {
      const key = `${from} ${matchCase} ${source}`
      if (!read.has(key)) read.set(key, language.readRouteLanguage(source, matchCase, from, count))
      return read.get(key)
    },
    findCommonUrl(one, other, earlier) {
      const found = language.findCommonUrl(one, other, earlier)
      return typeof found === 'object' ? found.url : undefined
    },
    isWithin: language.isWithin,
    isExponential(source) {
      if (!exponential.has(source)) exponential.set(source, language.isExponential(source, count))
      return exponential.get(source)
    },
  }
}
