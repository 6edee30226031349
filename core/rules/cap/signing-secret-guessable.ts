import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { fileNameOf } from '../../paths.ts'
import { isSetAsSecret } from '../../secrets/made-up.ts'
import type { GradeFacts, Localized, Match } from '../../types.ts'
import { createRunReader, isInUse, namesVariable } from './_routes/node-environment.ts'
import { sharedWordExtracts, sharedWords } from './_secrets/shared-signing-words.ts'
import { environmentWords, loadedEnvironments, verifyingVariables } from './_secrets/environment-words.ts'
import { composedWords } from './_secrets/composed-words.ts'
import { signingVariables, signingWords, tokenReaders, type SigningWord } from './_secrets/signing-words.ts'
import { defineRule, type Rule } from '../rule.ts'

const FALLBACK_FIX: Localized<string> = {
  en: 'Remove the default and refuse to start without the variable: if (!secret) throw new Error("The secret is not set").',
  fr: 'Supprimez la valeur par défaut et refusez de démarrer sans la variable : if (!secret) throw new Error("Le secret n’est pas défini").',
}

const COMMITTED_FIX: Localized<string> = {
  en: 'Generate a random secret (openssl rand -base64 48), set {name} where the program runs (cf set-env, a bound service), and remove the value from the repository. The old secret counts as known.',
  fr: 'Générez un secret aléatoire (openssl rand -base64 48), définissez {name} là où le programme s’exécute (cf set-env, service lié), et retirez la valeur du dépôt. L’ancien secret est réputé connu.',
}

const COMPOSED_FIX: Localized<string> = {
  en: 'Remove the word, and write ":?" in place of ":-": docker compose then refuses to start without {name}. Replace the secret wherever the word is in use: it counts as known.',
  fr: 'Supprimez ce mot et écrivez « :? » au lieu de « :- » : docker compose refuse alors de démarrer sans {name}. Remplacez le secret partout où ce mot sert : il est réputé connu.',
}

const NOTHING_TELLS: Localized<string> = {
  en: 'Nothing tells that the variable is missing. An attacker who reads the code or guesses the word can then sign a session or a token of any user and act as that user.',
  fr: 'Rien ne signale l’absence de la variable. Un attaquant qui lit le code ou devine ce mot peut alors signer une session ou un jeton de n’importe quel utilisateur et agir en son nom.',
}

const STORED: Localized<string> = {
  en: 'The sessions are in a store, and the cookie holds a random ID. An attacker who knows the secret can sign an ID as well, but has to get a valid one first, for example by session fixation.',
  fr: 'Les sessions sont dans un magasin, et le cookie contient un identifiant aléatoire. Un attaquant qui connaît le secret peut signer un identifiant, mais doit d’abord en obtenir un valide, par exemple par fixation de session.',
}

const SIGNED: Localized<string> = {
  en: 'If another program verifies these tokens, an attacker who reads the code or guesses the word can sign a token of any user and act there as that user.',
  fr: 'Si un autre programme vérifie ces jetons, un attaquant qui lit le code ou devine ce mot peut signer un jeton de n’importe quel utilisateur et y agir en son nom.',
}

/**
 * A word in the code signs sessions or tokens: always, or where an environment variable is not set.
 * Facts: express-session 1.18, "secret"; cookie-session 2.1, "keys"; jsonwebtoken 9.0.3, `sign` and `verify`; express-jwt 8, passport-jwt 4, @nestjs/jwt 11 (README of each).
 * Impact: who guesses the word or reads the code signs a session or a token of any user. Where the code makes the caller of what is signed, nothing else is
 * needed. Of a default it is not in the project whether the variable is set: no descriptor that sets it makes that likely, one that switches production off, too.
 * A committed `.env` is what dotenv loads; that the platform sets another value is not in the project.
 * A token that nothing in the project verifies or reads opens nothing here; one whose secret is no mere word mostly opens another program, as a committed credential.
 * Of sessions in a store the cookie holds a random ID alone: express-session 1.18 looks up the ID of a valid signature in its store and starts a new session where there is none, so who signs still has to know an ID (uid-safe 2, 24 random bytes).
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
    composed: {},
    environment: {},
    committed: {},
    composedLocally: { impact: 'session' },
    besideCompose: {},
    // descriptors of the project set others
    unset: {},
    unproductive: {},
    bareImage: { impact: 'session' },
    bareStart: { impact: 'session' },
    signed: { impact: 'defence', evidence: 'shown' },
    signedFallback: { impact: 'defence', evidence: 'shown' },
    stored: { impact: 'defence', evidence: 'shown' },
    storedFallback: { impact: 'defence', evidence: 'shown' },
  },
  confidence: 'high',
  cwe: [798, 321],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html#weak-token-secret',
  // a drawn value is a credential of its own
  yieldsTo: ['secrets/generic-secret', 'secrets/generic-password'],
  extracts: [signingWords, signingVariables, verifyingVariables, loadedEnvironments, tokenReaders, ...sharedWordExtracts],
  on: 'project',

  *check({ scripts, files, deployment }) {
    const runOf = createRunReader({ deployment, files })
    const isStarted = deployment.applications.length > 0 || [...files.values()].some(startsServer)
    const words = [...scripts.get(signingWords), ...sharedWords({ scripts })]
    const signing = new Set([
      ...scripts.get(signingVariables).map(({ value: name }) => name),
      ...words.flatMap(({ value: { variable } }) => variable ?? []),
    ])
    const composed = signing.size === 0 ? [] : composedWords(files, (name) => signing.has(name))
    for (const { name, text, place, isProductive } of composed)
      yield { at: place, secret: text, args: { name }, variant: isProductive ? 'composed' : 'composedLocally' }
    yield* environmentWords({ scripts, files, deployment })
    const composedIn = new Map(composed.map(({ name, place: { file } }) => [`${file} ${name}`, file]))
    let isRead: boolean | undefined
    for (const { file, value: word } of words) {
      const { isOutsideProduction, variable, isFallback } = word
      const run = isOutsideProduction ? runOf(file) : undefined
      const beside = variable === undefined || !isFallback ? undefined : composed.find(({ name }) => name === variable)
      const isOnlyComposed =
        beside?.isProductive === true &&
        !namesVariable(
          variable ?? '',
          files,
          (one) => isInUse(one) && !PIPELINES.test(one.kind.role ?? '') && !composedIn.has(`${one.path} ${beside.name}`),
        )
      const isUnset =
        (isStarted || run?.isScript === true) && variable !== undefined && isFallback && !namesVariable(variable, files, isInUse)
      if (isOutsideProduction && (run === undefined || !isUnset)) continue
      // whether anything reads what is signed, the whole project tells
      if (word.onlySigns)
        isRead ??= scripts.get(tokenReaders).length > 0 || [...files.keys()].some((path) => OTHER_LANGUAGES.test(path))
      const match = toMatch(file, word, isUnset)
      if (isOnlyComposed && word.identifies && word.what !== undefined && run === undefined && word.what !== 'express-session')
        yield { ...match, args: { ...match.args, file: beside.place.file }, variant: 'besideCompose' }
      else if (word.what === 'express-session') yield { ...match, variant: isFallback ? 'storedFallback' : 'stored' }
      else if (word.onlySigns && isRead === false)
        yield { ...match, variant: isFallback ? 'signedFallback' : 'signed', ...(isElsewhere(word) && SHARED) }
      else if (run === undefined || word.what === undefined) yield match
      else {
        const args = { ...match.args, app: run.app, mode: run.value ?? '' }
        const bare = run.isScript === true ? 'bareStart' : 'bareImage'
        const variant = run.value === undefined ? bare : 'unproductive'
        // what is signed makes the caller, and nothing that starts the server keeps the word out
        yield { ...match, args, variant, ...(word.identifies && { impact: 'takeover' as const }) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Hard-coded signing secret for sessions or tokens',
      message: 'The secret that {what} signs and verifies with is a constant in the code.',
      why: 'An attacker who reads the code or guesses the word can sign a session or a token of any user and act as that user.',
      fix: 'Generate a random secret (openssl rand -base64 48), read it from an environment variable or a bound service, and refuse to start without it. Then replace the old one: it counts as known.',
      variants: {
        fallback: {
          message: 'Where its environment variable is not set, {what} signs and verifies with a word in the code.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        variable: {
          message: 'Where the environment variable {name} is not set, the program sets it to a word in the code.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        unset: {
          message: 'Nothing in the project sets {name}, and without it {what} signs and verifies with a word in the code.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        unproductive: {
          message:
            '{app} runs with NODE_ENV "{mode}" and without {name}: {what} then signs and verifies with a word in the code, which only "production" prevents.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        bareImage: {
          message:
            'Nothing sets NODE_ENV or {name} for the image built from {app}: {what} then signs and verifies with a word in the code, which only "production" prevents.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        bareStart: {
          message:
            'The start script of {app} sets neither NODE_ENV nor {name}: {what} then signs and verifies with a word in the code, which only "production" prevents.',
          why: NOTHING_TELLS.en,
          fix: FALLBACK_FIX.en,
        },
        environment: {
          message: 'This file sets {name} to a word, and {what} verifies tokens with it.',
          fix: COMMITTED_FIX.en,
        },
        committed: {
          title: 'Signing secret of tokens committed to the project',
          message: 'This file sets {name}, and {what} verifies tokens with it, by which the server knows its callers.',
          why: 'An attacker who can read the project or its history can sign a token of any user and act as that user.',
          fix: COMMITTED_FIX.en,
        },
        composed: {
          message: 'Where nothing else sets {name}, this compose file sets it to a word. The program signs and verifies with it.',
          why: NOTHING_TELLS.en,
          fix: COMPOSED_FIX.en,
        },
        composedLocally: {
          message: 'Where nothing else sets {name}, this compose file sets it to a word. The program signs and verifies with it.',
          why: NOTHING_TELLS.en,
          fix: COMPOSED_FIX.en,
        },
        besideCompose: {
          message:
            'Where {name} is not set, {what} signs and verifies with a word in the code, and {file} sets nothing but another word.',
          why: NOTHING_TELLS.en,
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
        stored: { why: STORED.en },
        storedFallback: {
          message: 'Where its environment variable is not set, {what} signs and verifies with a word in the code.',
          why: STORED.en,
          fix: FALLBACK_FIX.en,
        },
      },
    },
    fr: {
      title: 'Secret de signature de sessions ou de jetons codé en dur',
      message: 'Le secret avec lequel {what} signe et vérifie est une constante du code.',
      why: 'Un attaquant qui lit le code ou devine ce mot peut signer une session ou un jeton de n’importe quel utilisateur et agir en son nom.',
      fix: 'Générez un secret aléatoire (openssl rand -base64 48), lisez-le dans une variable d’environnement ou un service lié, et refusez de démarrer sans lui. Remplacez ensuite l’ancien, qui est réputé connu.',
      variants: {
        fallback: {
          message: 'Si sa variable d’environnement n’est pas définie, {what} signe et vérifie avec un mot écrit dans le code.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        variable: {
          message:
            'Si la variable d’environnement {name} n’est pas définie, le programme lui donne pour valeur un mot écrit dans le code.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        unset: {
          message:
            'Rien dans le projet ne définit {name}, et sans cette variable {what} signe et vérifie avec un mot écrit dans le code.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        unproductive: {
          message:
            '{app} s’exécute avec NODE_ENV "{mode}" et sans {name} : {what} signe et vérifie alors avec un mot écrit dans le code, ce que seul "production" empêche.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        bareImage: {
          message:
            'Rien ne définit NODE_ENV ni {name} pour l’image construite à partir du fichier {app} : {what} signe et vérifie alors avec un mot écrit dans le code, ce que seul "production" empêche.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        bareStart: {
          message:
            'Le script de démarrage de {app} ne définit ni NODE_ENV ni {name} : {what} signe et vérifie alors avec un mot écrit dans le code, ce que seul "production" empêche.',
          why: NOTHING_TELLS.fr,
          fix: FALLBACK_FIX.fr,
        },
        environment: {
          message: 'Ce fichier donne à {name} un mot pour valeur, et {what} vérifie des jetons avec lui.',
          fix: COMMITTED_FIX.fr,
        },
        committed: {
          title: 'Secret de signature de jetons enregistré dans le projet',
          message:
            'Ce fichier définit {name}, avec quoi {what} vérifie les jetons auxquels le serveur reconnaît ses utilisateurs.',
          why: 'Un attaquant qui peut lire le projet ou son historique peut signer un jeton de n’importe quel utilisateur et agir en son nom.',
          fix: COMMITTED_FIX.fr,
        },
        composed: {
          message:
            'Si rien d’autre ne définit {name}, ce fichier Compose lui donne pour valeur un mot. Le programme signe et vérifie avec lui.',
          why: NOTHING_TELLS.fr,
          fix: COMPOSED_FIX.fr,
        },
        composedLocally: {
          message:
            'Si rien d’autre ne définit {name}, ce fichier Compose lui donne pour valeur un mot. Le programme signe et vérifie avec lui.',
          why: NOTHING_TELLS.fr,
          fix: COMPOSED_FIX.fr,
        },
        besideCompose: {
          message:
            'Si {name} n’est pas définie, {what} signe et vérifie avec un mot écrit dans le code, et {file} ne lui donne qu’un autre mot.',
          why: NOTHING_TELLS.fr,
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
        stored: { why: STORED.fr },
        storedFallback: {
          message: 'Si sa variable d’environnement n’est pas définie, {what} signe et vérifie avec un mot écrit dans le code.',
          why: STORED.fr,
          fix: FALLBACK_FIX.fr,
        },
      },
    },
  }),
})

/** An image, or a package that `npm start` runs as it is. */
function startsServer({ kind, path, content }: ProjectFile): boolean {
  if (kind.role === 'dockerfile') return true
  if (kind.test || content.as !== 'data' || fileNameOf(path) !== 'package.json') return false
  return content.roots.some((root) => /^(?:cds-serve|cds run|node|tsx)\b/.test(stringOf(at(root, 'scripts', 'start')) ?? ''))
}

/** Programs of the project whose code is not read. */
const OTHER_LANGUAGES = /\.(?:java|py|go|cs|rb|php|kt|abap)$/i

/** What a pipeline sets for its own tests says nothing of production. */
const PIPELINES = /workflow|pipeline|jenkinsfile/

/** Somebody has set it as a secret, so that something outside of the project takes what it signs. */
function isElsewhere({ text, isFallback }: SigningWord): boolean {
  return !isFallback && isSetAsSecret(text)
}

/** A committed credential of the program that verifies. */
const SHARED: GradeFacts = { impact: 'takeover', evidence: 'assumed' }

function toMatch(file: string, word: SigningWord, isUnset: boolean): Match {
  const { start, end, text, what, variable, isFallback, identifies, list } = word
  const at = { file, span: { start: start + 1, end: end - 1 } }
  const told = { at, secret: text, ...(list !== undefined && { groupKey: `${file} ${list}` }) }
  if (what === undefined) return { ...told, args: { name: variable ?? '' }, variant: 'variable' }
  if (!isFallback) return { ...told, args: { what }, ...(identifies && { evidence: 'shown' }) }
  const isLikely = identifies && isUnset && variable !== undefined
  return { ...told, args: { what, name: variable ?? '' }, variant: isLikely ? 'unset' : 'fallback' }
}
