import type { KeywordHits } from '../../keywords/index.ts'
import { splitWords } from '../../model/script/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { constantOf, resolveValue, type Value } from '../../facts/index.ts'

/** The word in the languages that apps are written in, and its usual short forms. */
const PASSWORD: ReadonlySet<string> = new Set(
  'password passwd passwort pwd pswd psw pasw passw pword passcode kennwort senha contrasena contrasenia heslo parola sifre'.split(
    ' ',
  ),
)
/** Part of a word in front of it: `UserPassword` has two words, `USERPASSWORD` and `userpwd` one. */
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

const WORDS = 'passw pasw passcode pword pwd psw kennwort senha contrasen heslo parola sifre'.split(' ')
/** Keywords of rules on passwords: what the names above hold. */
export const PASSWORD_KEYWORDS: readonly string[] = ['pass', ...WORDS]
/** `pass` as a name: comments are full of what is passed, of passes and of bypasses. */
const SHORT = /[a-z_]P(?:ass|ASS)(?![a-z])|[._'"[]pass(?![a-z])|\bpass\s{0,3}[=!)\],:}]/

/** Whether a text may hold a name of a password, by the words that were found in it: asked before it is parsed. */
export function mayNamePassword(text: string, hits: Pick<KeywordHits, 'has'>): boolean {
  return WORDS.some(hits.has) || SHORT.test(text)
}

/** Words of a text that nobody has looked for yet. */
export function wordsIn(text: string): Pick<KeywordHits, 'has'> {
  const lower = text.toLowerCase()
  return { has: (word) => lower.includes(word) }
}

/** `sPassword`, `User_Password`, `pwd`, `userPass`. */
export function isPasswordName(name: string): boolean {
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

function wordsOf(name: string): string[] {
  return splitWords(name).map((word) => word.replace(/(?<=[a-z])\d$/, ''))
}

/** What changes a text and leaves what it says, or makes a digest of it. */
const RESHAPES =
  /^(?:trim|toUpperCase|toLowerCase|toString|valueOf|String|btoa|atob|encodeURIComponent|md5|MD5|SHA1|SHA256|sha256|hash)$/
const MAX_DEPTH = 6
/** Reads what stands in a field of the page. */
const READS_FIELD = /^(?:getValue|getSelectedKey|val)$/

/** The value below `trim()`, `toUpperCase()` and digests. */
export function unwrap(value: Value, depth = 0): Value {
  if (depth > MAX_DEPTH || value.kind !== 'call') return value
  const name = lastNameOf(value.callee) ?? ''
  if (!RESHAPES.test(name)) return value
  const [first] = value.args
  if (first !== undefined) return unwrap(first, depth + 1)
  return value.callee.kind === 'member' ? unwrap(value.callee.object, depth + 1) : value
}

/** The name by which a value is a password: its own, that of the field or of the control that it is read from; undefined: it is none. */
export function passwordNameOf(given: Value): string | undefined {
  const value = unwrap(given)
  const own = lastNameOf(value)
  if (own !== undefined && isPasswordName(own)) return own
  const here = unwrap(resolveValue(value))
  const name = here.kind === 'call' ? readName(here) : lastNameOf(here)
  return name !== undefined && isPasswordName(name) ? name : undefined
}

/** What leaves a password readable: encodings that anybody turns back, and what puts it beside other things. */
const KEEPS = /^(?:trim|toString|valueOf|String|btoa|encodeURI(?:Component)?|encodeURL|escape|stringify|base64Encode)$/
const DIGESTS = /^(?:md5|sha\d{0,3}|hash\w{0,10}|digest|encrypt)$/i

/** The password that a value holds in whatever encoding: `btoa(user) + ":" + btoa(password)`. */
export function passwordWithin(given: Value, depth = 0): { readonly at: Value; readonly name: string } | undefined {
  if (depth > MAX_DEPTH) return undefined
  const value = resolveValue(given)
  const parts = partsKept(value)
  if (parts === undefined) {
    const name = constantOf(value) === undefined ? passwordNameOf(given) : undefined
    return name === undefined ? undefined : { at: given, name }
  }
  for (const { part, key } of parts) {
    const isHeld = key !== undefined && isPasswordName(key) && constantOf(resolveValue(part)) === undefined
    const found = isHeld ? { at: part, name: key } : passwordWithin(part, depth + 1)
    // where the value has a name of its own, that is what stands at the place
    if (found !== undefined) return value === given ? found : { ...found, at: given }
  }
  return undefined
}

/** The parts that a value is put together of or encodes; undefined: it is none of these. */
function partsKept(value: Value): readonly { readonly part: Value; readonly key?: string }[] | undefined {
  switch (value.kind) {
    case 'concat':
    case 'template':
      return value.parts.map((part) => ({ part }))
    case 'choice':
      return value.options.map((part) => ({ part }))
    case 'object':
      return value.fields.map(({ key, value: part }) => ({ part, ...(key !== undefined && { key }) }))
    case 'operation':
      return []
    case 'call': {
      const name = lastNameOf(value.callee) ?? ''
      if (DIGESTS.test(name)) return []
      if (!KEEPS.test(name)) return undefined
      const parts = value.args.map((part) => ({ part }))
      return parts.length === 0 && value.callee.kind === 'member' ? [{ part: value.callee.object }] : parts
    }
    default:
      return undefined
  }
}

/** Whether a value is read from a field of the page: `byId('password').getValue()`. */
export function isTyped(given: Value): boolean {
  const value = unwrap(resolveValue(unwrap(given)))
  return value.kind === 'call' && READS_FIELD.test(lastNameOf(value.callee) ?? '')
}

/** `password` of `getProperty('/login/password')`, `byId('password').getValue()`, `getPassword()`. */
function readName(call: Value & { readonly kind: 'call' | 'new' | 'tagged' }): string | undefined {
  const { callee, args } = call
  const name = lastNameOf(callee) ?? ''
  const first = args[0] === undefined ? undefined : constantOf(args[0])
  if (name === 'getProperty' || name === 'get' || name === 'getObject')
    return typeof first === 'string' ? first.slice(first.lastIndexOf('/') + 1) : undefined
  if (!READS_FIELD.test(name) || callee.kind !== 'member') return undefined
  const control = resolveValue(callee.object)
  if (control.kind !== 'call') return lastNameOf(callee.object)
  const id = control.args[0] === undefined ? undefined : constantOf(control.args[0])
  return typeof id === 'string' ? id : lastNameOf(callee.object)
}
