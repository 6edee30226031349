import { isInvented } from './invented.ts'
import { isRandomLooking } from './randomness.ts'
import { NAMES_OF_VALUES, PLACEHOLDER_WORDS, WEAK_PASSWORDS } from './words.ts'

export { classifyHost, type HostClass } from '../hosts.ts'

/** References to a value that stands elsewhere: of shells, templates, CI systems, vaults, SAP deployment descriptors. Anywhere in a value. */
const REFERENCES: readonly RegExp[] = [
  /\$\{|\$\(|\{\{|\(\(|~\{|<%|#\{|\{%|\[%/,
  /process\.env|import\.meta\.env|os\.environ|getenv|ENC\[|\bsecrets\.|\bvault:|\bop:\/\/|\barn:[a-z-]{1,20}:(?:secretsmanager|ssm)|\benv:/i,
  /%\([a-z_]\w{0,60}\)[sd]/i,
  // functions of Helm's templates
  /^\(?\s?(?:rand(?:AlphaNum|Alpha|Numeric|Ascii|Bytes)|gen(?:PrivateKey|CA|SelfSignedCert|SignedCert)|derivePassword|uuidv4)\b/,
]

/** References that are the whole value. */
const WHOLE_REFERENCE =
  /^(?:(?:pass:)?\$[A-Za-z_]\w{0,80}(?:\$|\[[\w"'$-]{1,30}\]|(?:\.[A-Za-z_]\w{0,30}){1,4})?|\{[^{}]{0,80}\}|%[A-Za-z_][\w.]{0,80}%|%[sdv]|@[A-Za-z_][\w.-]{0,80}@|__\w{1,80}__|:[A-Za-z_]\w{0,80}|\[[\w .-]{1,80}\]|%(?:vault|secret|env|param):[^%\s]{1,120}%|credentialsJSON:[\w-]{1,60}|ENC\([^()]{1,1000}\)|\{(?:cipher|bcrypt|pbkdf2|scrypt|argon2|sha256|enc|aes)\}\S{1,1000})$/i

/** Whether a value names another place where the value is had. */
export function isReference(value: string): boolean {
  // out of the quotes of a shell and back: `'{"password":"'$PASSWORD'"}'`
  const inner = /^["']/.test(value) && value.endsWith(value.slice(0, 1)) ? value.slice(1, -1) : value
  return WHOLE_REFERENCE.test(inner) || REFERENCES.some((form) => form.test(value))
}

/** Whether a value only shows where one goes. `name`: the field or user that it is given to. Words are taken at their borders alone, so that no random value is lost. */
export function isPlaceholder(value: string, name?: string): boolean {
  const lower = value.toLowerCase()
  if (/^<.{0,200}>$/.test(value) || /^\[redacted[^\]]{0,40}\]$/i.test(value)) return true
  if (isBlotted(lower) || isSequence(lower)) return true
  if (NAMES_OF_VALUES.has(lower) || NAMES_OF_VALUES.has(lower.replaceAll(/[-_. ]/g, ''))) return true
  if (name !== undefined && name !== '' && lower === name.toLowerCase()) return true
  if (OTHER_SCRIPTS.test(value)) return true
  // three letters in a row are nothing rare in a random value
  const shortest = isRandomLooking(value) ? 4 : 1
  return wordsOf(value).some((word) => word.length >= shortest && PLACEHOLDER_WORDS.has(word))
}

/** Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Vietnamese, kana, Han, Hangul: a text, as no generator of passwords draws them. */
const OTHER_SCRIPTS = /[\u0370-\u04ff\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u1e00-\u1eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

const BLOTS = ['*', '.', 'x', 'X', '0', '#', '_', '-', '?', '•']

/** `********`, `xxxxxx`, `0000-0000`: at least four of one sign that stands for nothing, 60 % of the value. */
export function isBlotted(value: string): boolean {
  if (value.length < 4) return false
  const counts = new Map<string, number>()
  for (const sign of value) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  if (counts.size === 1) return true
  for (const sign of BLOTS) {
    const count = counts.get(sign) ?? 0
    if (count >= 4 && count >= value.length * 0.6) return true
  }
  return false
}

/**
 * `123456`, `abcdef`, `abc123`, `9876`: runs of three characters or more, each following on the one before, for 60 % of the value at least. A name and a sign before a run,
 * `Shop@123456`, is how people choose passwords that a policy lets through.
 */
export function isSequence(value: string): boolean {
  if (value.length < 3) return false
  let inRuns = 0
  let run = 1
  let direction = 0
  let others = ''
  for (let at = 1; at <= value.length; at++) {
    const step = stepAt(value, at)
    if (step !== 0 && (step === direction || run === 1)) run++
    else {
      if (run >= 3) inRuns += run
      else others += value.slice(at - run, at)
      run = step === 0 ? 1 : 2
    }
    direction = step
  }
  return inRuns >= Math.max(3, value.length * 0.6) && !(LETTERS.test(others) && SIGN.test(others))
}

const LETTERS = /[a-z]{2}/i
const SIGN = /[^\sa-z0-9._-]/i

/** 1 or -1 where the character follows on the one before, 0 where it does not. */
function stepAt(value: string, at: number): number {
  const step = value.charCodeAt(at) - value.charCodeAt(at - 1)
  // 1234567890
  if (step === 1 || (value[at - 1] === '9' && value[at] === '0')) return 1
  return step === -1 ? -1 : 0
}

/** Whether it is a password that works and that everybody knows, or tries. */
export function isWeak(value: string): boolean {
  const lower = value.toLowerCase()
  return WEAK_PASSWORDS.has(lower) || isInvented(value) || isWeakInDisguise(lower)
}

const DISGUISES: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['@', 'a'],
  ['$', 's'],
])

/** `ch4ngeme`, the initial password of SAP's trial systems. */
function isWeakInDisguise(lower: string): boolean {
  if (lower.length > 16) return false
  const plain = [...lower].map((sign) => DISGUISES.get(sign) ?? sign).join('')
  return plain !== lower && [WEAK_PASSWORDS, PLACEHOLDER_WORDS, NAMES_OF_VALUES].some((words) => words.has(plain))
}

/** Words of a value, in lower case, cut at signs, digits and changes of case. */
function wordsOf(value: string): readonly string[] {
  // `contraseña`
  const plain = /[\u00c0-\u017f]/.test(value) ? value.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '') : value
  return plain
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')
}

/** The classes of characters in a value: all that a report may say of them. As arguments of a message, one for each language. */
export function charsetOf(value: string): { readonly charset: string; readonly caracteres: string } {
  const classes: readonly (readonly [RegExp, string, string])[] = [
    [/[A-Za-z]/, 'letters', 'lettres'],
    [/[0-9]/, 'digits', 'chiffres'],
    [/[^A-Za-z0-9\s]/, 'symbols', 'symboles'],
  ]
  const found = classes.filter(([kind]) => kind.test(value))
  return {
    charset: joinWith(
      'and',
      found.map(([, name]) => name),
    ),
    caracteres: joinWith(
      'et',
      found.map(([, , name]) => name),
    ),
  }
}

/** `letters, digits and symbols`. */
function joinWith(conjunction: string, names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`
}
