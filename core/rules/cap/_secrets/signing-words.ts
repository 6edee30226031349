import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  fieldOf,
  pathsOf,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { createRefusedWordReader } from './refused-words.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  createDevelopmentReader,
  createUnproductiveReader,
  isDeployedCode,
  isOfUi5App,
  runsInBrowser,
} from '../../../model/script/index.ts'
import { blankComments } from '../../../model/reach/index.ts'
import type { Span } from '../../../types.ts'

/** What names the packages that sign. */
export const SIGNING_KEYWORDS: readonly string[] = [
  'session',
  'jsonwebtoken',
  'express-jwt',
  'passport-jwt',
  '@nestjs/jwt',
  'jose',
]

/** `process.env.JWT_SECRET = …`, `process.env.SESSION_SECRET ??= …`: variables that sign sessions and tokens, by the names that they are given. */
const SIGNING_VARIABLE =
  /^(?:JWT|TOKEN|ACCESS_TOKEN|REFRESH_TOKEN|SESSION|COOKIE|AUTH|SIGNING)_(?:SIGNING_)?(?:SECRET|KEY|SECRET_KEY)$/
const SETS_VARIABLE = /process\.env\.[A-Z_]{0,40}(?:SECRET|KEY)\s{0,5}(?:=(?!=)|\|\|=|\?\?=)/

export function namesPackage(text: string): boolean {
  return /["'`](?:(?:express|cookie|koa)-session|jsonwebtoken|express-jwt|passport-jwt|@nestjs\/jwt|jose)["'`]/.test(text)
}

/** A text in the code that may be a key. */
export interface KeyText extends Span {
  readonly text: string
  /** The variable of the environment in whose place it stands. */
  readonly variable?: string
  readonly isFallback: boolean
  /** `process.env.NODE_ENV === 'production'` keeps it out. */
  readonly isOutsideProduction: boolean
  /** Where the list of keys begins that it stands in. */
  readonly list?: number
}

/** A text in the code that signs sessions or tokens. */
export interface SigningWord extends KeyText {
  /** The package that signs with it; of a variable of the environment that gets the word: none. */
  readonly what?: string
  /** Nothing in the script verifies with it. */
  readonly onlySigns: boolean
  /** The script takes the user, or what a user may do, from what is verified with it, or signs that with it. */
  readonly identifies: boolean
}

/** Words with which scripts of servers sign and verify, and those that variables get where they are not set. */
export const signingWords: Extract<SigningWord> = defineExtract({
  name: 'cap-signing-words',
  keywords: [...SIGNING_KEYWORDS, 'process.env'],
  prefilter: (text) => namesPackage(text) || SETS_VARIABLE.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const stages = stagesOf(facts)
    yield* wordsOf(facts, stages, step)
    yield* defaultsOf(facts, stages)
  },
})

/** `process.env.JWT_SECRET`, `config.get('JWT_SECRET')` */
const READS_VARIABLE = /(?:process\.env\.|\bget(?:OrThrow)?\(\s{0,5}["'`])([A-Z_]{3,40})\b/g

/** Names of variables of the environment that servers sign with, by what they are given to or by their names. */
export const signingVariables: Extract<string> = defineExtract({
  name: 'cap-signing-variables',
  keywords: ['process.env', 'get(', 'getOrThrow('],
  prefilter: (text) => /_(?:SECRET|KEY)\b/.test(text),
  isFor: isDeployedCode,
  *collect({ path, text, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const names = new Set<string>()
    for (const [, name = ''] of text.matchAll(READS_VARIABLE)) if (SIGNING_VARIABLE.test(name)) names.add(name)
    if (namesPackage(text))
      for (const { key } of signingCalls(facts, step)) {
        const made = resolveValue(key)
        const name = variableIn('options' in made ? made.options : 'items' in made ? made.items : [key])
        if (name !== undefined) names.add(name)
      }
    yield* names
  },
})

/** Whatever takes a token apart: `jwt.verify(…)`, `jwtVerify(…)`, `jwt.decode(…)`, a middleware for it. */
const READS =
  /\b\w{0,20}(?:[vV]erify|[dD]ecode)\w{0,20}\s{0,4}\(|["'`](?:express-jwt|passport-jwt|koa-jwt|@fastify\/jwt|@hapi\/jwt|@nestjs\/passport|jose|jwt-decode)["'`]/

/** One item for each script that may read a token. */
export const tokenReaders: Extract<true> = defineExtract({
  name: 'cap-token-readers',
  keywords: ['verify', 'decode', 'jwt', 'jose', '@nestjs/passport'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    // code in comments reads nothing
    if (READS.test(text) && READS.test(blankComments(text))) yield true
  },
})

/** What signs, and where its key stands: an option by its names, or an argument. */
export interface SigningRow {
  readonly call: RegExp
  readonly what: string
  readonly key: number | readonly string[]
  readonly onlySigns?: true
  /** It makes the user of a request of what it verifies. */
  readonly identifies?: true
}

/** Facts: express-jwt 8 and passport-jwt 4 (README): what the token says becomes `req.auth` and, by the function that loads it, `req.user`. */
const SIGNING: readonly SigningRow[] = [
  { call: /^module:express-session (?:default )?\(\)$/, what: 'express-session', key: ['secret'] },
  { call: /^module:cookie-session (?:default )?\(\)$/, what: 'cookie-session', key: ['secret', 'keys'] },
  { call: /^module:jsonwebtoken (?:default )?sign \(\)$/, what: 'jsonwebtoken', key: 1, onlySigns: true },
  { call: /^module:jsonwebtoken (?:default )?verify \(\)$/, what: 'jsonwebtoken', key: 1 },
  { call: /^module:jose (?:default )?JWT sign \(\)$/, what: 'jose', key: 1, onlySigns: true },
  { call: /^module:jose (?:default )?JWT verify \(\)$/, what: 'jose', key: 1 },
  // a key of a store, which signs and verifies
  { call: /^module:jose (?:default )?JWK asKey \(\)$/, what: 'jose', key: 0 },
  { call: /^module:jose (?:default )?SignJWT new (?:\S{1,40} \(\) ){0,8}sign \(\)$/, what: 'jose', key: 0, onlySigns: true },
  { call: /^module:jose (?:default )?jwtVerify \(\)$/, what: 'jose', key: 1 },
  { call: /^module:express-jwt (?:default |expressjwt |jwt )?\(\)$/, what: 'express-jwt', key: ['secret'], identifies: true },
  { call: /^module:passport-jwt (?:default )?Strategy new$/, what: 'passport-jwt', key: ['secretOrKey'], identifies: true },
  { call: /^module:@nestjs\/jwt JwtModule register \(\)$/, what: '@nestjs/jwt', key: ['secret'] },
]

function rowOf(call: CallValue): SigningRow | undefined {
  const paths = pathsOf(call).map((path) => path.join(' '))
  return SIGNING.find((row) => paths.some((path) => row.call.test(path)))
}

function keyOf({ args }: CallValue, { key }: SigningRow): Value | undefined {
  if (typeof key === 'number') return args[key]
  const options = args[0] && resolveValue(args[0])
  for (const name of key) {
    const given = fieldOf(options, name)?.value
    if (given !== undefined) return given
  }
  return undefined
}

/** What keeps a place out of production, and whether NODE_ENV alone does. */
interface Stages {
  readonly isForDevelopers: (place: Span) => boolean
  readonly isUnproductive: (place: Span) => boolean
  /** The module does not start in production with such a word. */
  readonly isRefused: (word: Omit<TextValue, 'list'>) => boolean
}

export function stagesOf(facts: ScriptFacts): Stages {
  return {
    isForDevelopers: createDevelopmentReader(facts),
    isUnproductive: createUnproductiveReader(facts),
    isRefused: createRefusedWordReader(facts),
  }
}

/** A call that signs or verifies, with its key. */
interface SigningCall {
  readonly call: CallValue
  readonly row: SigningRow
  readonly key: Value
  /** The script takes who calls from what it verifies, or signs what the caller may do. */
  readonly identifies: () => boolean
}

export function* signingCalls(facts: ScriptFacts, step: (count?: number) => void): Generator<SigningCall> {
  const isIdentified = createIdentityReader(facts, step)
  for (const call of facts.calls) {
    const row = rowOf(call)
    const given = row && keyOf(call, row)
    if (row === undefined || given === undefined) continue
    const key = listOf(given, facts) ?? given
    yield { call, row, key, identifies: () => row.identifies ?? (row.onlySigns ? signsRights(call) : isIdentified(call, row)) }
  }
}

/** Claims that only those are given who have proved who they are. */
const RIGHTS = /^(?:roles?|user_?roles?|scopes?|is_?admin|permissions|authorities)$/i

/** `jwt.sign({ id: user.id, role: user.role }, …)`: whoever verifies such a token learns what its bearer may do. One that renews others is mostly compared with a stored one, too. */
function signsRights({ args: [payload], function: around }: CallValue): boolean {
  if (/refresh/i.test(around.name)) return false
  const claims = payload && resolveValue(payload)
  return claims?.kind === 'object' && claims.fields.some(({ key }) => RIGHTS.test(key ?? ''))
}

/** The list of which a callback gets each item: `words` of `words.map((word) => JWK.asKey(word))`. */
function listOf(value: Value, { calls }: ScriptFacts): Value | undefined {
  const binding = 'binding' in value ? value.binding : undefined
  if (binding?.kind !== 'parameter') return undefined
  for (const { callee, args } of calls)
    if (
      'object' in callee &&
      /^(?:map|flatMap|forEach)$/.test(callee.name ?? '') &&
      functionOf(args[0])?.parameters[0] === binding
    )
      return callee.object
  return undefined
}

/** Each word of a script once. */
function wordsOf(facts: ScriptFacts, stages: Stages, step: (count?: number) => void): readonly SigningWord[] {
  const words = new Map<number, SigningWord>()
  for (const { call, row, key, identifies } of signingCalls(facts, step)) {
    if (stages.isForDevelopers(call)) continue
    for (const word of keyTextsIn(key, stages)) {
      const known = words.get(word.start)
      const verifies = row.onlySigns !== true
      words.set(word.start, {
        ...word,
        what: known?.what ?? row.what,
        onlySigns: !verifies && known?.onlySigns !== false,
        identifies: known?.identifies === true || identifies(),
      })
    }
  }
  return [...words.values()].map((word) => ({ ...word, identifies: word.identifies && !word.onlySigns }))
}

/** What a token or a session of cookies says of who calls and what that one may do. */
const IDENTITY =
  /^(?:sub|user|uid|user_?id|user_?name|e?mail|login|roles?|scopes?|is_?admin|admin|permissions|authorities|groups|account|account_?id|customer_?id|employee_?id|(?:phone|mobile)(?:_?(?:number|no))?)$/i
/** What a middleware keeps it as: `req.user = …`, `req.userId = …`. */
const KEPT_AS = /^(?:auth|current_?user|user|user_?id|user_?name|roles?|account)$/i

/** Tells whether a script takes an identity from what a call verifies: `req.user = jwt.verify(…)`, `jwt.verify(…).role`, `req.session.user` of cookies. */
function createIdentityReader(facts: ScriptFacts, step: (count?: number) => void): (call: CallValue, row: SigningRow) => boolean {
  let known: IdentitySources | undefined
  return (call, { what }) => {
    if (what === 'cookie-session') return readsSession(facts)
    const verified = functionOf(call.args.at(-1))?.parameters[1]
    known ??= identitySourcesOf(facts, step)
    return known.isOfVerify || (verified !== undefined && known.bindings.has(verified))
  }
}

/** Facts: jose 2, `JWT.verify`; jose 6, `jwtVerify` (README of each): what it gives has the claims in `payload`. */
const VERIFYING: ReadonlySet<string> = new Set(['module:jsonwebtoken', 'module:jose'])

/** From what a script takes identities: what `verify` of jsonwebtoken gives, and names, such as the parameters of callbacks. */
interface IdentitySources {
  readonly isOfVerify: boolean
  readonly bindings: ReadonlySet<Binding>
}

function identitySourcesOf(facts: ScriptFacts, step: (count?: number) => void): IdentitySources {
  const bindings = new Set<Binding>()
  let isOfVerify = false
  const note = (value: Value, isIdentity: (steps: readonly string[]) => boolean): void => {
    step()
    for (const { root, binding, steps } of accessesOf(value)) {
      if (binding !== undefined && isIdentity(steps)) bindings.add(binding)
      const verify = VERIFYING.has(root) ? steps.findIndex((name) => name === 'verify' || name === 'jwtVerify') : -1
      const read = steps.slice(verify + (steps[verify + 2] === 'payload' ? 3 : 2))
      isOfVerify ||= verify >= 0 && steps[verify + 1] === '()' && isIdentity(read)
    }
  }
  for (const { target, value } of facts.assignments) {
    if (!KEPT_AS.test(target.name ?? '')) continue
    note(value, (steps) => steps.length === 0)
    // req.user = { id: decoded.order }: whatever the token calls it
    const made = resolveValue(value)
    if ('fields' in made)
      for (const { key, value: field } of made.fields)
        if (key === 'id' || IDENTITY.test(key ?? '')) note(field, (steps) => steps.length === 1)
  }
  for (const { value } of valuesOf(facts)) note(value, ([first = '', ...more]) => more.length === 0 && IDENTITY.test(first))
  return { isOfVerify, bindings }
}

/** Fact: passport 0.7, `passport.session()` makes `req.user` of what the session holds as `passport.user`. */
const SESSION_TO_USER = /^module:(?:koa-)?passport (?:default )?session \(\)$/

function readsSession(facts: ScriptFacts): boolean {
  for (const call of facts.calls) if (pathsOf(call).some((path) => SESSION_TO_USER.test(path.join(' ')))) return true
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'member' || value.object.kind !== 'member' || value.object.name !== 'session') continue
    if (IDENTITY.test(value.name ?? '')) return true
  }
  return false
}

/** Words that variables of the environment get where they are not set: `process.env.JWT_SECRET = process.env.JWT_SECRET || 'painting'`. */
function* defaultsOf(facts: ScriptFacts, { isForDevelopers, isUnproductive }: Stages): Generator<SigningWord> {
  for (const { target, operator, value } of facts.assignments) {
    const { name } = target
    if (name === undefined || !SIGNING_VARIABLE.test(name)) continue
    if (!accessesOf(target.object).some(({ root, steps }) => root === 'global:process' && steps.join() === 'env')) continue
    for (const { value: word, isFallback } of textsIn(value)) {
      const isOutsideProduction = isForDevelopers(word) || isForDevelopers(target)
      if ((!isFallback && operator === '=') || (isOutsideProduction && !isUnproductive(word))) continue
      const { start, end, value: text } = word
      yield { start, end, text, variable: name, isFallback: true, isOutsideProduction, onlySigns: false, identifies: false }
    }
  }
}

interface TextValue {
  readonly value: Value & { readonly kind: 'literal'; readonly value: string }
  readonly isFallback: boolean
  readonly variable?: string
  readonly list?: number
}

/** The texts that a key may be where a program runs for others than its developers. */
export function* keyTextsIn(key: Value, { isForDevelopers, isUnproductive, isRefused }: Stages): Generator<KeyText> {
  for (const { value, ...given } of textsIn(key)) {
    const isKeptOut = isForDevelopers(value)
    if (isKeptOut && !isUnproductive(value)) continue
    const isOutsideProduction = isKeptOut || isRefused({ value, ...given })
    const { start, end, value: text } = value
    yield { start, end, text, isOutsideProduction, ...given }
  }
}

/** The texts that a key may be; what names a file or holds a key of its own form is none. */
function textsIn(key: Value, around: Omit<TextValue, 'value'> = { isFallback: false }): readonly TextValue[] {
  const made = resolveValue(key)
  if (made.kind === 'choice') {
    const variable = variableIn(made.options) ?? around.variable
    const inside = { ...around, isFallback: true, ...(variable !== undefined && { variable }) }
    return made.options.flatMap((option) => textsIn(option, inside))
  }
  // new TextEncoder().encode('word'), Buffer.from('word'), createSecretKey(…), JWK.asKey('word')
  if ('callee' in made && made.args[0] !== undefined && MAKES_KEY.test(lastNameOf(made.callee) ?? ''))
    return textsIn(made.args[0], around)
  if (made.kind === 'array') return made.items.flatMap((item) => textsIn(item, { ...around, list: made.start }))
  return isWord(made) ? [{ ...around, value: made }] : []
}

/** What makes a key of a text, byte by byte. Facts: Node.js 24, `Buffer.from`, `crypto.createSecretKey`; Encoding Standard, `TextEncoder`; jose 2, `JWK.asKey`. */
const MAKES_KEY = /^(?:encode|from|createSecretKey|asKey)$/

/** The variable of the environment that is read first. */
function variableIn(options: readonly Value[]): string | undefined {
  for (const [root, first, name, ...rest] of options.flatMap((option) => pathsOf(option)))
    if (root === 'global:process' && first === 'env' && rest.length === 0 && name !== undefined) return name
  return undefined
}

function isWord(value: Value): value is TextValue['value'] {
  return value.kind === 'literal' && typeof value.value === 'string' && /^[^<{$]{2,128}$/.test(value.value)
}
