import { entropyOf, isWordLike, shareOfUnusualPairs } from '../secrets/randomness.ts'
import type { Span } from '../types.ts'

/** A name with a word of credentials in it, and the value that it is given: `clarifaiKey = '…'`, `"demio_key": "…"`, `@my.password: '…'`, `Basic …`. */
const NAMED =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|[\w.-]key|authorization|bearer|basic)s?["'`\]]{0,2}(?:\s{0,10}:\s{0,10}[\w.]{1,40}(?:\(\d{1,9}\))?\s{1,10}(?:default\s{1,10}|=\s{0,10})|\s{0,10}(?:=>|[:=])\s{0,10}|\s{1,10})(?:"([^"\n]{4,400})"|'([^'\n]{4,400})'|`([^`\n]{4,400})`|(?!(?:bearer|basic|token)\s)([^\s"'`,;{}()<>$]{6,400}))/gi
const RANDOM = /[A-Za-z0-9+/_=~.%-]{16,2000}/g
/** `${…}`, `{{…}}`, `<…>`, `%NAME%`. */
const REFERENCE = /^(?:[{$<]|%[{(]|%\w{1,60}%$)/
/** With the marks of generated passwords between. */
const MARKED = /[\w!@#^*$+.~-]{16,400}/g
/** Of an address, or the commit of an action. */
const BEHIND_AT = /@(?:[a-z][a-z0-9-]{0,60}(?:\.[a-z0-9-]{1,60}){0,9}|[a-f0-9]{40})$/
const LEAST_SHARE_OF_SIGNS = 0.6
/** A line that ends with the name of a credential, or with the beginning of what has such a name: its value is the next one. */
const NAME_AT_END =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|[\w.-]key|authorization)s?["'`\]]{0,2}(?:\s{0,10}(?:=>|[:=])\s{0,10}(?:[|>][+-]?\d?)?|>)\s{0,10}$/i
const VALUE_ALONE = /^\s{0,200}["'`]?([^\s"'`,;<>]{6,400})["'`]?[,;)}\]]{0,4}\s{0,10}$/
/** The number of an app or of a token in front of its random part: `1234567890|a1b2…`, `1/1234567890:a1b2…`. */
const NUMBER = /(?:\d{1,3}\/)?\d{1,40}[|:]$/
const MAX_NUMBER = 45
const UUID = /(?:^|[/._~])[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}(?:$|[/._~])/i
/** In an address. */
const ENCODED = /%[0-9a-f]{2}/gi
const LEAST_ENTROPY = 3.2
/** Of 16 signs. */
const LEAST_OF_DIGEST = 2.5
/** Of pairs of letters and digits: anywhere, and at a name of a credential. */
const UNUSUAL = 0.4
const UNUSUAL_AT_NAME = 0.2
const LEAST_LENGTH = 16
const LEAST_OF_TOKEN = 12

/**
 * Values of a line that nobody recognised as credentials and that might be one: at a name of a credential, or random by their look. A snippet shows a line for the
 * code in it, not for these. `before`: the line above.
 */
export function findSuspicious(line: string, before = ''): Span[] {
  const spans: Span[] = []
  const alone = NAME_AT_END.test(before) ? VALUE_ALONE.exec(line)?.[1] : undefined
  if (alone !== undefined && !isWord(alone) && !isBareWord(alone) && !isExpression(alone)) {
    const start = line.indexOf(alone)
    spans.push({ start, end: start + alone.length })
  }
  for (const match of line.matchAll(NAMED)) {
    const value = match.slice(1).find((group) => group !== undefined) ?? ''
    const isQuoted = match[4] === undefined
    if (isQuoted ? isWord(value) : isBareWord(value) || isExpression(value)) continue
    const start = match.index + match[0].length - value.length - (isQuoted ? 1 : 0)
    spans.push({ start, end: start + value.length })
  }
  for (const { 0: text, index } of line.matchAll(RANDOM))
    if (isRandom(text.replaceAll(ENCODED, '/')) && !isName(line, index, text)) {
      const number = NUMBER.exec(line.slice(Math.max(0, index - MAX_NUMBER), index))
      spans.push({ start: index - (number?.[0].length ?? 0), end: index + text.length })
    }
  for (const { 0: run, index } of line.matchAll(MARKED)) {
    const text = run.replace(BEHIND_AT, '')
    if (text.length >= LEAST_LENGTH && isDrawnLiteral(text)) spans.push({ start: index, end: index + text.length })
  }
  return spans
}

/** Letters and digits as no word and no name has them, with marks between. */
function isDrawnLiteral(value: string): boolean {
  if (!/[!@#^*$]/.test(value) || [/[a-z]/, /[A-Z]/, /\d/].filter((sort) => sort.test(value)).length < 2) return false
  const signs = value.replaceAll(/[^A-Za-z0-9]/g, '')
  if (signs.length < Math.max(LEAST_OF_TOKEN, value.length * LEAST_SHARE_OF_SIGNS) || isWordLike(value)) return false
  return (isMixed(signs) || shareOfUnusualPairs(value) >= UNUSUAL) && entropyOf(signs) >= LEAST_ENTROPY
}

/** `password: 'Password'`, `key: 'name'`: a word without anything else is a label. */
function isWord(value: string): boolean {
  const words = /^[A-Za-z][a-z]{0,40}(?:[ /.][A-Za-z][a-z]{0,40}){0,12}[.?!:]?$/
  return (words.test(value) && !isDrawnWord(value)) || REFERENCE.test(value)
}

/** Without a digit. */
function isBareWord(value: string): boolean {
  return !/\d/.test(value) && !isDrawnWord(value)
}

/** Letters as no word has them: keys in base 32 without a digit. */
function isDrawnWord(value: string): boolean {
  return value.length >= LEAST_OF_TOKEN && shareOfUnusualPairs(value) >= UNUSUAL_AT_NAME
}

/** `password = req.data.password1`, `process.env.KEY2`, `token-url`; but not `s.` and letters and digits in turns. */
function isExpression(value: string): boolean {
  return /^[A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}){1,10}\)?$/.test(value) && !hasDrawnPart(value)
}

function hasDrawnPart(members: string): boolean {
  return [...members.split('.'), members.replaceAll('.', '')].some(isDrawn)
}

/** Of a function or a member: code, no literal. */
function isName(line: string, start: number, text: string): boolean {
  return (
    /^\.?[A-Za-z_$][\w.]*$/.test(text) &&
    (line[start - 1] === '.' || /^[(.[]/.test(line.slice(start + text.length)) || (text.includes('.') && !hasDrawnPart(text)))
  )
}

/** Paths, versions and names are words with marks between them. */
function isRandom(text: string): boolean {
  if (text.length < LEAST_LENGTH || !/[A-Za-z]/.test(text)) return false
  if (UUID.test(text)) return isMixed(text) && entropyOf(text) >= LEAST_ENTROPY
  return text.split(/[/._~-]/).some((part) => isDrawn(part) || isPartOfToken(part))
}

/** Letters and digits in turns, or as no word has them, and hardly any of them twice. */
function isDrawn(part: string): boolean {
  if (part.length < LEAST_LENGTH || !/[A-Za-z]/.test(part)) return false
  if (/^[a-f0-9]{32,}$/i.test(part)) return entropyOf(part) >= LEAST_OF_DIGEST
  // base 32 has capitals, and digits in between now and then
  if (/^[A-Z2-7]{24,}$/.test(part)) return entropyOf(part) >= LEAST_ENTROPY
  return ((isMixed(part) && !isWordLike(part)) || shareOfUnusualPairs(part) >= UNUSUAL) && entropyOf(part) >= LEAST_ENTROPY
}

/** Of base 64 for addresses, which has `-` and `_` among its signs. */
function isPartOfToken(part: string): boolean {
  return part.length >= LEAST_OF_TOKEN && /\d/.test(part) && isMixed(part) && !isWordLike(part)
}

/** Small letters, capitals and digits in turns, more of them than names in camel case have. */
function isMixed(text: string): boolean {
  let [turns, capitals, digits] = [0, 0, 0]
  let before = ''
  for (const character of text) {
    const sort = /[a-z]/.test(character) ? 'small' : /[A-Z]/.test(character) ? 'capital' : /\d/.test(character) ? 'digit' : 'mark'
    if (sort === 'capital') capitals++
    if (sort === 'digit') digits++
    if (before !== '' && sort !== before) turns++
    before = sort
  }
  return turns >= text.length / 4 && digits + capitals >= text.length / 4
}
