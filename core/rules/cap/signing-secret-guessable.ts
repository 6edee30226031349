import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { createDevelopmentReader, isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import type { Localized, Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const FALLBACK_FIX: Localized<string> = {
  en: 'Remove the default and refuse to start without the variable: if (!secret) throw new Error("The secret is not set").',
  fr: 'Supprimez la valeur par défaut et refusez de démarrer sans la variable : if (!secret) throw new Error("Le secret n’est pas défini").',
}

const SIGNED: Localized<string> = {
  en: 'If another program verifies these tokens, an attacker who reads the code or guesses the word can sign a token of any user and act there as that user.',
  fr: 'Si un autre programme vérifie ces jetons, un attaquant qui lit le code ou devine ce mot peut signer un jeton de n’importe quel utilisateur et y agir en son nom.',
}

const KEYWORDS: readonly string[] = ['session', 'jsonwebtoken', 'express-jwt', 'passport-jwt', '@nestjs/jwt', 'process.env']

/** `process.env.JWT_SECRET = …`, `process.env.SESSION_SECRET ??= …`: variables that sign sessions and tokens, by the names that they are given. */
const SIGNING_VARIABLE =
  /^(?:JWT|TOKEN|ACCESS_TOKEN|REFRESH_TOKEN|SESSION|COOKIE|AUTH|SIGNING)_(?:SIGNING_)?(?:SECRET|KEY|SECRET_KEY)$/
const SETS_VARIABLE = /process\.env\.[A-Z_]{0,40}(?:SECRET|KEY)\s{0,5}(?:=(?!=)|\|\|=|\?\?=)/

function namesPackage(text: string): boolean {
  return /["'`](?:(?:express|cookie|koa)-session|jsonwebtoken|express-jwt|passport-jwt|@nestjs\/jwt)["'`]/.test(text)
}

/** Words with which scripts only sign tokens. */
const signedWords: Extract<Word> = defineExtract({
  name: 'cap-signed-words',
  keywords: ['jsonwebtoken'],
  prefilter: namesPackage,
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts }) {
    for (const word of wordsOf(facts)) if (word.onlySigns) yield word
  },
})

/** Whatever takes a token apart: `jwt.verify(…)`, `jwtVerify(…)`, `jwt.decode(…)`, a middleware for it. */
const READS =
  /\b\w{0,20}(?:[vV]erify|[dD]ecode)\w{0,20}\s{0,4}\(|["'`](?:express-jwt|passport-jwt|koa-jwt|@fastify\/jwt|@hapi\/jwt|@nestjs\/passport|jose|jwt-decode)["'`]/

/** One item for each script that may read a token. */
const tokenReaders: Extract<true> = defineExtract({
  name: 'cap-token-readers',
  keywords: ['verify', 'decode', 'jwt', 'jose', '@nestjs/passport'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (READS.test(text)) yield true
  },
})

/** Programs of the project whose code is not read. */
const OTHER_LANGUAGES = /\.(?:java|py|go|cs|rb|php|kt|abap)$/i

/**
 * A word in the code signs sessions or tokens: always, or where an environment variable is not set.
 * Facts: express-session 1.18, "secret"; cookie-session 2.1, "keys"; jsonwebtoken 9.0.3, `sign` and `verify`; express-jwt 8, passport-jwt 4, @nestjs/jwt 11 (README of each).
 * Impact: who guesses the word or reads the code signs a session or a token of any user. That takes a guess; of a default it is not in the project either
 * whether the variable is set. A token that nothing in the project verifies or reads opens nothing here.
 */
export const signingSecretGuessable: Rule = defineRule({
  id: 'cap/signing-secret-guessable',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  grades: {
    fallback: { impact: 'session' },
    // whoever wrote it expects the variable to be missing, and all that signs takes the word
    variable: {},
    signed: { impact: 'defence', evidence: 'shown' },
    signedFallback: { impact: 'defence', evidence: 'shown' },
  },
  confidence: 'high',
  cwe: [798, 321],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html#weak-token-secret',
  keywords: KEYWORDS,
  prefilter: (text) => namesPackage(text) || SETS_VARIABLE.test(text),
  // a drawn value is a credential of its own
  yieldsTo: ['secrets/generic-secret', 'secrets/generic-password'],
  extracts: [signedWords, tokenReaders],

  checks: {
    *'server-script'({ path, content: { facts } }) {
      if (isToolFile(path) || isDeveloperFile(path)) return
      for (const word of wordsOf(facts)) if (!word.onlySigns) yield toMatch(path, word)
      for (const { name, start, end, value } of defaultsOf(facts)) {
        yield { at: { file: path, span: { start: start + 1, end: end - 1 } }, secret: value, args: { name }, variant: 'variable' }
      }
    },

    // whether anything reads what is signed, the whole project tells
    *project({ scripts, files }) {
      let isRead: boolean | undefined
      for (const { file, value: word } of scripts.get(signedWords)) {
        isRead ??= scripts.get(tokenReaders).length > 0 || [...files.keys()].some((path) => OTHER_LANGUAGES.test(path))
        const match = toMatch(file, word)
        if (isRead) yield match
        else yield { ...match, variant: word.isFallback ? 'signedFallback' : 'signed' }
      }
    },
  },

  text: {
    en: {
      title: 'Guessable signing secret for sessions or tokens',
      message: 'The secret that {what} signs and verifies with is a word in the code.',
      why: 'An attacker who reads the code or guesses the word can sign a session or a token of any user and act as that user.',
      fix: 'Generate a random secret (openssl rand -base64 48), read it from an environment variable or a bound service, and refuse to start without it. Then replace the old one: it counts as known.',
      variants: {
        fallback: {
          message: 'Where its environment variable is not set, {what} signs and verifies with a word in the code.',
          why: 'Nothing tells that the variable is missing. An attacker who reads the code or guesses the word can then sign a session or a token of any user and act as that user.',
          fix: FALLBACK_FIX.en,
        },
        variable: {
          message: 'Where the environment variable {name} is not set, the program sets it to a word in the code.',
          why: 'Nothing tells that the variable is missing. An attacker who reads the code or guesses the word can then sign a session or a token of any user and act as that user.',
          fix: FALLBACK_FIX.en,
        },
        signed: {
          message:
            'The secret that {what} signs tokens with is a word in the code. No code of this project verifies such a token.',
          why: SIGNED.en,
        },
        signedFallback: {
          message:
            'Where its environment variable is not set, {what} signs tokens with a word in the code. No code of this project verifies such a token.',
          why: SIGNED.en,
          fix: FALLBACK_FIX.en,
        },
      },
    },
    fr: {
      title: 'Secret de signature de sessions ou de jetons devinable',
      message: 'Le secret avec lequel {what} signe et vérifie est un mot écrit dans le code.',
      why: 'Un attaquant qui lit le code ou devine ce mot peut signer une session ou un jeton de n’importe quel utilisateur et agir en son nom.',
      fix: 'Générez un secret aléatoire (openssl rand -base64 48), lisez-le dans une variable d’environnement ou un service lié, et refusez de démarrer sans lui. Remplacez ensuite l’ancien, qui est réputé connu.',
      variants: {
        fallback: {
          message: 'Si sa variable d’environnement n’est pas définie, {what} signe et vérifie avec un mot écrit dans le code.',
          why: 'Rien ne signale l’absence de la variable. Un attaquant qui lit le code ou devine ce mot peut alors signer une session ou un jeton de n’importe quel utilisateur et agir en son nom.',
          fix: FALLBACK_FIX.fr,
        },
        variable: {
          message:
            'Si la variable d’environnement {name} n’est pas définie, le programme lui donne pour valeur un mot écrit dans le code.',
          why: 'Rien ne signale l’absence de la variable. Un attaquant qui lit le code ou devine ce mot peut alors signer une session ou un jeton de n’importe quel utilisateur et agir en son nom.',
          fix: FALLBACK_FIX.fr,
        },
        signed: {
          message:
            'Le secret avec lequel {what} signe des jetons est un mot écrit dans le code. Aucun code de ce projet ne vérifie un tel jeton.',
          why: SIGNED.fr,
        },
        signedFallback: {
          message:
            'Si sa variable d’environnement n’est pas définie, {what} signe des jetons avec un mot écrit dans le code. Aucun code de ce projet ne vérifie un tel jeton.',
          why: SIGNED.fr,
          fix: FALLBACK_FIX.fr,
        },
      },
    },
  },
})

/** What signs, and where its key stands: an option by its names, or an argument. */
interface SigningRow {
  readonly call: RegExp
  readonly what: string
  readonly key: number | readonly string[]
  readonly onlySigns?: true
}

const SIGNING: readonly SigningRow[] = [
  { call: /^module:express-session (?:default )?\(\)$/, what: 'express-session', key: ['secret'] },
  { call: /^module:cookie-session (?:default )?\(\)$/, what: 'cookie-session', key: ['secret', 'keys'] },
  { call: /^module:jsonwebtoken (?:default )?sign \(\)$/, what: 'jsonwebtoken', key: 1, onlySigns: true },
  { call: /^module:jsonwebtoken (?:default )?verify \(\)$/, what: 'jsonwebtoken', key: 1 },
  { call: /^module:express-jwt (?:default |expressjwt |jwt )?\(\)$/, what: 'express-jwt', key: ['secret'] },
  { call: /^module:passport-jwt (?:default )?Strategy new$/, what: 'passport-jwt', key: ['secretOrKey'] },
  { call: /^module:@nestjs\/jwt JwtModule register \(\)$/, what: '@nestjs/jwt', key: ['secret'] },
]

function rowOf(call: CallValue): SigningRow | undefined {
  const paths = accessesOf(call).map(({ root, steps }) => [root, ...steps].join(' '))
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

/** A text in the code that signs. */
interface Word extends Span {
  readonly text: string
  readonly what: string
  readonly isFallback: boolean
  /** Nothing in the script verifies with it. */
  readonly onlySigns: boolean
}

/** Each word of a script once. */
function wordsOf(facts: ScriptFacts): readonly Word[] {
  const isForDevelopers = createDevelopmentReader(facts)
  const words = new Map<number, Word>()
  for (const call of facts.calls) {
    const row = rowOf(call)
    const key = row && keyOf(call, row)
    if (row === undefined || key === undefined || isForDevelopers(call)) continue
    for (const { value, isFallback } of textsIn(key)) {
      if (isForDevelopers(value)) continue
      const known = words.get(value.start)
      const onlySigns = row.onlySigns === true && known?.onlySigns !== false
      const { start, end, value: text } = value
      words.set(start, known ? { ...known, onlySigns } : { start, end, text, what: row.what, isFallback, onlySigns })
    }
  }
  return [...words.values()]
}

interface DefaultWord extends Span {
  readonly name: string
  readonly value: string
}

/** Words that variables of the environment get where they are not set: `process.env.JWT_SECRET = process.env.JWT_SECRET || 'painting'`. */
function* defaultsOf(facts: ScriptFacts): Generator<DefaultWord> {
  const isForDevelopers = createDevelopmentReader(facts)
  for (const { target, operator, value } of facts.assignments) {
    const { name } = target
    if (name === undefined || !SIGNING_VARIABLE.test(name) || isForDevelopers(target)) continue
    if (!accessesOf(target.object).some(({ root, steps }) => root === 'global:process' && steps.join() === 'env')) continue
    for (const { value: word, isFallback } of textsIn(value)) {
      const { start, end } = word
      if ((isFallback || operator !== '=') && !isForDevelopers(word)) yield { name, start, end, value: word.value }
    }
  }
}

function toMatch(file: string, { start, end, text, what, isFallback }: Word): Match {
  const at = { file, span: { start: start + 1, end: end - 1 } }
  return { at, secret: text, args: { what }, ...(isFallback && { variant: 'fallback' }) }
}

interface TextValue {
  readonly value: Value & { readonly kind: 'literal'; readonly value: string }
  readonly isFallback: boolean
}

/** The texts that a key may be; what names a file or holds a key of its own form is none. */
function textsIn(key: Value, isFallback = false): readonly TextValue[] {
  const made = resolveValue(key)
  if (made.kind === 'choice') return made.options.flatMap((option) => textsIn(option, true))
  if (made.kind === 'array') return made.items.flatMap((item) => textsIn(item, isFallback))
  return isWord(made) ? [{ value: made, isFallback }] : []
}

function isWord(value: Value): value is TextValue['value'] {
  return value.kind === 'literal' && typeof value.value === 'string' && /^[^<{$]{2,128}$/.test(value.value)
}
