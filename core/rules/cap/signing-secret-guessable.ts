import { accessesOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { createDevelopmentReader, isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A word in the code signs sessions or tokens: always, or where an environment variable is not set.
 * Facts: express-session 1.18, "secret"; cookie-session 2.1, "keys"; jsonwebtoken 9.0.3, `sign` and `verify`; express-jwt 8, passport-jwt 4, @nestjs/jwt 11 (README of each).
 * Impact: who guesses the word or reads the code signs a session or a token of any user. That takes a guess; of a default it is not in the project either
 * whether the variable is set.
 */
export const signingSecretGuessable: Rule = defineRule({
  id: 'cap/signing-secret-guessable',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { fallback: { impact: 'session' } },
  confidence: 'high',
  cwe: [798, 321],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html#weak-token-secret',
  on: 'server-script',
  keywords: ['session', 'jsonwebtoken', 'express-jwt', 'passport-jwt', '@nestjs/jwt'],
  prefilter: (text) =>
    /["'`](?:(?:express|cookie|koa)-session|jsonwebtoken|express-jwt|passport-jwt|@nestjs\/jwt)["'`]/.test(text),
  // a drawn value is a credential of its own
  yieldsTo: ['secrets/generic-secret', 'secrets/generic-password'],

  *check({ path, content: { facts } }) {
    if (isToolFile(path) || isDeveloperFile(path)) return
    const isForDevelopers = createDevelopmentReader(facts)
    const told = new Set<number>()
    for (const call of facts.calls) {
      const row = rowOf(call)
      const key = row && keyOf(call, row)
      if (row === undefined || key === undefined || isForDevelopers(call)) continue
      for (const { value, isFallback } of wordsIn(key)) {
        if (told.has(value.start) || isForDevelopers(value)) continue
        told.add(value.start)
        const at = { file: path, span: { start: value.start + 1, end: value.end - 1 } }
        yield { at, secret: value.value, args: { what: row.what }, ...(isFallback && { variant: 'fallback' }) }
      }
    }
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
          fix: 'Remove the default and refuse to start without the variable: if (!secret) throw new Error("The secret is not set").',
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
          fix: 'Supprimez la valeur par défaut et refusez de démarrer sans la variable : if (!secret) throw new Error("Le secret n’est pas défini").',
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
}

const SIGNING: readonly SigningRow[] = [
  { call: /^module:express-session (?:default )?\(\)$/, what: 'express-session', key: ['secret'] },
  { call: /^module:cookie-session (?:default )?\(\)$/, what: 'cookie-session', key: ['secret', 'keys'] },
  { call: /^module:jsonwebtoken (?:default )?(?:sign|verify) \(\)$/, what: 'jsonwebtoken', key: 1 },
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

interface Word {
  readonly value: Value & { readonly kind: 'literal'; readonly value: string }
  readonly isFallback: boolean
}

/** The texts that a key may be; what names a file or holds a key of its own form is none. */
function wordsIn(key: Value, isFallback = false): readonly Word[] {
  const made = resolveValue(key)
  if (made.kind === 'choice') return made.options.flatMap((option) => wordsIn(option, true))
  if (made.kind === 'array') return made.items.flatMap((item) => wordsIn(item, isFallback))
  return isWord(made) ? [{ value: made, isFallback }] : []
}

function isWord(value: Value): value is Word['value'] {
  return value.kind === 'literal' && typeof value.value === 'string' && /^[^<{$]{2,128}$/.test(value.value)
}
