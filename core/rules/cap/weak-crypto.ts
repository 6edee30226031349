import { accessesOf, constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findOwnFields, resolveField, type OwnFields } from '../../flow/own-fields.ts'
import { createDevelopmentReader, findWeakHashes } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Cryptography of a server that no longer protects. Hashes are only judged where a name tells that a secret is hashed: checksums and keys of caches
 *  are what MD5 and SHA-1 are still good for. Facts: Node.js 24, "Crypto"; OWASP cheat sheets "Cryptographic Storage" and "Password Storage". */
export const weakCrypto: Rule = defineRule({
  id: 'cap/weak-crypto',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [327],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cryptographic_Storage_Cheat_Sheet.html',
  keywords: [
    'createHash',
    'createCipher',
    'createDecipher',
    'createSign',
    'pbkdf2',
    'generateKeyPair',
    'CryptoJS',
    'crypto-js',
    'node-rsa',
    'node-forge',
    'md5',
    'sha1',
    'crypto.hash',
    'crypto.sign',
    'SHA-1',
  ],
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { call, algorithm, name } of findWeakHashes(facts, (count) => budget.step(count))) {
      // the first characters of a SHA-1 are how leaked passwords are looked up
      if (text.includes('pwnedpasswords') || isForDevelopers(call)) continue
      yield { at: { file: path, span: { start: call.start, end: call.end } }, args: { name, what: algorithm } }
    }
    for (const { start, end, variant, what } of findWeakCiphers(facts, (count) => budget.step(count)))
      yield { at: { file: path, span: { start, end } }, args: { name: '', what }, variant }
  },

  text: {
    en: {
      title: 'A secret is hashed by a broken function',
      message: '{name} is hashed by {what}.',
      why: 'Graphics cards try billions of such hashes a second: from a copy of the data the secrets come back, and for a signature a second text with the same hash can be made.',
      fix: 'Passwords: crypto.scrypt or argon2 with a salt of their own. Tokens and signatures: SHA-256, with a key createHmac.',
      variants: {
        derived: {
          title: 'A key is derived without salt and rounds',
          message: '{what} derives key and initialization vector from the password by one round of MD5.',
          why: 'The same password gives the same key and vector every time, and passwords are tried as fast as MD5 runs.',
          fix: "Use createCipheriv('aes-256-gcm', key, randomBytes(12)) with a key of scrypt.",
        },
        cipher: {
          title: 'Data is encrypted by a cipher that is broken',
          message: '{what} no longer hides what it encrypts.',
          why: 'DES and RC4 are broken by computing; ECB shows equal blocks as equal: who gets the data reads it, or large parts of it.',
          fix: "Use createCipheriv('aes-256-gcm', key, randomBytes(12)), and keep the authentication tag.",
        },
        vector: {
          title: 'Each message is encrypted with the same vector',
          message: 'The initialization vector stands in the code and is the same for every message.',
          why: 'Equal beginnings become visible; with GCM and CTR two messages of one vector give away their contents, and with GCM the key of their tags.',
          fix: 'Draw it for each message: const iv = randomBytes(12), and store it beside the text.',
        },
        rounds: {
          title: 'A password is derived with few rounds',
          message: '{what} rounds of PBKDF2.',
          why: 'From a copy of the data the passwords are tried at a rate that only long ones stand.',
          fix: 'Use scrypt, or PBKDF2 with 600,000 rounds of SHA-256.',
        },
        key: {
          title: 'A key is too short',
          message: '{what} bits for RSA.',
          why: 'Keys of 1024 bits and less can be factored: who does so signs and decrypts in your name.',
          fix: 'Use 3072 bits, or an elliptic curve.',
        },
        signature: {
          title: 'A signature rests on a broken hash',
          message: '{what} is used for a signature.',
          why: 'Two texts with the same hash can be made: the signature of one is that of the other.',
          fix: "Use 'RSA-SHA256', or an elliptic curve.",
        },
      },
    },
    fr: {
      title: 'Un secret est haché par une fonction cassée',
      message: '{name} est haché par {what}.',
      why: 'Des cartes graphiques essaient des milliards de tels hachages par seconde : une copie des données rend les secrets, et pour une signature on fabrique un second texte au même hachage.',
      fix: 'Mots de passe : crypto.scrypt ou argon2 avec un sel propre. Jetons et signatures : SHA-256, avec une clé createHmac.',
      variants: {
        derived: {
          title: 'Une clé est dérivée sans sel ni itérations',
          message: '{what} dérive la clé et le vecteur d’initialisation du mot de passe par un seul tour de MD5.',
          why: 'Le même mot de passe donne chaque fois la même clé et le même vecteur, et les mots de passe s’essaient à la vitesse de MD5.',
          fix: "Prenez createCipheriv('aes-256-gcm', key, randomBytes(12)) avec une clé de scrypt.",
        },
        cipher: {
          title: 'Des données sont chiffrées par un algorithme cassé',
          message: '{what} ne cache plus ce qu’il chiffre.',
          why: 'DES et RC4 se cassent par le calcul ; ECB montre comme égaux des blocs égaux : qui obtient les données les lit, au moins en grande partie.',
          fix: "Prenez createCipheriv('aes-256-gcm', key, randomBytes(12)), et conservez l’étiquette d’authentification.",
        },
        vector: {
          title: 'Chaque message est chiffré avec le même vecteur',
          message: 'Le vecteur d’initialisation est écrit dans le code, le même pour tous les messages.',
          why: 'Les débuts égaux deviennent visibles ; avec GCM et CTR, deux messages d’un même vecteur livrent leur contenu, et avec GCM la clé de leurs étiquettes.',
          fix: 'Tirez-le pour chaque message : const iv = randomBytes(12), et stockez-le à côté du texte.',
        },
        rounds: {
          title: 'Un mot de passe est dérivé avec peu d’itérations',
          message: '{what} itérations de PBKDF2.',
          why: 'Avec une copie des données, les mots de passe s’essaient à un rythme auquel seuls les longs résistent.',
          fix: 'Prenez scrypt, ou PBKDF2 avec 600 000 itérations de SHA-256.',
        },
        key: {
          title: 'Une clé est trop courte',
          message: '{what} bits pour RSA.',
          why: 'Des clés de 1024 bits et moins se factorisent : qui y parvient signe et déchiffre en votre nom.',
          fix: 'Prenez 3072 bits, ou une courbe elliptique.',
        },
        signature: {
          title: 'Une signature repose sur un hachage cassé',
          message: '{what} sert à une signature.',
          why: 'On sait fabriquer deux textes au même hachage : la signature de l’un est celle de l’autre.',
          fix: "Prenez 'RSA-SHA256', ou une courbe elliptique.",
        },
      },
    },
  },
})

/** Encryption, derivation or keys that are too weak. */
interface WeakCipher extends Span {
  readonly variant: 'derived' | 'cipher' | 'vector' | 'rounds' | 'key' | 'signature'
  readonly what: string
}

/** Facts: Node.js 24, "Crypto" (createCipher was removed in 22); OWASP, "Cryptographic Storage" and "Password Storage". */
const WEAK_CIPHER = /^(?:des|des-(?!ede3-(?:cbc|cfb|ofb))|rc2|rc4|arc4|bf|blowfish|cast|idea|seed)|-ecb$|^des3$|^des-ede/i
const MIN_ROUNDS = 100_000
const MIN_BITS = 2048

/** The weak ciphers of one script; a pair that encrypts and decrypts is one fault, told where it encrypts. */
function* findWeakCiphers(facts: ScriptFacts, step: (count: number) => void): Generator<WeakCipher> {
  const fields = findOwnFields(facts)
  const found = facts.calls.flatMap((call) => toWeak(call, facts, fields, step) ?? [])
  const encrypting = found.some(({ isDecrypting }) => !isDecrypting)
  for (const { isDecrypting, ...weak } of found) if (!isDecrypting || !encrypting) yield weak
}

function toWeak(
  call: CallValue,
  facts: ScriptFacts,
  fields: OwnFields,
  step: (count: number) => void,
): (WeakCipher & { isDecrypting: boolean }) | undefined {
  const weak = ofNode(call, facts, fields, step) ?? ofCryptoJs(call) ?? ofKeys(call)
  const isDecrypting = /decipher|decrypt/i.test(lastNameOf(call.callee) ?? '')
  return weak && { start: call.start, end: call.end, isDecrypting, ...weak }
}

type Weak = Omit<WeakCipher, 'start' | 'end'> & Partial<Span>

function ofNode(
  { callee, args }: CallValue,
  facts: ScriptFacts,
  fields: OwnFields,
  step: (count: number) => void,
): Weak | undefined {
  const access = accessesOf(callee).find(({ root }) => root === 'module:crypto' || root === 'module:node:crypto')
  const [first, second, third] = args
  const text = first === undefined ? undefined : constantOf(resolveField(first, fields))
  switch (access?.steps.join(' ')) {
    case 'createCipher':
    case 'createDecipher':
      return { variant: 'derived', what: access.steps.join('.') }
    case 'createCipheriv':
    case 'createDecipheriv':
      if (typeof text === 'string' && WEAK_CIPHER.test(text)) return { variant: 'cipher', what: text }
      if (access.steps[0] === 'createDecipheriv' || third === undefined || !isFixed(resolveField(third, fields), facts, step))
        return undefined
      return { variant: 'vector', what: typeof text === 'string' ? text : '', start: third.start, end: third.end }
    case 'pbkdf2':
    case 'pbkdf2Sync':
      return ofRounds(third)
    case 'createSign':
    case 'sign':
      return typeof text === 'string' && /^(?:rsa-|dsa-|ecdsa-with-)?(?:md5|sha-?1)$/i.test(text)
        ? { variant: 'signature', what: text }
        : undefined
    case 'generateKeyPair':
    case 'generateKeyPairSync':
      return text === 'rsa' || text === 'rsa-pss' || text === 'dsa'
        ? ofBits(second && fieldOf(resolveValue(second), 'modulusLength')?.value)
        : undefined
    default:
      return undefined
  }
}

function ofRounds(rounds: Value | undefined): Weak | undefined {
  const count = rounds === undefined ? undefined : constantOf(rounds)
  if (rounds === undefined || typeof count !== 'number' || count >= MIN_ROUNDS) return undefined
  return { variant: 'rounds', what: String(count), start: rounds.start, end: rounds.end }
}

function ofBits(bits: Value | undefined): Weak | undefined {
  const count = bits === undefined ? undefined : constantOf(bits)
  if (bits === undefined || typeof count !== 'number' || count >= MIN_BITS || count < 128) return undefined
  return { variant: 'key', what: String(count), start: bits.start, end: bits.end }
}

/** An initialization vector that stands in the code, or is all zeros and never filled. */
function isFixed(given: Value, { calls }: ScriptFacts, step: (count: number) => void): boolean {
  step(calls.length)
  const value = resolveValue(given)
  if (value.kind === 'literal') return typeof value.value === 'string' && value.value !== ''
  if (value.kind === 'concat' || value.kind === 'template') return constantOf(value) !== undefined
  if (value.kind !== 'call' && value.kind !== 'new') return false
  const [first] = value.args
  const name = accessesOf(value.callee).map(({ root, steps }) => [root, ...steps].join(' '))[0]
  if (first === undefined) return false
  if (name === 'global:Buffer from' || (name === 'global:Buffer' && value.kind === 'new')) {
    const source = resolveValue(first)
    if (typeof constantOf(source) === 'string') return true
    return source.kind === 'array' && source.items.every((item) => constantOf(item) !== undefined)
  }
  if (name !== 'global:Buffer alloc' && name !== 'global:Uint8Array') return false
  if (typeof constantOf(first) !== 'number' && resolveValue(first).kind !== 'array') return false
  const { binding } = given.kind === 'reference' ? given : { binding: undefined }
  // filled afterwards: randomFillSync(iv), getRandomValues(iv), source.copy(iv)
  return (
    binding === undefined ||
    !calls.some(
      ({ callee, args }) =>
        lastNameOf(callee)?.startsWith('create') !== true &&
        args.some((one) => one.kind === 'reference' && one.binding === binding),
    )
  )
}

const CRYPTO_JS = /^(?:module:crypto-js(?:\/\w{1,40})?|global:CryptoJS)$/

function ofCryptoJs({ callee, args }: CallValue): Weak | undefined {
  const access = accessesOf(callee).find(({ root }) => CRYPTO_JS.test(root))
  if (access === undefined) return undefined
  const path = [...access.root.split('/').slice(1), ...access.steps].map((step) => step.toLowerCase()).join('.')
  const [, , third] = args
  const options = third && resolveValue(third)
  if (/^(?:des|tripledes|rc4|rc4drop|rabbit|rabbitlegacy|blowfish)\.(?:en|de)crypt$/.test(path))
    return { variant: 'cipher', what: access.steps.at(-2) ?? access.root.slice(access.root.indexOf('/') + 1) }
  if (/^aes\.(?:en|de)crypt$/.test(path)) {
    const mode = fieldOf(options, 'mode')?.value
    return mode !== undefined && lastNameOf(mode) === 'ECB' ? { variant: 'cipher', what: 'AES-ECB' } : undefined
  }
  return path === 'pbkdf2' ? ofRounds(fieldOf(options, 'iterations')?.value) : undefined
}

/** Keys of node-forge and node-rsa. */
function ofKeys({ kind, callee, args: [first] }: CallValue): Weak | undefined {
  if (first === undefined) return undefined
  for (const { root, steps } of accessesOf(callee)) {
    if (root === 'module:node-forge' && steps.at(-1) === 'generateKeyPair')
      return ofBits(fieldOf(resolveValue(first), 'bits')?.value ?? first)
    if (root === 'module:node-rsa' && kind === 'new') return ofBits(fieldOf(resolveValue(first), 'b')?.value)
  }
  return undefined
}
