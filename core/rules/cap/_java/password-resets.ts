import type { ProjectFile } from '../../../files.ts'
import type { JavaEndpoint } from '../../../model/java/index.ts'
import { append } from '../../../lists.ts'
import { bodyBehind, closingOf, isWritten, toJavaTokens, type JavaToken } from '../../../parse/java-tokens.ts'
import { javaTexts } from './sources.ts'

/** Tells whether an endpoint sets the password of an account that the request names, and asks for no proof of it: no old password, no code, no token. */
export type PasswordResetReader = (endpoint: JavaEndpoint, tokens: readonly JavaToken[]) => boolean

const OF_PASSWORD = /passw(?:or)?d|pwd/i
/** What the endpoint is for, by its name or path. */
const SETS =
  /(?:change|reset|update|set|forgot|forget|new|modify|edit)[\w/-]{0,20}(?:passw|pwd)|(?:passw(?:or)?d|pwd)[\w/-]{0,20}(?:change|reset|update)/i
/** The same password once more. */
const AGAIN = /conf|re_?enter|re_?type|repeat|again|match|second|2$/i
const ACCOUNT =
  /^(?:(?:user|account|member|customer|employee)_?)?(?:e_?mail(?:_?(?:id|address))?|user_?name|id|login(?:_?(?:name|id))?|phone(?:_?number)?)$/i
/** Parts of names of what proves who calls, or of what looks at it. */
const PROOF: ReadonlySet<string> = new Set(
  (
    'otp token tokens code pin secret answer question key current caller logged context permission allowed authorized verify verified verification verifier valid validate check compare matches authenticate authentication auth ' +
    'session principal header headers cookie captcha jwt claims servlet security user_details reset_link'
  ).split(' '),
)
const FORMER_PASSWORD = /(?:old|current|existing|previous|former|prior|original|last|stored|actual)_?(?:pass|pwd|pw)/i
/** The same of fields of the request alone: code has hashes and links of other things. */
const SENT_PROOF = /nonce|ticket|hash|link|uuid|guid|phrase|hint|birth|dob$|signature|ssn|proof/i
/** A number may be that of anything: then something has to be called an account. Other passwords than those of people have theirs. */
const NAMED_ACCOUNT = /e_?mail|name|login|phone/i
const PERSON = /user|account|member|customer|employee|person|profile|admin|login|student|patient|teacher|doctor|client/i
const OF_SYSTEM =
  /smtp|mail_?server|setting|config|connection|database|data_?source|system|device|proxy|s?ftp|wi_?fi|room|keystore/i
const WRITES = /^(?:set\w{0,20}Passw\w{0,20}|setParameter|update\w{0,40}|save\w{0,20}|persist|merge|execute\w{0,20})$/
/** Tokens of a class, and of a body with what it calls. */
const MAX_TOKENS = 4000
const MAX_CALLS = 10

/** Needs the text of classes of the module in which a password stands. */
export function createPasswordResetReader(sources: readonly ProjectFile[], step: (count?: number) => void): PasswordResetReader {
  let known: Index | undefined
  const read = (): readonly (readonly JavaToken[])[] =>
    [...javaTexts(sources)].flatMap(({ text }) => {
      if (!OF_PASSWORD.test(text)) return []
      const tokens = toJavaTokens(text)
      step(tokens.length)
      return [tokens]
    })
  return ({ changes, name, path = '', at }, tokens) => {
    if (!changes || !(SETS.test(name) || SETS.test(path))) return false
    const open = bodyBehind(tokens, closingOf(tokens, at + 1))
    if (open === undefined) return false
    const parameters = tokens.slice(at + 2, closingOf(tokens, at + 1))
    if (OF_SYSTEM.test(name) || OF_SYSTEM.test(path)) return false
    known ??= indexOf(read())
    const classes = known
    const bodies = bodiesOf(tokens.slice(open, closingOf(tokens, open)), classes)
    step(bodies.length)
    const words = wordsOf(bodies)
    // `@Valid` looks at the form alone; a parameter may have another name in the request
    const given = parameters.flatMap(({ kind, text }) => (kind === 'symbol' || /^Valid(?:ated)?$/.test(text) ? [] : text))
    if (!words.some((word) => WRITES.test(word)) || [...words, ...given, ...path.split(/\W{1,9}/)].some(isProof)) return false
    const names = namesOf(parameters, bodies, classes)
    if (names === undefined || names.some((one) => isProof(one) || SENT_PROOF.test(one))) return false
    const accounts = names.filter((one) => ACCOUNT.test(one))
    const isPerson = accounts.some((one) => NAMED_ACCOUNT.test(one)) || [path, ...words].some((word) => PERSON.test(word))
    if (accounts.length === 0 || !isPerson) return false
    const [password, ...others] = names.filter((one) => OF_PASSWORD.test(one) && !AGAIN.test(one))
    if (password === undefined || others.length > 0) return false
    return words.includes(password) || words.some((word) => word.toLowerCase() === `get${password.toLowerCase()}`)
  }
}

function wordsOf(tokens: readonly JavaToken[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) => (kind === 'word' ? text : []))
}

function isProof(name: string): boolean {
  if (FORMER_PASSWORD.test(name)) return true
  return name.split(/(?=[A-Z])|_/).some((part) => PROOF.has(part.toLowerCase()))
}

interface Place {
  readonly tokens: readonly JavaToken[]
  readonly at: number
}

/** Where classes of the module are declared, and bodies of methods begin, by name. */
interface Index {
  readonly methods: ReadonlyMap<string, readonly Place[]>
  readonly classes: ReadonlyMap<string, Place>
  readonly fields: Map<string, readonly string[] | undefined>
}

function indexOf(sources: readonly (readonly JavaToken[])[]): Index {
  const methods = new Map<string, Place[]>()
  const classes = new Map<string, Place>()
  for (const tokens of sources)
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind !== 'word') continue
      const isClass = isWritten(tokens, at - 1, 'class') || isWritten(tokens, at - 1, 'record')
      if (isClass && !classes.has(text)) classes.set(text, { tokens, at })
      if (!isWritten(tokens, at + 1, '(') || isWritten(tokens, at - 1, '.')) continue
      const open = bodyBehind(tokens, closingOf(tokens, at + 1))
      if (open !== undefined) append(methods, text, { tokens, at: open })
    }
  return { methods, classes, fields: new Map() }
}

/** The body of an endpoint, and those of the methods that it calls by a name that classes of the module define. */
function bodiesOf(body: readonly JavaToken[], { methods }: Index): readonly JavaToken[] {
  const called = new Set<string>()
  for (const [at, { kind, text }] of body.entries())
    if (kind === 'word' && isWritten(body, at - 1, '.') && isWritten(body, at + 1, '(') && methods.has(text)) called.add(text)
  const all = body.slice(0, MAX_TOKENS)
  for (const name of [...called].slice(0, MAX_CALLS))
    for (const { tokens, at } of methods.get(name) ?? []) {
      if (all.length >= MAX_TOKENS) return all
      all.push(...tokens.slice(at, Math.min(closingOf(tokens, at), at + MAX_TOKENS)))
    }
  return all
}

/** What the request holds: parameters, the fields of their classes, keys of a map; undefined: a class whose fields nobody tells. */
function namesOf(parameters: readonly JavaToken[], bodies: readonly JavaToken[], classes: Index): readonly string[] | undefined {
  const names = new Set<string>()
  for (const [at, { kind, text }] of parameters.entries()) {
    const after = parameters[at + 1]
    if (kind !== 'word' || (after !== undefined && after.text !== ',')) continue
    const type = parameters[at - 1]
    if (type?.kind !== 'word') {
      // Map<String, String> body
      for (const [index, one] of bodies.entries())
        if (one.kind === 'string' && isWritten(bodies, index - 2, 'get', '(')) names.add(one.text)
    } else if (PLAIN.test(type.text)) names.add(text)
    else {
      const fields = fieldsOf(type.text, classes)
      if (fields === undefined) return undefined
      for (const field of fields) names.add(field)
    }
  }
  return [...names]
}

const PLAIN = /^(?:String|Long|Integer|int|long|UUID)$/

/** Names that the class declares; undefined where the module has none of that name, or where another class brings more. */
function fieldsOf(name: string, { classes, fields }: Index): readonly string[] | undefined {
  if (!fields.has(name)) fields.set(name, readFields(classes.get(name)))
  return fields.get(name)
}

function readFields(place: Place | undefined): readonly string[] | undefined {
  if (place === undefined || isWritten(place.tokens, place.at + 1, 'extends')) return undefined
  const { tokens, at } = place
  let open = at
  while (open < tokens.length && open < at + MAX_TOKENS && !isWritten(tokens, open, '{')) open++
  const end = closingOf(tokens, open)
  return tokens.slice(at, Math.min(end, at + MAX_TOKENS)).flatMap(({ kind, text }, index, own) => {
    const type = own[index - 1]
    const isTyped = type?.kind === 'word' && /^(?:[A-Z]\w{0,60}|int|long|boolean)$/.test(type.text)
    return kind === 'word' && isTyped && /^[;=,)]$/.test(own[index + 1]?.text ?? '') ? [text] : []
  })
}
