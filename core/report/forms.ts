import type { Span } from '../types.ts'
import { createCutForms, type CutForms } from './cut-forms.ts'
import { createTextAutomaton, type TextAutomaton } from './text-automaton.ts'

/** Texts that grow in number, and where they stand in another one. */
export interface Forms {
  /** Remembers a text, if it has at least `SHORTEST_FORM` characters, and as long as there is room. */
  add(form: string): void
  /**
   * The places of the forms in a text, as if it had been searched for each of them in turn, the longest first, among equally long ones in their order, and
   * what was found had been taken out. Ascending. Linear in the text, but for forms that end with one another.
   */
  find(text: string): readonly Span[]
  /** The parts of forms that are left where the text was cut inside of them; they may overlap with others. */
  findCut(text: string): readonly Span[]
}

export const SHORTEST_FORM = 4

/** Of a longer form its tail is looked for, and the rest compared: a key has 2,000 characters. */
const TAIL = 64

/** Characters of all that is looked for: 20,000 forms, however long they are, and no more than 100 MB. */
const MAX_CHARACTERS = 20_000 * TAIL

export function createForms(): Forms {
  const known = new Set<string>()
  const tails = createTailIndex()
  /** From the largest to the smallest, each at least twice as large as the next: so each form is built in a few times only. */
  const searches: Search[] = []
  let fresh: string[] = []
  let characters = 0

  const build = (): void => {
    if (fresh.length === 0) return
    let forms = fresh
    fresh = []
    for (let last = searches.at(-1); last !== undefined && last.forms.length < forms.length * 2; last = searches.at(-1)) {
      forms = last.forms.concat(forms)
      searches.pop()
    }
    searches.push(createSearch(forms))
  }

  return {
    add(form) {
      if (form.length < SHORTEST_FORM || known.has(form)) return
      characters += Math.min(form.length, TAIL)
      if (characters > MAX_CHARACTERS) return
      known.add(form)
      fresh.push(form)
      tails.add(form)
    },
    find(text) {
      // most texts hold none, and need no automaton
      if (!tails.mayHold(text)) return []
      build()
      return selectPlaces(text, searches)
    },
    findCut(text) {
      build()
      return searches.flatMap(({ cut }) => cut.find(text))
    },
  }
}

/** One automaton and what its patterns stand for. */
interface Search {
  readonly forms: readonly string[]
  readonly automaton: TextAutomaton
  readonly cut: CutForms
  /** The longest form of at most so many characters that ends there, where a pattern does. */
  longestAt(text: string, end: number, pattern: number, most: number): string | undefined
}

function createSearch(forms: readonly string[]): Search {
  const formsOf = new Map<string, string[]>()
  for (const form of forms) {
    const tail = form.slice(-TAIL)
    const same = formsOf.get(tail)
    if (same === undefined) formsOf.set(tail, [form])
    else same.push(form)
  }
  for (const same of formsOf.values()) same.sort((a, b) => b.length - a.length)
  const automaton = createTextAutomaton([...formsOf.keys()])
  return {
    forms,
    automaton,
    cut: createCutForms(forms),
    longestAt(text, end, pattern, most) {
      for (let next: number | undefined = pattern; next !== undefined; next = automaton.shorter(next)) {
        for (const form of formsOf.get(automaton.patterns[next] ?? '') ?? []) {
          if (form.length <= most && (form.length <= TAIL || text.startsWith(form, end - form.length))) return form
        }
      }
      return undefined
    },
  }
}

interface Candidate extends Span {
  readonly form: string
  readonly pattern: number
  readonly search: Search
}

function selectPlaces(text: string, searches: readonly Search[]): readonly Span[] {
  const byLength = new Map<number, Candidate[]>()
  let longest = 0
  const offer = (search: Search, end: number, pattern: number, most: number): void => {
    const form = search.longestAt(text, end, pattern, most)
    if (form === undefined) return
    const candidate = { start: end - form.length, end, form, pattern, search }
    const same = byLength.get(form.length)
    if (same === undefined) byLength.set(form.length, [candidate])
    else same.push(candidate)
    longest = Math.max(longest, form.length)
  }
  for (const search of searches) search.automaton.find(text, (end, pattern) => offer(search, end, pattern, end))

  /** Per character: where the place ends that holds it; 0: none. */
  const taken = new Int32Array(longest === 0 ? 0 : text.length)
  const places: Span[] = []
  for (let length = longest; length >= SHORTEST_FORM; length--) {
    const same = byLength.get(length) ?? []
    for (const { start, end, pattern, search } of same.sort(compareCandidates)) {
      // what was taken is at least as long, so it can't lie within: it holds the last character or the first
      if (taken[end - 1] !== 0) continue
      const before = taken[start] ?? 0
      if (before !== 0) offer(search, end, pattern, end - before)
      else {
        taken.fill(end, start, end)
        places.push({ start, end })
      }
    }
  }
  return places.sort((a, b) => a.start - b.start)
}

function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.form !== b.form) return a.form < b.form ? -1 : 1
  return a.start - b.start
}

interface TailIndex {
  add(form: string): void
  mayHold(text: string): boolean
}

/** Knows with which four characters forms end. */
function createTailIndex(): TailIndex {
  const known = new Set<number>()
  // one bit for each of their hashes: most characters of most texts get no further
  const bits = new Uint32Array(2 ** 15)
  const append = (hash: number, unit: number): number => ((hash << 8) ^ unit ^ Math.imul(unit >>> 8, 0x9e3779b1)) | 0
  const slotOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> 12
  return {
    add(form) {
      let hash = 0
      for (let at = form.length - SHORTEST_FORM; at < form.length; at++) hash = append(hash, form.charCodeAt(at))
      known.add(hash)
      const slot = slotOf(hash)
      bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31))
    },
    mayHold(text) {
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = append(hash, text.charCodeAt(at))
        const slot = slotOf(hash)
        if (((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0 && known.has(hash)) return true
      }
      return false
    },
  }
}
