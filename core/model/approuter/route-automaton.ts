import { Undecided, URL_CHARACTERS, type Pattern } from './route-pattern.ts'

/** A finite automaton that is made deterministic as far as it is walked. */
export interface Automaton {
  readonly first: number
  /** The state behind a character. Throws Undecided when the automaton grows too large. */
  next(state: number, character: string): number
  accepts(state: number): boolean
  /** Characters with the same class lead to the same states. */
  classOf(character: string): number
  /** For what is done with several of them. */
  readonly count: WorkCounter
}

const MAX_PATTERN_STATES = 800
const MAX_STATES = 500
const MAX_PAIRS = 4000

interface Nfa {
  readonly edges: { readonly set: Uint8Array; readonly to: number }[][]
  /** Without a character; `start` and `end` only there. */
  readonly jumps: { readonly to: number; readonly only?: 'start' | 'end' }[][]
}

/** Counts states and edges that are looked at. Throws Undecided where they are too many. */
export type WorkCounter = (units: number) => void

/** `before`, `behind`: anything may stand there. */
export function createAutomaton(
  pattern: Pattern,
  open: { readonly before: boolean; readonly behind: boolean },
  count: WorkCounter,
): Automaton {
  const nfa: Nfa = { edges: [], jumps: [] }
  const anything = new Uint8Array(128).fill(1)
  const first = addState(nfa)
  const last = addPattern(nfa, pattern, first)
  if (open.before) nfa.edges[first]?.push({ set: anything, to: first })
  const final = addState(nfa)
  nfa.jumps[last]?.push({ to: final })
  if (open.behind) nfa.edges[final]?.push({ set: anything, to: final })

  const ids = new Map<string, number>()
  const sets: (readonly number[])[] = []
  const steps: Map<string, number>[] = []
  const accepting: boolean[] = []
  const classes = new Map<string, number>()
  const numbers = new Map<string, number>()
  const idOf = (set: readonly number[]): number => {
    const key = set.join()
    const known = ids.get(key)
    if (known !== undefined) return known
    if (sets.length >= MAX_STATES) throw new Undecided()
    ids.set(key, sets.length)
    steps.push(new Map())
    return sets.push(set) - 1
  }
  return {
    first: idOf(closure(nfa, [first], 'start')),
    next(state, character) {
      const known = steps[state]?.get(character)
      if (known !== undefined) return known
      const code = character.charCodeAt(0)
      const reached = new Set<number>()
      for (const from of sets[state] ?? []) for (const { set, to } of nfa.edges[from] ?? []) if (set[code] === 1) reached.add(to)
      const closed = closure(nfa, [...reached])
      count((sets[state]?.length ?? 0) + closed.length)
      const id = idOf(closed)
      steps[state]?.set(character, id)
      return id
    },
    accepts(state) {
      const known = accepting[state]
      if (known !== undefined) return known
      const closed = closure(nfa, sets[state] ?? [], state === 0 ? 'both' : 'end')
      count(closed.length)
      return (accepting[state] = closed.includes(final))
    },
    classOf(character) {
      const known = classes.get(character)
      if (known !== undefined) return known
      count(nfa.edges.length)
      const written = nfa.edges.map((list) => list.map(({ set }) => set[character.charCodeAt(0)]).join('')).join()
      const number = numbers.get(written) ?? numbers.size
      numbers.set(written, number)
      classes.set(character, number)
      return number
    },
    count,
  }
}

function addState(nfa: Nfa): number {
  if (nfa.edges.length >= MAX_PATTERN_STATES) throw new Undecided()
  nfa.jumps.push([])
  return nfa.edges.push([]) - 1
}

/** Adds a pattern behind a state; gives the state behind it. */
function addPattern(nfa: Nfa, pattern: Pattern, from: number): number {
  switch (pattern.kind) {
    case 'set': {
      const to = addState(nfa)
      nfa.edges[from]?.push({ set: pattern.set, to })
      return to
    }
    case 'start':
    case 'end': {
      const to = addState(nfa)
      nfa.jumps[from]?.push({ to, only: pattern.kind })
      return to
    }
    case 'sequence':
      return pattern.parts.reduce((at, part) => addPattern(nfa, part, at), from)
    case 'choice': {
      const to = addState(nfa)
      for (const option of pattern.options) {
        const entry = addState(nfa)
        nfa.jumps[from]?.push({ to: entry })
        nfa.jumps[addPattern(nfa, option, entry)]?.push({ to })
      }
      return to
    }
    case 'repeat':
      return addRepeat(nfa, pattern, from)
    case 'ahead':
      throw new Undecided()
  }
}

function addRepeat(nfa: Nfa, { part, min, max }: Pattern & { kind: 'repeat' }, from: number): number {
  let at = from
  for (let count = 0; count < min; count++) at = addPattern(nfa, part, at)
  const to = addState(nfa)
  if (max === Infinity) {
    const loop = addState(nfa)
    nfa.jumps[at]?.push({ to: loop })
    nfa.jumps[addPattern(nfa, part, loop)]?.push({ to: loop })
    nfa.jumps[loop]?.push({ to })
    return to
  }
  for (let count = min; count < max; count++) {
    nfa.jumps[at]?.push({ to })
    const entry = addState(nfa)
    nfa.jumps[at]?.push({ to: entry })
    at = addPattern(nfa, part, entry)
  }
  nfa.jumps[at]?.push({ to })
  return to
}

/** All that is reached without a character, sorted. */
function closure(nfa: Nfa, from: readonly number[], at?: 'start' | 'end' | 'both'): readonly number[] {
  const reached = new Set(from)
  const open = [...from]
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const { to, only } of nfa.jumps[state] ?? []) {
      if (reached.has(to) || (only !== undefined && only !== at && at !== 'both')) continue
      reached.add(to)
      open.push(to)
    }
  }
  return [...reached].sort((a, b) => a - b)
}

/** Characters that a person reads without effort, first. */
const BY_READABILITY = [...new Set(`xyab1/-._?=${URL_CHARACTERS}`)].join('')

/**
 * The shortest word of at least one character whose states in all automata are wanted; `begin`: what it begins with. Undefined: there is none.
 * Throws Undecided where more than 4,000 combinations of states would be looked at.
 */
export function findWord(
  automata: readonly Automaton[],
  wanted: (accepted: readonly boolean[]) => boolean,
  { begin = '', without = '' }: { readonly begin?: string; readonly without?: string } = {},
): string | undefined {
  const classes = new Map<string, string>()
  for (const character of BY_READABILITY) {
    const joint = automata.map((automaton) => automaton.classOf(character)).join(' ')
    if (!without.includes(character) && !classes.has(joint)) classes.set(joint, character)
  }
  const characters = [...classes.values()]
  let words: { states: readonly number[]; word: string }[] = [{ states: automata.map(({ first }) => first), word: '' }]
  const seen = new Set<string>()
  while (words.length > 0) {
    const longer: typeof words = []
    for (const { states, word } of words) {
      for (const character of word === '' && begin !== '' ? [begin] : characters) {
        automata[0]?.count(automata.length)
        const next = states.map((state, index) => automata[index]?.next(state, character) ?? 0)
        const key = next.join()
        if (seen.has(key)) continue
        if (seen.size >= MAX_PAIRS) throw new Undecided()
        seen.add(key)
        if (wanted(next.map((state, index) => automata[index]?.accepts(state) === true))) return word + character
        longer.push({ states: next, word: word + character })
      }
    }
    words = longer
  }
  return undefined
}
