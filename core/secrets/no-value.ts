import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { decodeBase64 } from './base64.ts'
import { isPublicDer } from './certificates.ts'
import { countLook, countSearch } from './layers.ts'
import { isDefaultPassword, isMade, isPassphrase } from './made-up.ts'
import { classifyName, DEMANDED, isBareKey, isVendorKey, wordsOfName } from './names.ts'
import { isRandomLooking, isWordLike } from './randomness.ts'
import { isPlaceholder, isReference } from './values.ts'

const SHORTEST = { password: 4, secret: 8 } as const
/** Temporary credentials of clouds have up to 1,000 characters. */
const LONGEST = 1500

/** Whatever they look like: addresses, keys in PEM (which have a rule of their own), hashes, patterns, variables. */
const NEVER: readonly RegExp[] = [
  /^(?:https?|file|jdbc|odata|sap|urn|data|classpath|ldaps?|postgres\w{0,10}|mongodb(?:\+srv)?|mysql|redis|amqp)s?:/i,
  /^-----BEGIN/,
  /^(?:sha(?:1|256|384|512)|md5)[-:=]/,
  /^!(?:Ref|Sub|GetAtt)\b/,
  /\$[A-Z]{2,40}_[A-Z]/,
  /#\w{1,60}#/,
  // the rest is left out: `sk-... npm run build`
  /^[\w-]{1,40}(?:\.{3}|\u2026)(?:\s|$)/,
  // a type and a hint in parentheses, as documentation has them
  /^\(\w{4,12}\) /,
  // patterns: a class or a group with its quantifier
  /[\])][+*{]|\(\?[:=!<]/,
  // calls
  /^[A-Za-z_$][\w$.]{1,80}\([^()]{0,200}\)/,
  // hashes of passwords: bcrypt, Argon2, crypt(3)
  /^\$(?:2[abxy]?|argon2i?d?|scrypt|pbkdf2[\w-]{0,20}|[156])\$/,
  // the pattern of a command that replaces a line
  /^\.\*\/|^\$[A-Za-z_]\w{0,60}\/[gi]{0,3}$/,
  // which pages hold: a publishable key of Stripe, the public key of web push (a point of P-256)
  /^pk_(?:test|live)_/,
  /^B[\w-]{86}$/,
  // the quote that ends a text, and what is added to it: `"/PassSet(No='" + no + "')"`
  /^["'`]?\s{0,4}\+\s/,
  // which characters one has: `lower case (a-z)`
  /\((?:a-z|A-Z|0-9)\)/,
  // the pair that Google publishes for tests (reCAPTCHA, Frequently Asked Questions)
  /^6LeIxAcTAAAAA/,
  // one sign over and over; tokens of X begin with 22 of one
  /([^A])\1{7}|A{30}/,
  // a secret by its name and version: `db-password:latest,DB_URI=db-uri:2` (gcloud reference, `run deploy --set-secrets`)
  /^(?:[\w-]{1,255}:)?latest(?:[,'"]|$)|^[\w-]{1,255}:\d{1,5},\w{1,100}=[\w-]{1,255}:/,
  // names of constants
  /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,10}$/,
]

/** Where nothing says that they were drawn: paths, bindings, selectors, names of files, calls. */
const UNLESS_DRAWN: readonly RegExp[] = [
  /^(?:[./~#@^]|i18n>|[A-Za-z]:\\)/,
  /^\w{1,40}>/,
  /^[\w-]{1,100}\.(?:json|js|ts|pem|key|txt|ya?ml|xml|properties|crt|cer|p12|jks)$/,
  /^[\w$.]{1,80}\(/,
  /^[\w$.]{0,80}\[?["'][\w-]{1,60}["']\]?$/,
]

/** `#tour@2031`: no selector has such a sign in its name. Fact: CSS Syntax Module Level 3, "name code point". */
const NO_SELECTOR = /^#[A-Za-z]\w{1,30}[@!$%&*]\d{2,8}$/

/** What a protocol calls things, `on_behalf_of`: passwords are put together of words as well, tokens and keys are not. */
const CONSTANT = /^[a-z]{1,16}(?:[_-][a-z]{1,16}){1,8}$/

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** As services give out keys: letters and digits, nothing else tells what it is. */
function isDrawnKey(value: string): boolean {
  return (
    value.length >= 20 && /^[\w.~+/=-]{20,200}$/.test(value) && /\d/.test(value) && !UUID.test(value) && isRandomLooking(value)
  )
}

/** What Apple's push service calls a phone: 32 bytes in hexadecimal, which open nothing without the certificate or key of the app (Apple, "Registering your app with APNs"). */
const PHONE = /^[\da-f]{64}$/i
const OF_PHONE = /dev(?:ice)?[_-]?token/i

/** What code begins with; only where a value needs no quotes. */
const CODE = /^(?:this|self|process|cds|req|env|config|null|none|true|false|await|new|function|var|local)\b[.(]/i
/** The next member of the same object. */
const NEXT_MEMBER = /^[A-Za-z_$][\w$]{0,40},[A-Za-z_$][\w$]{0,40}:/
const DOTTED = /^[A-Za-z][\w-]{0,60}(?:[./][A-Za-z][\w-]{0,60}){1,20}$/

/** Words of texts and names that are about credentials. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  (
    'password passwords passwd pwd passwort kennwort pass passphrase secret secrets token tokens credential credentials key keys api access client ' +
    'auth user users field input label new old repeat confirm current wrong invalid the my is not missing required reset forgot text type bearer basic ' +
    'oauth grant id jwt csrf refresh'
  ).split(' '),
)

/** JSON in base64, as `{"` and a brace before a line end begin. */
const ENCODED_OBJECT = /^(?:eyJ|ewo|ew0)[A-Za-z0-9+/]{20,1500}={0,2}$/
const OBJECT = /^\{\s{0,20}\\{0,4}"/
const MEMBER = /"([\w.-]{2,60})\\{0,4}"\s{0,4}:/g

/** An object with credentials among its members: each of them is judged on its own. */
function isObjectOfCredentials(value: string): boolean {
  const text = ENCODED_OBJECT.test(value) ? new TextDecoder().decode(decodeBase64(value)) : value
  if (!OBJECT.test(text)) return false
  return [...text.matchAll(MEMBER)].some(([, name = '']) => classifyName(name) !== undefined)
}

/** Classes and states of what passes and fails: `ok ? 'row-pass' : 'row-fail'`. */
function isOpposite(value: string, name: string): boolean {
  return /fail/i.test(value) && value.toLowerCase().replace(/fail(?:ed|ure|s)?/, 'pass') === name.toLowerCase()
}

/** Requests that developers keep, and their variables: they name rows by their keys. */
const REQUESTS = /\.(?:bru|http|rest)$/i

/** `TOUR_KEY: 5f1d2c3b-…` of a request: the key of a row. Elsewhere services give out keys like that, too. */
export function isRowKey(value: string, { kind, name }: Assignment, path: string): boolean {
  return kind === 'secret' && REQUESTS.test(path) && UUID.test(value) && isBareKey(name)
}

/** Whether a value is none of a credential: a reference, a placeholder, a name, a path, code, a text for people. */
export function isNoValue(value: string, { kind, name, form, isQuoted, verifies }: Assignment): boolean {
  if (value.length < SHORTEST[kind] || value.length > LONGEST) return true
  if (kind === 'password' && isQuoted && isDefaultPassword(name, value)) return false
  if (isReference(value) || isPlaceholder(value, name) || NEVER.some((form) => form.test(value))) return true
  // signs what the server takes, words or not
  if (verifies === true) return false
  if (isObjectOfCredentials(value) || isPublicDer(value) || isOpposite(value, name)) return true
  if (kind === 'secret' && (CONSTANT.test(value) || (isVendorKey(name) && !isDrawnKey(value)))) return true
  if (OF_PHONE.test(name) && PHONE.test(value)) return true
  // `user:password`
  const password = /credentials?$/i.test(name) ? /^[\w.@-]{1,60}:(.{1,200})$/.exec(value)?.[1] : undefined
  if (password !== undefined && (password.length < SHORTEST.password || isReference(password) || isPlaceholder(password, name)))
    return true
  if (NEXT_MEMBER.test(value) || (!isQuoted && form !== 'flag' && CODE.test(value))) return true
  if (isRandomLooking(value) || (kind === 'password' && isMade(value.replace(/^[#@^~]{1,3}/, '')) && !/[/\\]/.test(value)))
    return false
  // the key of a cipher by its position: no selector has these signs
  if (form === 'call' && isPassphrase(value)) return false
  if (
    (UNLESS_DRAWN.some((form) => form.test(value)) && !(kind === 'password' && isQuoted && NO_SELECTOR.test(value))) ||
    (DOTTED.test(value) && isWordLike(value) && !(kind === 'password' && /\d{3}/.test(value)))
  )
    return true
  // a sentence in a language with accents
  if (/[\u00c0-\uffff]/.test(value) && /\s/.test(value)) return true
  return isWordLike(value) && !/\d{3}/.test(value) && wordsOfName(value).some((word) => OWN_WORDS.has(word))
}

/** What stands before and behind a constant that is compared with a name. */
const COMPARED_BEFORE = /([\w$]{1,60})\s{0,4}[=!]==?\s{0,4}(?:[\w$]{1,60}\.){0,3}$/
const COMPARED_BEHIND = /^\s{0,4}[=!]==?\s{0,4}(?:[\w$]{1,60}\.){0,4}([\w$]{1,60})/
const COMPARED_BY_CALL =
  /(?:equals?|compare)\w{0,20}\s{0,4}\(\s{0,20}(?:Buffer\.from\(\s{0,4})?(?:[\w$]{1,60}\.){0,3}([\w$]{1,60})\s{0,4}\)?\s{0,4},\s{0,20}(?:Buffer\.from\(\s{0,4})?(?:[\w$]{1,60}\.){0,3}$/i
const AROUND = 200

/**
 * Tells of the constants of a text, such as `REQUIRED_PASSWORD`, whether they are codes of errors, texts or patterns: nothing in the text compares a password with them.
 * A text may give one a value in thousands of places: it is looked for once.
 */
export function createComparedReader(text: string, budget: Budget): (assignment: Assignment) => boolean {
  const known = new Map<string, boolean>()
  const search = (constant: string): boolean => {
    countSearch(budget, text.length)
    for (let at = text.indexOf(constant); at !== -1; at = text.indexOf(constant, at + constant.length)) {
      countLook(budget, AROUND * 2)
      const before = text.slice(Math.max(0, at - AROUND), at)
      const behind = text.slice(at + constant.length, at + constant.length + AROUND)
      const others = [COMPARED_BEFORE.exec(before), COMPARED_BEHIND.exec(behind), COMPARED_BY_CALL.exec(before)]
      if (others.some((other) => other?.[1] !== undefined && classifyName(other[1]) === 'password')) return false
    }
    return true
  }
  return ({ name }) => {
    const constant = name.slice(name.lastIndexOf('.') + 1)
    if (!DEMANDED.test(constant)) return false
    const isUncompared = known.get(constant) ?? search(constant)
    known.set(constant, isUncompared)
    return isUncompared
  }
}

/** Facts: bcrypt, the form of its texts: version, cost, 22 signs of salt and 31 of the hash. */
const BCRYPT = /^\$2[abxy]\$\d\d\$[./A-Za-z\d]{53}$/
/** Opens what a request carries. */
const REQUEST_PART = /(?:\bheaders|\bauth|\bbody\s{0,4}:\s{0,4}JSON\.stringify\()["']?\s{0,4}[:=]?\s{0,4}$/i
/** How much of an object is looked at before and behind a member. */
const OBJECT_REACH = 300

/** A hash that a request carries as its password: who has the text needs nothing else. That of an account stands among its rows. */
export function isSentHash(value: string, { kind, nameStart, end }: Assignment, text: string): boolean {
  if (kind !== 'password' || !BCRYPT.test(value)) return false
  const before = text.slice(Math.max(0, nameStart - OBJECT_REACH), nameStart)
  const open = before.lastIndexOf('{')
  if (open === -1 || before.indexOf('}', open) !== -1) return false
  const [behind = ''] = text.slice(end, end + OBJECT_REACH).split('}', 1)
  return REQUEST_PART.test(before.slice(0, open)) || /\bcontent-type["']\s{0,4}:/i.test(before.slice(open) + behind)
}
