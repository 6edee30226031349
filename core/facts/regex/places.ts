/** What stands for characters of all kinds, those that a person reads without effort first; before and behind them the two ends of the text. */
const CHARACTERS =
  'abz019ABZ-_.@/ :,;+=!#$%&\'"*?^`{}|~()[]<>\\cdefghijklmnopqrstuvwxyCDEFGHIJKLMNOPQRSTUVWXY2345678\t\n\r\u00A0\u00E9\u0416\u4E2D'
export const BEGIN: bigint = 1n << BigInt(CHARACTERS.length)
export const END: bigint = BEGIN << 1n
/** One bit for each character, without the ends of the text. */
export const SYMBOLS: readonly bigint[] = [...CHARACTERS].map((_, index) => 1n << BigInt(index))

/** The places of a pattern at which a character is read, and how many ways lead from one to the next without another character: a backtracking engine tries each of them. */
export interface PatternPlaces {
  /** Which characters fit, by place. */
  readonly fits: readonly bigint[]
  readonly next: readonly ReadonlyMap<number, number>[]
  readonly first: ReadonlyMap<number, number>
  /** Where the pattern may end. */
  readonly last: ReadonlyMap<number, number>
  readonly mayBeEmpty: boolean
}

/** What can't be decided: looking around, references, edges of words, lines, or too large. */
class Undecided extends Error {}

/** Real patterns are under 300 characters. */
const MAX_PATTERN = 600
const MAX_PLACES = 240
const MAX_WAYS = 5000
/** Parts that are built, those that read nothing as well: repetitions of repetitions write them out again and again. */
const MAX_PARTS = 4000
const MAX_DEPTH = 30
/** Repetitions up to here are written out; more of them are as good as no bound. */
const FEW = 8

/** Reads a regular expression of JavaScript; undefined where its places don't tell what its engine does. */
export function readPlaces(pattern: string, flags: string): PatternPlaces | undefined {
  if (pattern.length > MAX_PATTERN || /[mv]/.test(flags)) return undefined
  try {
    // what the engine itself refuses runs nowhere
    if (!(new RegExp(pattern, flags) instanceof RegExp)) return undefined
    const reader: Reader = { pattern, at: 0, flags: flags.replace(/[^isu]/g, ''), known: new Map(), depth: 0 }
    const tree = readChoice(reader)
    if (reader.at < pattern.length) return undefined
    const draft: Draft = { fits: [], next: [], ways: 0, parts: 0 }
    const { first, last, empty } = build(tree, draft)
    return { fits: draft.fits, next: draft.next, first, last, mayBeEmpty: empty > 0 }
  } catch (error) {
    if (error instanceof Undecided || error instanceof SyntaxError) return undefined
    throw error
  }
}

type Tree =
  | { readonly form: 'set'; readonly set: bigint }
  | { readonly form: 'sequence' | 'either'; readonly parts: readonly Tree[] }
  | { readonly form: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number }

interface Reader {
  readonly pattern: string
  at: number
  readonly flags: string
  readonly known: Map<string, bigint>
  depth: number
}

function readChoice(reader: Reader): Tree {
  if (++reader.depth > MAX_DEPTH) throw new Undecided()
  const parts = [readSequence(reader)]
  while (reader.pattern[reader.at] === '|') {
    reader.at++
    parts.push(readSequence(reader))
  }
  reader.depth--
  return { form: 'either', parts }
}

function readSequence(reader: Reader): Tree {
  const parts: Tree[] = []
  for (let next = reader.pattern[reader.at]; next !== undefined && next !== '|' && next !== ')'; next = reader.pattern[reader.at])
    parts.push(readRepeated(reader))
  return { form: 'sequence', parts }
}

const QUANTIFIER = /(?:[*+?]|\{(\d{1,6})(?:(,)(\d{0,6}))?\})\??/y

function readRepeated(reader: Reader): Tree {
  const part = readPart(reader)
  const found = execAt(QUANTIFIER, reader)
  if (found === undefined) return part
  const [quantifier, low, comma, high = ''] = found
  reader.at += quantifier.length
  if (low === undefined)
    return { form: 'repeat', part, min: quantifier[0] === '+' ? 1 : 0, max: quantifier[0] === '?' ? 1 : Infinity }
  const max = comma === undefined ? Number(low) : high === '' ? Infinity : Number(high)
  return { form: 'repeat', part, min: Number(low), max }
}

/** A class of characters, an escaped one, or any other. */
const ONE = /\[(?:\\.|[^\]\\]){0,400}\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]{1,6}\}|p\{[\w=]{1,40}\}|c[a-z]|.)|[^\\[]/isy
const OPENING = /\(\?(?::|<[A-Za-z_$][\w$]{0,100}>)/y

function readPart(reader: Reader): Tree {
  const character = reader.pattern[reader.at]
  if (character === '^' || character === '$') {
    reader.at++
    return { form: 'set', set: character === '^' ? BEGIN : END }
  }
  if (character === '(') return readGroup(reader)
  const [written] = execAt(ONE, reader) ?? []
  // references, edges of words
  if (written === undefined || /^(?:\\[1-9kbB]|[*+?)])/.test(written)) throw new Undecided()
  reader.at += written.length
  return { form: 'set', set: setOf(written, reader) }
}

function readGroup(reader: Reader): Tree {
  const opening = execAt(OPENING, reader)?.[0] ?? '('
  reader.at += opening.length
  // looking around, flags of a group
  if (reader.pattern[reader.at] === '?') throw new Undecided()
  const part = readChoice(reader)
  if (reader.pattern[reader.at++] !== ')') throw new Undecided()
  return part
}

/** The engine itself says which characters fit. */
function setOf(written: string, { flags, known }: Reader): bigint {
  const before = known.get(written)
  if (before !== undefined) return before
  const single = new RegExp(`^${written}$`, flags)
  let set = 0n
  for (const [index, character] of [...CHARACTERS].entries()) if (single.test(character)) set |= SYMBOLS[index] ?? 0n
  known.set(written, set)
  return set
}

function execAt(expression: RegExp, { pattern, at }: Reader): RegExpExecArray | undefined {
  expression.lastIndex = at
  return expression.exec(pattern) ?? undefined
}

interface Draft {
  readonly fits: bigint[]
  readonly next: Map<number, number>[]
  ways: number
  parts: number
}

interface Fragment {
  readonly first: ReadonlyMap<number, number>
  readonly last: ReadonlyMap<number, number>
  /** In how many ways it fits where nothing stands. */
  readonly empty: number
}

const NOTHING: Fragment = { first: new Map(), last: new Map(), empty: 1 }

function build(tree: Tree, draft: Draft): Fragment {
  if (++draft.parts > MAX_PARTS) throw new Undecided()
  switch (tree.form) {
    case 'set': {
      if (draft.fits.length >= MAX_PLACES) throw new Undecided()
      const place = new Map([[draft.fits.push(tree.set) - 1, 1]])
      draft.next.push(new Map())
      return { first: place, last: place, empty: 0 }
    }
    case 'sequence': {
      let whole = NOTHING
      for (const part of tree.parts) whole = join(whole, build(part, draft), draft)
      return whole
    }
    case 'either': {
      const options = tree.parts.map((part) => build(part, draft))
      return {
        first: sum(options.map(({ first }) => [first, 1])),
        last: sum(options.map(({ last }) => [last, 1])),
        empty: options.reduce((ways, { empty }) => ways + empty, 0),
      }
    }
    case 'repeat':
      return buildRepeat(tree, draft)
  }
}

function buildRepeat({ part, min, max }: Tree & { readonly form: 'repeat' }, draft: Draft): Fragment {
  if (min > MAX_PLACES) throw new Undecided()
  const isOpen = max - min > FEW
  let whole = NOTHING
  for (let count = isOpen && min > 0 ? 1 : 0; count < min; count++) whole = join(whole, build(part, draft), draft)
  if (isOpen) {
    const again = build(part, draft)
    connect(again.last, again.first, draft)
    return join(whole, min > 0 ? again : { ...again, empty: 1 }, draft)
  }
  // a repetition that reads nothing is given up: there is one way without it. Fact: ECMAScript, "RepeatMatcher"
  let rest = NOTHING
  for (let count = min; count < max; count++) rest = { ...join(build(part, draft), rest, draft), empty: 1 }
  return join(whole, rest, draft)
}

function join(one: Fragment, other: Fragment, draft: Draft): Fragment {
  connect(one.last, other.first, draft)
  return {
    first: sum([
      [one.first, 1],
      [other.first, one.empty],
    ]),
    last: sum([
      [other.last, 1],
      [one.last, other.empty],
    ]),
    empty: Math.min(one.empty * other.empty, MANY),
  }
}

function connect(last: ReadonlyMap<number, number>, first: ReadonlyMap<number, number>, draft: Draft): void {
  draft.ways += last.size * first.size
  if (draft.ways > MAX_WAYS) throw new Undecided()
  for (const [from, out] of last)
    for (const [to, into] of first) {
      const ways = draft.next[from]
      ways?.set(to, Math.min((ways.get(to) ?? 0) + out * into, MANY))
    }
}

/** Ways of which nobody needs the number. */
const MANY = 9

function sum(parts: readonly (readonly [places: ReadonlyMap<number, number>, times: number])[]): ReadonlyMap<number, number> {
  const all = new Map<number, number>()
  for (const [places, times] of parts)
    if (times > 0) for (const [place, ways] of places) all.set(place, Math.min((all.get(place) ?? 0) + ways * times, MANY))
  return all
}
