import { holdsAt, type WordPlaces } from '../../keywords/index.ts'
import { splitWords } from './secret-names.ts'

/** The word in the languages that apps are written in, and its usual short forms: the one list for all rules that ask whether a name is that of a password. */
const PASSWORD: ReadonlySet<string> = new Set(
  (
    'password passwd passwort pwd pswd psw pasw passw pword passcode kennwort senha contrasena contrasenia motdepasse wachtwoord heslo haslo ' +
    'parola sifre'
  ).split(' '),
)
/** Those that mean other things where no user types them: a word, the code of a meeting, a cipher. */
const AMBIGUOUS: ReadonlySet<string> = new Set('parola passcode sifre pasw passw psw'.split(' '))
/** Part of a word in front of it: `UserPassword` has two words, `USERPASSWORD` one. */
const ENDS_SO = /(?:password|passwd|passwort|kennwort)$/
/** `pass` alone is a pass for a gate, too: it counts behind these, which say whose it is or of which type. */
const BEFORE_PASS: ReadonlySet<string> = new Set(
  's o v i l str my user login log in email the input txt current e p lv iv'.split(' '),
)
/** A second entry of the same password, by the user. */
const REPEATED: ReadonlySet<string> = new Set(
  'confirm confirmed confirmation confirmar confirmacion confirmacao conf cnf rep repeat repeated re retype retyped reenter reentered again new verify old current previous check match second wiederholen wiederholung neu alt nova novo nueva actual'.split(
    ' ',
  ),
)
/** Whose it is, where a row has it: `user_password`, `accountPwd`. */
const OWNERS: ReadonlySet<string> = new Set('user usr login account stored saved db'.split(' '))
/** What makes a digest of it. */
const HASHED = ['hashed', 'hash', 'digest', 'encrypted']

/** What stands in the names that `isAccountPassword` knows, in lower case; `contraseña` is cut off before its accent. */
export const ACCOUNT_PASSWORD_KEYWORDS: readonly string[] =
  'passw pwd pswd pword kennwort senha contrase motdepasse wachtwoord heslo haslo'.split(' ')

const WORDS = 'passw pasw passcode pword pwd psw kennwort senha contrasen heslo parola sifre'.split(' ')
/** Keywords of rules on passwords: what the names above hold. */
export const PASSWORD_KEYWORDS: readonly string[] = ['pass', ...WORDS]
/** `pass` as a name: comments are full of what is passed, of passes and of bypasses. */
const SHORT = /(?<=[a-z_])P(?:ass|ASS)(?![a-z])|(?<=[._'"[])pass(?![a-z])|\bpass\s{0,3}[=!)\],:}]/y

/** Whether a text may hold a name of a password, by the words that were found in it: asked before it is parsed. */
export function mayNamePassword(text: string, hits: WordPlaces): boolean {
  return WORDS.some(hits.has) || holdsAt(text, hits.places(text, ['pass']), SHORT)
}

/** What stands in each such name; those with accents are looked at as they are. Most names that are asked about are none. */
const MAY_NAME = /pass|p(?:as|s)?w|kennwort|senha|contras|wachtwoord|h[ae]slo|parola|sifre|[^\x20-\x7e]/i

/** `sPassword`, `User_Password`, `pwd`, `userPass`: whatever a page calls one. */
export function isPasswordName(name: string): boolean {
  if (!MAY_NAME.test(name)) return false
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (PASSWORD.has(last) || ENDS_SO.test(last)) return true
  if (last === 'value' || last === 'input' || last === 'field')
    return words.length > 1 && isPasswordName(words.slice(0, -1).join('_'))
  return last === 'pass' && words.slice(0, -1).every((word) => BEFORE_PASS.has(word))
}

/** `confirmPassword`, `passwordAgain`, `password2`: what is compared with it is the first entry. */
export function isRepeatedPassword(name: string): boolean {
  return /[a-z][2-9]$/i.test(name) || wordsOf(name).some((word) => REPEATED.has(word))
}

/**
 * Whether a column, an element or a parameter is the password of an account: `password`, `user_pwd`, `contraseña`; no second entry and no other password
 * (`smtpPassword`). `more`: words that may stand in front besides, in lower case.
 */
export function isAccountPassword(name: string, more: readonly string[] = []): boolean {
  const words = wordsOf(name)
  if (words.length === 1 && AMBIGUOUS.has(words[0] ?? '')) return false
  return wordsBefore(words)?.every((word) => OWNERS.has(word) || more.includes(word)) ?? false
}

/** The same of its digest: `passwordHash`, `hashed_password`, `PASSWORDHASH`. */
export function isPasswordHash(name: string): boolean {
  const words = wordsOf(name)
  const plain = words.map(withoutHashed).filter((word) => word !== '')
  return plain.join() !== words.join() && (wordsBefore(plain)?.every((word) => OWNERS.has(word)) ?? false)
}

function withoutHashed(word: string): string {
  for (const hashed of HASHED) {
    if (word.endsWith(hashed)) return word.slice(0, -hashed.length)
    if (word.startsWith(hashed)) return word.slice(hashed.length)
  }
  return word
}

/** What an account logs on with, as a column has it: the password, its digest, or `pass` alone. */
export function isLoginPassword(name: string, more: readonly string[] = []): boolean {
  return isAccountPassword(name, more) || isPasswordHash(name) || PASS.test(name)
}
const PASS = /^(?:user_?)?pass(?:_?hash(?:ed)?)?$/i

/** What stands before the word for a password; undefined: no such word ends it. */
function wordsBefore(words: readonly string[]): readonly string[] | undefined {
  const last = words.at(-1) ?? ''
  if (PASSWORD.has(last)) return words.slice(0, -1)
  if (last === 'passe' && words.slice(-3).join('') === 'motdepasse') return words.slice(0, -3)
  for (const owner of OWNERS)
    if (last.startsWith(owner) && PASSWORD.has(last.slice(owner.length))) return [...words.slice(0, -1), owner]
  return undefined
}

/** Without accents and numbers: `contraseña`, `password1`. */
function wordsOf(name: string): string[] {
  const plain = /[^\x20-\x7e]/.test(name) ? name.normalize('NFD').replaceAll(/\p{M}/gu, '') : name
  return splitWords(plain).map((word) => word.replace(/(?<=[a-z])\d$/, ''))
}
