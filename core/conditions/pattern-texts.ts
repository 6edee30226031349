import { type Value, keyOf, resolveValue } from '../facts/index.ts'
import { regexOf } from '../facts/regular-expressions.ts'
import { nameOfCallee } from '../facts/asked-values.ts'

/** Texts that one pattern may stand for. */
const MAX_TEXTS = 64

/** `(^|[\\/])` and `([\\/]|$)` around a name that a path goes through. */
const PATH_ENDS = /\((?:\?:)?(?:\^\|[^()]{1,12}|[^()]{1,12}\|(?:\^|\$))\)/g

/** Texts that a pattern finds wherever they stand: `<` and `>` of `/[<>]/`, `..` of `/\.\.\//`. Of an alternative that says more than that, nothing. */
export function textsFound(value: Value): readonly string[] {
  const pattern = regexOf(value)?.pattern
  if (pattern === undefined) return []
  const bare = pattern.replaceAll(PATH_ENDS, '')
  const [, grouped] = /^\((?:\?:)?((?:\\.|[^()\\])*)\)\+?$/.exec(bare) ?? []
  return alternativesOf(grouped ?? bare).flatMap((one) => textsOf(one) ?? [])
}

function alternativesOf(pattern: string): readonly string[] {
  const found: string[] = ['']
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/g))
    if (part === '|') found.push('')
    else found.push(`${found.pop() ?? ''}${part}`)
  return found
}

/** The texts of one alternative; undefined: more than characters stand in it. */
function textsOf(alternative: string): readonly string[] | undefined {
  let texts: readonly string[] = ['']
  const parts = [...alternative.matchAll(PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== alternative) return undefined
  for (const [, given = '', count] of parts) {
    const characters = charactersOf(given)
    const least = count === undefined || count === '+' ? 1 : Number(/\d+/.exec(count)?.[0] ?? 0)
    if (characters === undefined || least === 0) return undefined
    for (let times = 0; times < least; times++)
      texts = texts.flatMap((text) => characters.map((character) => text + character)).slice(0, MAX_TEXTS)
  }
  return texts
}

const PART = /(\\.|\[(?:\\.|[^\]\\]){1,100}\]|[^\\[\](){}^$.*+?|])(\+|\{\d,?\})?/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

/** The character, or those of a class; undefined: too many. */
function charactersOf(part: string): readonly string[] | undefined {
  if (part.startsWith('\\')) return escapedBy(part[1] ?? '')
  if (!part.startsWith('[')) return [part]
  const inner = part.slice(1, -1)
  if (inner.startsWith('^')) return undefined
  const found: string[] = []
  for (const [one] of inner.matchAll(/\\.|[^\\]-[^\\]|[^]/g))
    // of a range the ends are enough: what is refused beside them makes nothing worse
    found.push(
      ...(one.startsWith('\\') ? (escapedBy(one[1] ?? '') ?? []) : one.length === 3 ? [one[0] ?? '', one[2] ?? ''] : [one]),
    )
  return found.length === 0 ? undefined : found
}

/** `\n`, `\.`; of `\s` those that end a line. */
function escapedBy(letter: string): readonly string[] | undefined {
  if (letter === 's') return [' ', '\n', '\r', '\t']
  const character = ESCAPED[letter]
  if (character !== undefined) return [character]
  return /[A-Za-z0-9]/.test(letter) ? undefined : [letter]
}

const MAX_SPELLINGS = 4
/** Makes a number of the whole text; `parseInt` reads the first digits of `1 or 1=1`. */
const NUMBERS = /^(?:Number|BigInt)$/

/**
 * The keys of a value and of those that it is made of without loss: `name` of `name.trim().toLowerCase()`, `Number(name)`, `String(name)`, and of a name that holds that.
 * `isPattern`: of what fits a pattern, a line break in front was not seen, which begins another command.
 */
export function keysOf(given: Value, isPattern = false): readonly string[] {
  const found: string[] = []
  let here: Value | undefined = given
  for (let depth = 0; here !== undefined && depth <= MAX_SPELLINGS; depth++) {
    const key = keyOf(here)
    if (key !== undefined && !found.includes(key)) found.push(key)
    here = spelledAnew(here.kind === 'reference' ? resolveValue(here) : here, isPattern)
  }
  return found
}

function spelledAnew(value: Value, isPattern: boolean): Value | undefined {
  if (value.kind === 'operation') return value.operator === '+' && value.operands.length === 1 ? value.operands[0] : undefined
  if (value.kind !== 'call') return undefined
  const { callee, args } = value
  const name = nameOfCallee(callee) ?? ''
  if (callee.kind === 'reference') {
    const isCast = callee.binding === undefined && args.length === 1 && (name === 'String' || NUMBERS.test(name))
    return isCast ? args[0] : undefined
  }
  if (callee.kind !== 'member') return undefined
  const isSame = /^(?:to(?:Locale)?(?:Lower|Upper)Case|toString)$/.test(name) || (!isPattern && /^trim(?:Start|End)?$/.test(name))
  return isSame ? callee.object : undefined
}
