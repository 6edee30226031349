import { BEGIN, END, readPlaces, SYMBOLS, type PatternPlaces } from './places.ts'

/** So many steps take the engine a minute or more. Measured: 100 to 200 million in a second, Node.js 24. */
const STEPS = 1e10
/** A longer text than this is no short one. */
const MAX_TEXT = 100
/** Which characters fit a place is tried out. */
const STEPS_PER_PLACE = 50
/** Pairs of places that are looked at for one pattern. */
const MAX_PAIRS = 60_000
/** Ways that are followed while texts of one pattern are read. */
const MAX_READ = 200_000

/**
 * How many characters keep the engine of a regular expression busy for minutes, because one text can be read in exponentially many ways and fits in none of them:
 * `^(\w+-?)+$`. Undefined: no short text does, or it can't be told.
 * A text is made up: what leads to a place, what leads from there to the same place in two ways, again and again, and a character behind it that lets all of them fail.
 * `step` counts what is looked at.
 */
export function lengthThatBlocks(pattern: string, flags: string, step: (count: number) => void = () => {}): number | undefined {
  if (!QUANTIFIED_GROUP.test(pattern)) return undefined
  const places = readPlaces(pattern, flags)
  if (places === undefined || places.mayBeEmpty) return undefined
  const budget = { left: MAX_PAIRS }
  const reading = { left: MAX_READ }
  step(places.fits.length * STEPS_PER_PLACE)
  for (const [place, start] of wordsToPlaces(places)) {
    const before = budget.left
    const round = roundInTwoWays(place, places, budget)
    step(before - budget.left)
    if (round === undefined) continue
    const unread = reading.left
    const length = blockingLength(start, round, places, reading)
    step(unread - reading.left)
    if (length !== undefined) return length
    if (reading.left < 0) return undefined
  }
  return undefined
}

/** Without one there is nothing that a text could be cut into. */
const QUANTIFIED_GROUP = /\)(?:[*+]|\{\d{1,6},?\d{0,6}\})/

type Word = readonly bigint[]

/** The shortest word that leads to each place. */
function wordsToPlaces({ fits, next, first }: PatternPlaces): ReadonlyMap<number, Word> {
  const found = new Map<number, Word>()
  const visit = (from: Word, to: number): void => {
    const fit = fits[to] ?? 0n
    const symbol = fit === BEGIN ? undefined : symbolOf(fit)
    if (found.has(to) || (symbol === undefined && fit !== BEGIN)) return
    found.set(to, symbol === undefined ? from : [...from, symbol])
  }
  for (const to of first.keys()) visit([], to)
  // the map grows while it is gone through
  for (const [place, word] of found) for (const to of next[place]?.keys() ?? []) if (fits[to] !== BEGIN) visit(word, to)
  return found
}

function symbolOf(set: bigint): bigint | undefined {
  return SYMBOLS.find((symbol) => (set & symbol) !== 0n)
}

interface Pair {
  readonly one: number
  readonly other: number
  readonly word: Word
}

/** A word that leads from a place back to it in two ways that part at once. */
function roundInTwoWays(place: number, { fits, next }: PatternPlaces, budget: { left: number }): Word | undefined {
  const pairs: Pair[] = []
  const seen = new Set<number>()
  let round: Word | undefined
  const visit = (one: number, other: number, before: Word): void => {
    if (one > other) return visit(other, one, before)
    const symbol = symbolOf((fits[one] ?? 0n) & (fits[other] ?? 0n))
    budget.left--
    // a longer round is no part of a short text
    if (symbol === undefined || budget.left < 0 || before.length >= MAX_TEXT) return
    const word = [...before, symbol]
    if (one === place && other === place) round ??= word
    const key = one * fits.length + other
    if (seen.has(key)) return
    seen.add(key)
    pairs.push({ one, other, word })
  }
  const ways = [...(next[place] ?? [])]
  for (const [index, [one, count]] of ways.entries()) {
    if (count > 1) visit(one, one, [])
    for (const [other] of ways.slice(index + 1)) visit(one, other, [])
  }
  for (const { one, other, word } of pairs) {
    if (round !== undefined || budget.left < 0) break
    for (const to of next[one]?.keys() ?? []) for (const also of next[other]?.keys() ?? []) visit(to, also, word)
  }
  return round
}

/** The ways in which the engine has read a text so far, by the place where it is. */
type Ways = ReadonlyMap<number, number>

/** Before the first place. */
const NOWHERE = -1

function blockingLength(start: Word, round: Word, places: PatternPlaces, reading: { left: number }): number | undefined {
  let ways: Ways = new Map([...advance(new Map([[NOWHERE, 1]]), BEGIN, places), [NOWHERE, 1]])
  let steps = 0
  const fails = (here: Ways): boolean => [...here.keys()].every((place) => !places.last.has(place))
  const read = (symbol: bigint): boolean => {
    ways = advance(ways, symbol, places)
    for (const [place, count] of ways) {
      steps += count
      reading.left -= places.next[place]?.size ?? 1
    }
    return fails(ways)
  }
  const most = Math.ceil((MAX_TEXT - start.length) / round.length)
  const text = [...start, ...Array.from({ length: Math.max(0, most) }, () => round).flat()]
  const last = text.findIndex((symbol) => !read(symbol) || steps >= STEPS || reading.left < 0)
  if (last < 0 || steps < STEPS || !fails(ways)) return undefined
  const length = last + 1
  const failsAtEnd = (here: Ways): boolean => fails(here) && fails(advance(here, END, places))
  if (failsAtEnd(ways)) return length
  return SYMBOLS.some((symbol) => failsAtEnd(advance(ways, symbol, places))) ? length + 1 : undefined
}

function advance(ways: Ways, symbol: bigint, { fits, next, first }: PatternPlaces): Ways {
  const after = new Map<number, number>()
  for (const [place, count] of ways)
    for (const [to, each] of (place === NOWHERE ? first : next[place]) ?? [])
      if (((fits[to] ?? 0n) & symbol) !== 0n) after.set(to, (after.get(to) ?? 0) + count * each)
  return after
}

/** So few characters take no engine of regular expressions long, whatever the pattern. */
const FEW = 25

/** Whether a text of that length at most is short. */
export function isFewCharacters(length: unknown): boolean {
  return typeof length === 'number' && length <= FEW
}
