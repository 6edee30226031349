import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeployedCode, runsInBrowser } from '../../../model/script/index.ts'
import type { Project } from '../../subjects.ts'
import type { Match } from '../../../types.ts'
import { isInUse, namesVariable } from '../_routes/node-environment.ts'
import { keyTextsIn, stagesOf, type KeyText } from './signing-words.ts'
import { createFieldReader } from './weak-ciphers.ts'

/**
 * Words of the code that encrypt data, always or where a variable of the environment is not set. Facts: Node.js 24, "Crypto" (`createCipheriv`, `scryptSync`, `pbkdf2Sync`);
 * crypto-js 4 (README: `AES.encrypt(message, key)`).
 */
export const cipherWords: Extract<KeyText> = defineExtract({
  name: 'cap-cipher-words',
  keywords: ['createCipheriv', 'createDecipheriv', 'CryptoJS', 'crypto-js', 'process.env.'],
  prefilter: (text) => /create(?:C|Dec)ipheriv|\bAES\b/.test(text) || ENCRYPTING.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) return
    step(facts.calls.length + facts.assignments.length)
    const stages = stagesOf(facts)
    const fields = createFieldReader(facts)
    const told = new Set<number>()
    for (const key of keysIn(facts))
      for (const word of keyTextsIn(madeOf(fields(key), fields), stages)) {
        if (word.isOutsideProduction || told.has(word.start)) continue
        told.add(word.start)
        yield word
      }
    if (!ENCRYPTING.test(text)) return
    for (const { target, operator, value } of facts.assignments) {
      const { name } = target
      if (name === undefined || !ENCRYPTING.test(`env.${name}`) || !isOfEnvironment(target.object)) continue
      for (const word of keyTextsIn(value, stages))
        if (!word.isOutsideProduction && (word.isFallback || operator !== '='))
          yield { ...word, isFallback: true, variable: name }
    }
  },
})

/** `process.env.ENCRYPTION_KEY`, `process.env.FIELD_CIPHER_SECRET` */
const ENCRYPTING = /env\.[A-Z_]{0,30}(?:ENCRYPT|CIPHER|CRYPTO|AES)[A-Z\d_]{0,20}(?:KEY|SECRET|PASSWORD|PASSPHRASE)\b/

function isOfEnvironment(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root === 'global:process' && steps.join() === 'env')
}

const CIPHERS = /^module:(?:node:)?crypto create(?:C|Dec)ipheriv$/
const OF_CRYPTO_JS = /^(?:module:crypto-js|global:CryptoJS)(?:\/aes| AES) (?:en|de)crypt$/

/** The keys of ciphers. */
function* keysIn({ calls }: ScriptFacts): Generator<Value> {
  for (const { callee, args } of calls) {
    const [, key] = args
    const isCipher = accessesOf(callee).some(({ root, steps }) => {
      const path = [root, ...steps].join(' ')
      return CIPHERS.test(path) || OF_CRYPTO_JS.test(path)
    })
    if (key !== undefined && isCipher) yield key
  }
}

const MAX_STEPS = 6

/** What a key is made of: `scryptSync(word, 'salt', 32)`, `createHash('sha256').update(word).digest()`, `word.padEnd(32)`. */
function madeOf(key: Value, fields: (value: Value) => Value): Value {
  let here = key
  for (let hops = 0; hops < MAX_STEPS; hops++) {
    const made = resolveValue(fields(here))
    const source = 'callee' in made ? sourceOf(made) : undefined
    if (source === undefined) return fields(here)
    here = source
  }
  return here
}

/** What derives a key of its first argument, and methods that give a part of a text or of a hash. */
const DERIVES = /^(?:scryptSync|pbkdf2Sync|PBKDF2|SHA256|String)$/
const KEEPS = /^(?:digest|slice|substring|substr|subarray|padEnd|padStart|trim|toString|repeat)$/
/** `CryptoJS.enc.Utf8.parse(word)`. */
const ENCODINGS = /^(?:Utf8|Latin1|Hex|Base64)$/

function sourceOf({ callee, args }: CallValue): Value | undefined {
  const name = lastNameOf(callee) ?? ''
  if (DERIVES.test(name)) return args[0]
  if (!('object' in callee)) return undefined
  const of = resolveValue(callee.object)
  if (name === 'parse') return ENCODINGS.test(lastNameOf(of) ?? '') ? args[0] : undefined
  // what an HMAC or a hash of several parts is fed with is not all of it
  if (name === 'update') return 'callee' in of && lastNameOf(of.callee) === 'createHash' ? args[0] : undefined
  return KEEPS.test(name) ? callee.object : undefined
}

/** Keys that the code says. Of a default, whatever sets the variable in the project makes it likely that it is set. Needs the extract `cipherWords`. */
export function* knownKeys({ scripts, files, step }: Project): Generator<Match> {
  for (const { file, value } of scripts.get(cipherWords)) {
    step()
    const { start, end, text, variable = '', isFallback } = value
    if (isFallback && variable !== '' && namesVariable(variable, files, isInUse)) continue
    yield {
      at: { file, span: { start: start + 1, end: end - 1 } },
      secret: text,
      args: { name: variable, what: '' },
      variant: isFallback && variable !== '' ? 'keyFallback' : 'keyWord',
    }
  }
}

/** What the rule says of them. */
export const KEY_WORDS = {
  en: {
    keyWord: {
      title: 'Encryption key in the code',
      message: 'Data is encrypted or decrypted with a key that is written in the code.',
      why: 'Everyone who can read the code or a copy of the program can decrypt a copy of the data.',
      fix: 'Generate a random key (openssl rand -base64 32), set it where the program runs (a bound service, cf set-env), and refuse to start without it. Re-encrypt stored data: the old key counts as known.',
    },
    keyFallback: {
      title: 'Encryption key in the code as a default',
      message: 'Where the environment variable {name} is not set, data is encrypted with a key that is written in the code.',
      why: 'Nothing tells that the variable is missing. Everyone who can read the code can then decrypt a copy of the data.',
      fix: 'Remove the default and refuse to start without the variable: if (!key) throw new Error("The key is not set"). Re-encrypt what was encrypted with the default.',
    },
  },
  fr: {
    keyWord: {
      title: 'Clé de chiffrement écrite dans le code',
      message: 'Des données sont chiffrées ou déchiffrées avec une clé écrite dans le code.',
      why: 'Toute personne pouvant lire le code ou une copie du programme peut déchiffrer une copie des données.',
      fix: 'Générez une clé aléatoire (openssl rand -base64 32), définissez-la là où le programme s’exécute (service lié, cf set-env) et refusez de démarrer sans elle. Rechiffrez les données stockées : l’ancienne clé est réputée connue.',
    },
    keyFallback: {
      title: 'Clé de chiffrement par défaut écrite dans le code',
      message:
        'Si la variable d’environnement {name} n’est pas définie, les données sont chiffrées avec une clé écrite dans le code.',
      why: 'Rien ne signale l’absence de la variable. Toute personne pouvant lire le code peut alors déchiffrer une copie des données.',
      fix: 'Supprimez la valeur par défaut et refusez de démarrer sans la variable : if (!key) throw new Error("La clé n’est pas définie"). Rechiffrez ce qui a été chiffré avec la valeur par défaut.',
    },
  },
}
