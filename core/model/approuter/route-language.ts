import { CharSet, DFA, JS, NFA, type Concatenation, type Element, type NoParent } from 'refa'

/** The URLs that a source takes, as a finite automaton over `START url END`. */
export interface RouteLanguage {
  readonly automaton: NFA
  /** How large it is. */
  readonly states: number
}

const MAX_CHARACTER = 0xffff
const START = 2
const END = 3
/** Longest source that is looked at, and sizes of automata: real sources are under 150 characters and 200 states. */
const MAX_SOURCE = 400
const MAX_STATES = 600
const MAX_COMPLEMENT = 1500
const MAX_PRODUCT = 8000

const PATH = charactersOf("!$%&'()*+,-./0123456789:;=@_~", ['A', 'Z'], ['a', 'z'])
const URL_CHARACTERS = PATH.union(charactersOf('?'))
const ANY = URL_CHARACTERS.union(CharSet.fromCharacters(MAX_CHARACTER, [START, END]))

/** Ways of choosing a character that a person reads without effort. */
const READABLE = 'xyab1-._/?='

class Undecided extends Error {}

/**
 * Reads the regular expression of a route as the language of the URLs that it takes: unanchored, on path and query (README, "routes").
 * `start`: only where it fits from the first character on. Undefined where it can't be decided: not a regular expression, references, assertions in the middle, or too large.
 */
export function readRouteLanguage(
  source: string,
  matchCase: boolean,
  from: 'anywhere' | 'start' = 'anywhere',
): RouteLanguage | undefined {
  return decide(() => {
    if (source.length > MAX_SOURCE) throw new Undecided()
    const parser = JS.Parser.fromLiteral({ source, flags: matchCase ? '' : 'i' })
    const { expression } = parser.parse({ backreferences: 'throw', maxNodes: 5000 })
    const [only] = expression.alternatives
    const looked = only !== undefined && expression.alternatives.length === 1 ? splitLookahead(only) : undefined
    const { conditions, elements } = looked ?? { conditions: [], elements: undefined }
    const alternatives = elements === undefined ? expression.alternatives : [concatenate(elements)]
    let automaton = toAutomaton(alternatives, from)
    for (const { prefix, negate, alternatives: ahead } of conditions) {
      const looks = toAutomaton([concatenate([...prefix, { type: 'Alternation', alternatives: ahead }])], 'anywhere')
      automaton = intersect(automaton, negate ? complementOf(looks) : looks)
    }
    return { automaton, states: automaton.countNodes() }
  })
}

/** Whether a language has this URL. */
export function takesUrl({ automaton }: RouteLanguage, url: string): boolean {
  return automaton.test([START, ...toCodes(url), END])
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
    let common = intersect(one.automaton, other.automaton)
    for (const { automaton } of earlier) {
      if (common.isEmpty) return 'none'
      common = intersect(common, complementOf(automaton))
    }
    const url = shortestWord(intersect(common, universeOf(PATH))) ?? shortestWord(common)
    return url === undefined ? 'none' : { url }
  })
}

/** Whether every URL of `inner` is one of `outer`; undefined where that can't be decided. */
export function isWithin(inner: RouteLanguage, outer: RouteLanguage): boolean | undefined {
  return decide(() => intersect(inner.automaton, complementOf(outer.automaton)).isEmpty)
}

/**
 * Whether a backtracking engine may need exponential time for a source: a repeated part that one text can be cut into pieces of in several ways,
 * or whose alternatives overlap. Undefined where that can't be decided.
 */
export function isExponential(source: string): boolean | undefined {
  return decide(() => {
    if (source.length > MAX_SOURCE) throw new Undecided()
    const { expression } = JS.Parser.fromLiteral({ source, flags: '' }).parse({ backreferences: 'throw', maxNodes: 5000 })
    let undecided = false
    const visit = (alternatives: readonly NoParent<Concatenation>[]): boolean =>
      alternatives.some(({ elements }) =>
        elements.some((element) => {
          if (element.type === 'Unknown' || element.type === 'CharacterClass') return false
          if (visit(element.alternatives)) return true
          if (element.type !== 'Quantifier' || element.max < MANY) return false
          const ambiguous = decide(() => isAmbiguous(element.alternatives))
          undecided ||= ambiguous === undefined
          return ambiguous === true
        }),
      )
    const found = visit(expression.alternatives)
    if (!found && undecided) throw new Undecided()
    return found
  })
}

/** Repetitions from which on doubling at each of them hurts. */
const MANY = 20

function isAmbiguous(alternatives: readonly NoParent<Concatenation>[]): boolean {
  const [first] = alternatives
  // one character of a set, again and again
  if (alternatives.length === 1 && first?.elements.length === 1 && first.elements[0]?.type === 'CharacterClass') return false
  const read = (part: readonly NoParent<Concatenation>[]): NFA =>
    NFA.fromRegex([...part], { maxCharacter: MAX_CHARACTER }, {}, new NFA.LimitedNodeFactory(MAX_STATES))
  const once = read(alternatives)
  once.withoutEmptyWord()
  const again = once.copy()
  again.quantify(2, Infinity, new NFA.LimitedNodeFactory(MAX_STATES))
  if (!intersect(once, again).isEmpty) return true
  const parts = flatten(alternatives)
    .slice(0, MAX_ALTERNATIVES)
    .map((part) => read([part]))
  return parts.some((part, index) => parts.slice(index + 1).some((other) => !intersect(part, other).isEmpty))
}

const MAX_ALTERNATIVES = 30

/** `(?:a|b)` within a group is its alternatives. */
function flatten(alternatives: readonly NoParent<Concatenation>[]): NoParent<Concatenation>[] {
  return alternatives.flatMap((alternative) => {
    const [only] = alternative.elements
    return alternative.elements.length === 1 && only?.type === 'Alternation' ? flatten(only.alternatives) : [alternative]
  })
}

/** What goes wrong in the automata is always the same: too large, or an expression that is none. */
function decide<Answer>(answer: () => Answer): Answer | undefined {
  try {
    return answer()
  } catch {
    return undefined
  }
}

type Elements = NoParent<Element>[]

interface Condition {
  readonly prefix: Elements
  readonly negate: boolean
  readonly alternatives: NoParent<Concatenation>[]
}

/**
 * `^/(?!admin/)(.*)$`: an assertion behind an anchor and characters that can be read in one way only is a condition on the whole URL.
 * Undefined where none stands there.
 */
function splitLookahead(concatenation: NoParent<Concatenation>): { conditions: Condition[]; elements: Elements } | undefined {
  const [anchor, ...rest] = concatenation.elements
  if (anchor === undefined || !isAnchor(anchor, 'behind')) return undefined
  const conditions: Condition[] = []
  const elements: Elements = [anchor]
  let fixed = true
  for (const element of rest) {
    if (fixed && element.type === 'Assertion' && element.kind === 'ahead' && !isAnchor(element, 'ahead')) {
      conditions.push({ prefix: [...elements], negate: element.negate, alternatives: element.alternatives })
    } else {
      if (element.type !== 'CharacterClass') fixed = false
      elements.push(element)
    }
  }
  return conditions.length === 0 ? undefined : { conditions, elements }
}

function concatenate(elements: Elements): NoParent<Concatenation> {
  return { type: 'Concatenation', elements }
}

/** Anything (or no more than the mark of the start), one of the alternatives, anything; within the URLs. */
function toAutomaton(alternatives: readonly NoParent<Concatenation>[], from: 'anywhere' | 'start'): NFA {
  const before = from === 'start' ? repeated(CharSet.fromCharacter(MAX_CHARACTER, START), 1) : repeated(ANY, Infinity)
  const middle: NoParent<Element> = { type: 'Alternation', alternatives: alternatives.map(toPlain) }
  const whole = concatenate([before, middle, repeated(ANY, Infinity)])
  const factory = new NFA.LimitedNodeFactory(MAX_STATES)
  return intersect(NFA.fromRegex([whole], { maxCharacter: MAX_CHARACTER }, {}, factory), universeOf(URL_CHARACTERS))
}

function repeated(characters: CharSet, max: number): NoParent<Element> {
  const alternatives = [concatenate([{ type: 'CharacterClass', characters }])]
  return { type: 'Quantifier', alternatives, min: 0, max, lazy: false }
}

/** Anchors become the marks around the URL, characters those that a URL has; nothing else that looks around is left. */
function toPlain({ elements }: NoParent<Concatenation>): NoParent<Concatenation> {
  return concatenate(
    elements.map((element): NoParent<Element> => {
      switch (element.type) {
        case 'CharacterClass':
          return { ...element, characters: element.characters.intersect(URL_CHARACTERS) }
        case 'Alternation':
        case 'Quantifier':
          return { ...element, alternatives: element.alternatives.map(toPlain) }
        case 'Assertion':
          if (isAnchor(element, 'behind')) return mark(START)
          if (isAnchor(element, 'ahead')) return mark(END)
          throw new Undecided()
        default:
          throw new Undecided()
      }
    }),
  )
}

function mark(character: number): NoParent<Element> {
  return { type: 'CharacterClass', characters: CharSet.fromCharacter(MAX_CHARACTER, character) }
}

/** `^` and `$`: nothing at all stands before or behind. */
function isAnchor(element: NoParent<Element>, kind: 'behind' | 'ahead'): boolean {
  if (element.type !== 'Assertion' || element.kind !== kind || !element.negate || element.alternatives.length !== 1) return false
  const elements = element.alternatives[0]?.elements ?? []
  const [only] = elements
  return elements.length === 1 && only?.type === 'CharacterClass' && only.characters.isAll
}

function intersect(one: NFA, other: NFA): NFA {
  const product = NFA.fromIntersection(one, other, new NFA.LimitedNodeFactory(MAX_PRODUCT))
  product.removeUnreachable()
  return product
}

function complementOf(automaton: NFA): NFA {
  const deterministic = DFA.fromFA(automaton, new DFA.LimitedNodeFactory(MAX_COMPLEMENT))
  deterministic.complement()
  return intersect(NFA.fromFA(deterministic, new NFA.LimitedNodeFactory(MAX_COMPLEMENT)), universeOf(URL_CHARACTERS))
}

/** START, a slash, characters, END. */
function universeOf(characters: CharSet): NFA {
  const slash: NoParent<Element> = { type: 'CharacterClass', characters: charactersOf('/') }
  return NFA.fromRegex([concatenate([mark(START), slash, repeated(characters, Infinity), mark(END)])], {
    maxCharacter: MAX_CHARACTER,
  })
}

/** Each state is entered once, so it is linear in the automaton. */
function shortestWord(automaton: NFA): string | undefined {
  let words = new Map<NFA.Node, string>([[automaton.initial, '']])
  const seen = new Set(words.keys())
  while (words.size > 0) {
    const next = new Map<NFA.Node, string>()
    for (const [state, word] of words) {
      if (automaton.finals.has(state)) return word
      for (const [to, characters] of state.out) {
        if (seen.has(to)) continue
        seen.add(to)
        next.set(to, word + readableOf(characters))
      }
    }
    words = next
  }
  return undefined
}

function readableOf(characters: CharSet): string {
  for (const character of READABLE) if (characters.has(character.charCodeAt(0))) return character
  const first = characters.ranges[0]?.min ?? START
  return first === START || first === END ? '' : String.fromCharCode(first)
}

function toCodes(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}

function charactersOf(single: string, ...ranges: readonly (readonly [string, string])[]): CharSet {
  let set = CharSet.fromCharacters(MAX_CHARACTER, toCodes(single))
  for (const [from, to] of ranges)
    set = set.union(CharSet.fromRange(MAX_CHARACTER, { min: from.charCodeAt(0), max: to.charCodeAt(0) }))
  return set
}
