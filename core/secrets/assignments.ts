import type { Budget } from '../budget.ts'
import { readAssignment } from './assigned.ts'
import { mayBeGiven, readCdsDefault } from './cds-values.ts'
import { createFenceReader, type Dialect } from './dialect.ts'
import { mergeOffsets, permitted, type Layer } from './layers.ts'
import { lineBefore } from '../parse/position.ts'
import type { Literal } from './literal.ts'
import { CONTAINER, PICKED, readMembers, readPicked } from './members.ts'
import { CAMEL_KEYS, createClassifier, NAME_KEYWORDS, withoutPunctuation, type NameKind } from './names.ts'
import { isInComment, isSaidAt, mayHoldValue } from './for-people.ts'
import { endOfPhrase, startOfWords } from './phrases.ts'
import { readColumn, readProse } from './prose.ts'
import { isSecondOfTwo, readPairOfNames } from './sentences.ts'

/** How a value is given to its name. */
export type Form =
  | 'assigned'
  | 'returned'
  | 'element'
  | 'entry'
  | 'flag'
  | 'parameter'
  | 'segment'
  | 'part'
  | 'call'
  | 'filled'
  | 'compared'
  | 'record'

/** A value that is given to a name that promises a credential. Offsets are those of the layer. */
export interface Assignment extends Literal {
  /** As written, with its path: `spring.datasource.password`. */
  readonly name: string
  readonly kind: NameKind
  readonly form: Form
  readonly nameStart: number
  /** Records beside it name the client that it belongs to, and the public address that takes both. */
  readonly isComplete?: boolean
  /** It is what a server verifies sessions or tokens with (`CredentialCall`). */
  readonly verifies?: boolean
}

const LONGEST_NAME = 80
/** Letters, digits and the signs of names and their paths. */
const NAME_CODES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$.-]/.test(String.fromCharCode(code)) ? 1 : 0))
/** To try all forms on a name. */
const STEPS_PER_READ = 18
const LONG_VALUE = 1500
/** A value without quotes. */
const BARE = /^\s{0,3}[=:]\s{0,3}[^\s"'`\\]/

/** What is read of a layer, name by name. */
interface Reader {
  readonly text: string
  readonly dialect: Dialect
  readonly budget: Budget
  readonly kindOf: (name: string) => NameKind | undefined
  readonly fenceAt: ((offset: number) => Dialect | undefined) | undefined
  /** The end of the last name. */
  nameEnd: number
  /** Up to here goes a bare value that is too long for a credential. */
  bareEnd: number
}

/** All of a layer, one for each name. `dialect`: of the file. The loop alone: what is compiled with it is compiled again and again. */
export function* findAssignments(layer: Layer, dialect: Dialect, budget: Budget): Generator<Assignment> {
  if (dialect === 'none') return
  const { text } = layer
  const fenceAt = dialect === 'prose' ? createFenceReader(text) : undefined
  const reader: Reader = { text, dialect, budget, kindOf: createClassifier(), fenceAt, nameEnd: -1, bareEnd: -1 }
  for (const hit of permitted(layer, nameHitsOf(layer))) {
    if (hit < reader.nameEnd) continue
    const place = placeOf(reader, hit)
    if (dialect !== 'comments' || isInComment(text, place.start)) yield* readPlace(reader, place)
    else if (mayBeGiven(text, place.start, place.end)) yield* readPlace(reader, { ...place, dialect: 'quoted', own: 'quoted' })
  }
}

/** A name around a hit, and how the lines around it are written. */
interface Place {
  readonly start: number
  readonly end: number
  /** Of the file, or of the block of code in it. */
  readonly dialect: Dialect
  readonly own: Dialect
  readonly isPhrase: boolean
}

function placeOf(reader: Reader, hit: number): Place {
  const { text, dialect, budget, fenceAt } = reader
  budget.step(2)
  const start = startOfName(text, hit)
  const phraseEnd = endOfPhrase(text, hit)
  reader.nameEnd = phraseEnd ?? endOfName(text, start, hit)
  const fence = fenceAt?.(hit)
  const own = fence ?? (fenceAt === undefined ? dialect : 'quoted')
  return { start, end: reader.nameEnd, dialect: fence === 'quoted' ? fence : dialect, own, isPhrase: phraseEnd !== undefined }
}

/** Where the name begins that a keyword stands in. */
export function startOfName(text: string, hit: number): number {
  let start = hit
  while (start > 0 && hit - start < LONGEST_NAME && NAME_CODES[text.charCodeAt(start - 1)] === 1) start--
  // `"user=a\npassword=b"`: the letter is that of an escape
  return start > 0 && start < hit && text[start - 1] === '\\' ? start + 1 : start
}

export function endOfName(text: string, start: number, hit: number): number {
  let end = hit
  while (end < text.length && end - start < LONGEST_NAME && NAME_CODES[text.charCodeAt(end)] === 1) end++
  return end
}

function* readPlace(reader: Reader, { start: first, end, dialect, own, isPhrase }: Place): Generator<Assignment> {
  const { text, budget, kindOf } = reader
  const start = /["'<`]/.test(text[end] ?? '') || text.startsWith(':<', end) ? startOfWords(text, first) : first
  const name = withoutPunctuation(text.slice(start, end))
  if (end - start >= LONGEST_NAME || isInLongValue(reader, start, end)) return
  if (dialect === 'prose' && own === 'quoted') {
    budget.step(STEPS_PER_READ)
    yield* findInColumn(text, start, end, name, kindOf(name), budget)
  }
  if (CONTAINER.test(name)) yield* readMembers(text, start, end, name, budget)
  budget.step(isCostly(text, start, end) ? 2 * STEPS_PER_READ : STEPS_PER_READ)
  const found = readName(text, start, start + name.length, dialect, own)
  budget.step((found?.literal.value.length ?? 0) >>> 3)
  if (found?.literal.isQuoted === false) reader.bareEnd = Math.max(reader.bareEnd, found.literal.end)
  if (found === undefined && PICKED.test(text.slice(end, end + 8)))
    yield* readPicked(text, start, end, name, kindOf(name), budget)
  if (found === undefined || found.literal.value === '') return
  const kind = kindOf(leafOf(name, found.form, own)) ?? (isPhrase ? 'secret' : undefined)
  if (kind === undefined) return
  // to judge it
  budget.step(12)
  yield { name: name.replace(/^[-.]+/, ''), kind, form: found.form, nameStart: start, ...found.literal }
}

/** In a bare value that is too long for a credential, and no parameter there. */
function isInLongValue({ text, bareEnd }: Reader, start: number, end: number): boolean {
  if (start >= bareEnd || bareEnd - end <= LONG_VALUE) return false
  return BARE.test(text.slice(end, end + 8)) && !/[?&;]/.test(text[start - 1] ?? '')
}

/** Where more forms than one have to be tried: a sign of assignment, a blank in a text for people. */
function isCostly(text: string, start: number, end: number): boolean {
  const sign = text[end]
  return sign === ':' || sign === ' ' || (sign === '=' && text[start - 1] === ' ') || text[end + 1] === ':'
}

/** The cells below a name that heads a column of a table. */
function* findInColumn(
  text: string,
  start: number,
  end: number,
  name: string,
  kind: NameKind | undefined,
  budget: Budget,
): Generator<Assignment> {
  if (kind === undefined) return
  for (const literal of readColumn(text, start, end, budget)) yield { name, kind, form: 'entry', nameStart: start, ...literal }
}

/** A name of code, or of a text for people. */
function readName(text: string, start: number, end: number, dialect: Dialect, own: Dialect): Read | undefined {
  const before = (): string => lineBefore(text, start, 120)
  if (dialect === 'prose' && own === 'quoted' && isSecondOfTwo(before())) return readPairOfNames(text, end)
  return (
    readAssignment(text, start, end, own) ??
    (own === 'quoted' ? readCdsDefault(text, end) : undefined) ??
    (isSaidAt(text, start, end, dialect, own) && mayHoldValue(text, start, end)
      ? readProse(text, start, end, before())
      : undefined)
  )
}

const NAMES: ReadonlySet<string> = new Set(NAME_KEYWORDS)
const CAMELS: ReadonlySet<string> = new Set(CAMEL_KEYS)

/** Where words of names of credentials stand. */
export function nameHitsOf(layer: Layer): readonly number[] {
  const keywords = layer.found === undefined ? NAME_KEYWORDS : [...layer.found()].filter((keyword) => NAMES.has(keyword))
  const { text } = layer
  return mergeOffsets(
    keywords.map((keyword) => {
      const offsets = layer.offsets(keyword)
      return CAMELS.has(keyword) ? offsets.filter((at) => text[at] === 'K' && /[a-z\d]/.test(text[at - 1] ?? '')) : offsets
    }),
  )
}

/** What the name of a field ends in that holds a credential. */
const OF_FIELD = /(?:[-_]{0,2}(?:field|inner|input|text|box|control|element|value|edit|entry)){1,3}$/i

/** The part of a path that is the name. In lines of names with dots one that ends in `value` is about the part before. */
function leafOf(name: string, form: Form, dialect: Dialect): string {
  if (form === 'flag') return name.replace(/^-+/, '')
  if (form === 'filled') return (name.split('.').at(-1) ?? '').replace(OF_FIELD, '')
  if (form === 'returned') return (name.split('.').at(-1) ?? '').replace(/^(?:get|load|read|fetch)_?/, '')
  // the login of a scanner of SonarQube is its token
  if (name.endsWith('sonar.login')) return 'sonarToken'
  const parts = name
    .replace(/\.equals(?:IgnoreCase)?$/, '')
    .split('.')
    .filter((part) => part !== '')
  if (dialect === 'line' && parts.length > 1 && /^(?:value|default)$/i.test(parts.at(-1) ?? '')) return parts.at(-2) ?? ''
  return parts.at(-1) ?? ''
}

/** A value and how it is given. */
export interface Read {
  readonly form: Form
  readonly literal: Literal
}
