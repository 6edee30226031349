import { createAutomaton, findWord, type Automaton, type WorkCounter } from './route-automaton.ts'
import { parsePattern, Undecided, type Pattern } from './route-pattern.ts'

/**
 * The URLs that a source takes, as finite automata: all that `main` accepts, and of the conditions (what the source looks ahead for) those that hold.
 * Automata of our own, because the library for them brings a megabyte of Unicode tables that no URL needs.
 */
export interface RouteLanguage {
  readonly main: Automaton
  readonly conditions: readonly { readonly automaton: Automaton; readonly negate: boolean }[]
}

/**
 * Reads the regular expression of a route as the language of the URLs that it takes: unanchored, on path and query (README, "routes").
 * `start`: only where it fits from the first character on. Undefined where it can't be decided: not a regular expression, references, assertions in the
 * middle, or too large.
 */
export function readRouteLanguage(
  source: string,
  matchCase: boolean,
  from: 'anywhere' | 'start',
  count: WorkCounter,
): RouteLanguage | undefined {
  return decide(() => {
    count(source.length)
    const { pattern, aheads } = splitLookahead(parsePattern(source, matchCase))
    const main = createAutomaton(pattern, { before: from === 'anywhere', behind: true }, count)
    const conditions = aheads.map(({ prefix, part, negate }) => {
      const parts = [...prefix, part]
      return { automaton: createAutomaton({ kind: 'sequence', parts }, { before: false, behind: true }, count), negate }
    })
    return { main, conditions }
  })
}

/** Whether a language has this URL; a language that grows too large has none. */
export function takesUrl(language: RouteLanguage, url: string): boolean {
  const walk = (automaton: Automaton): boolean => {
    let state = automaton.first
    for (const character of url) state = automaton.next(state, character)
    return automaton.accepts(state)
  }
  return (
    decide(() => walk(language.main) && language.conditions.every(({ automaton, negate }) => walk(automaton) !== negate)) === true
  )
}

/**
 * The shortest URL that both languages have and none of the `earlier` ones, a path without a query where there is one; `none`: there is no such URL.
 * Undefined where that can't be decided within bounds.
 */
export function findCommonUrl(
  one: RouteLanguage,
  other: RouteLanguage,
  earlier: readonly RouteLanguage[],
): { readonly url: string } | 'none' | undefined {
  return decide(() => {
    const languages = [one, other, ...earlier]
    const automata = languages.flatMap(automataOf)
    const isWanted = (accepted: readonly boolean[]): boolean =>
      judge(languages, accepted).every((has, index) => has === index < 2)
    const url = findWord(automata, isWanted, { begin: '/', without: '?' }) ?? findWord(automata, isWanted, { begin: '/' })
    return url === undefined ? 'none' : { url }
  })
}

/** Whether every URL of `inner` is one of `outer`; undefined where that can't be decided. */
export function isWithin(inner: RouteLanguage, outer: RouteLanguage): boolean | undefined {
  return decide(() => {
    const languages = [inner, outer]
    const isOutside = (accepted: readonly boolean[]): boolean => {
      const [has, within] = judge(languages, accepted)
      return has === true && within === false
    }
    return findWord(languages.flatMap(automataOf), isOutside, { begin: '/' }) === undefined
  })
}

/**
 * Whether a backtracking engine may need exponential time for a source: a repeated part that one text can be cut into pieces of in several ways,
 * or whose alternatives overlap. Undefined where that can't be decided.
 */
export function isExponential(source: string, count: WorkCounter): boolean | undefined {
  return decide(() => {
    count(source.length)
    let undecided = false
    const visit = (pattern: Pattern): boolean => {
      if (pattern.kind === 'sequence') return pattern.parts.some(visit)
      if (pattern.kind === 'choice') return pattern.options.some(visit)
      if (pattern.kind !== 'repeat' && pattern.kind !== 'ahead') return false
      if (visit(pattern.part)) return true
      if (pattern.kind === 'ahead' || pattern.max < MANY) return false
      const ambiguous = decide(() => isAmbiguous(pattern.part, count))
      undecided ||= ambiguous === undefined
      return ambiguous === true
    }
    const found = visit(parsePattern(source, true))
    if (!found && undecided) throw new Undecided()
    return found
  })
}

/** Repetitions from which on doubling at each of them hurts. */
const MANY = 20
const MAX_ALTERNATIVES = 30

function isAmbiguous(part: Pattern, count: WorkCounter): boolean {
  // one character of a set, again and again
  if (part.kind === 'set') return false
  const whole = (pattern: Pattern): Automaton => createAutomaton(pattern, { before: false, behind: false }, count)
  const overlap = (one: Automaton, other: Automaton): boolean =>
    findWord([one, other], (accepted) => accepted.every((has) => has)) !== undefined
  if (overlap(whole(part), whole({ kind: 'repeat', part: notEmpty(part), min: 2, max: Infinity }))) return true
  const options = flatten(part).slice(0, MAX_ALTERNATIVES).map(whole)
  return options.some((option, index) => options.slice(index + 1).some((other) => overlap(option, other)))
}

/** An empty piece more cuts nothing: `(a?)*` is no other than `a*`, but `(a*)*` is. */
function notEmpty(part: Pattern): Pattern {
  if (part.kind === 'repeat' && part.min === 0) return { ...part, min: 1 }
  const [only] = part.kind === 'sequence' ? part.parts : []
  return part.kind === 'sequence' && part.parts.length === 1 && only !== undefined ? notEmpty(only) : part
}

/** `(?:a|b)` within a group is its alternatives. */
function flatten(part: Pattern): readonly Pattern[] {
  if (part.kind === 'choice') return part.options.flatMap(flatten)
  const [only] = part.kind === 'sequence' ? part.parts : []
  return part.kind === 'sequence' && part.parts.length === 1 && only !== undefined ? flatten(only) : [part]
}

interface Ahead {
  readonly prefix: readonly Pattern[]
  readonly part: Pattern
  readonly negate: boolean
}

/** `^/(?!admin/)(.*)$`: what is looked ahead for behind an anchor and characters that can be read in one way only is a condition on the whole URL. */
function splitLookahead(pattern: Pattern): { readonly pattern: Pattern; readonly aheads: readonly Ahead[] } {
  if (pattern.kind !== 'sequence' || pattern.parts[0]?.kind !== 'start') return { pattern, aheads: [] }
  const aheads: Ahead[] = []
  const parts: Pattern[] = []
  for (const part of pattern.parts) {
    const isFixed = parts.every(({ kind }, index) => kind === (index === 0 ? 'start' : 'set'))
    if (isFixed && part.kind === 'ahead') aheads.push({ prefix: [...parts], part: part.part, negate: part.negate })
    else parts.push(part)
  }
  return { pattern: { kind: 'sequence', parts }, aheads }
}

function automataOf({ main, conditions }: RouteLanguage): Automaton[] {
  return [main, ...conditions.map(({ automaton }) => automaton)]
}

/** Which of the languages have a word, by what their automata say of it, one after the other. */
function judge(languages: readonly RouteLanguage[], accepted: readonly boolean[]): boolean[] {
  let at = 0
  return languages.map(({ conditions }) => {
    const main = accepted[at++] === true
    const holds = conditions.map(({ negate }) => accepted[at++] !== negate)
    return main && holds.every((one) => one)
  })
}

function decide<Answer>(answer: () => Answer): Answer | undefined {
  try {
    return answer()
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}
