import { accessesOf, constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { promisifiedBy } from '../../facts/promisified.ts'
import { createFieldValues, createOwners } from '../../flow/index.ts'
import { createDevelopmentReader, findWeakHashes } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Cryptography of a server that no longer protects. Hashes are only judged where a name tells that a secret is hashed: for checksums and keys of
 * caches, MD5 and SHA-1 are good enough. Facts: Node.js 24, "Crypto"; OWASP cheat sheets "Cryptographic Storage" and "Password Storage".
 * Severity: MEDIUM, it takes a copy of the data, or of the messages.
 */
export const weakCrypto: Rule = defineRule({
  id: 'cap/weak-crypto',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [327],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cryptographic_Storage_Cheat_Sheet.html#algorithms',
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
      title: 'Weak hash function for a secret',
      message: '"{name}" is hashed with {what}.',
      why: 'An attacker with a copy of the data can recover the secrets: graphics cards compute billions of such hashes per second. Signatures can be forged with collisions.',
      fix: "Hash passwords with crypto.scryptSync(password, salt, 64) and salt = crypto.randomBytes(16), stored next to the hash; tokens with crypto.createHash('sha256'), signatures with crypto.createHmac('sha256', key).",
      variants: {
        derived: {
          title: 'Insecure key derivation with createCipher',
          message: '{what} derives key and initialization vector from the password with one round of MD5 and no salt.',
          why: 'An attacker with a copy of the data can guess passwords at the speed of MD5, and identical texts have identical ciphertexts.',
          fix: "Use createCipheriv('aes-256-gcm', key, iv) with key = scryptSync(password, salt, 32) and iv = randomBytes(12), and store salt, iv and getAuthTag() next to the ciphertext.",
        },
        cipher: {
          title: 'Broken cipher or encryption mode',
          message: '{what} does not protect the encrypted data.',
          why: 'An attacker with a copy of the data can decrypt it or large parts of it: DES and RC4 are broken, and ECB encrypts identical blocks identically.',
          fix: "Use createCipheriv('aes-256-gcm', key, iv) with iv = randomBytes(12), and store iv and getAuthTag() next to the ciphertext.",
        },
        vector: {
          title: 'Hard-coded initialization vector',
          message: 'The initialization vector is hard-coded and the same for every message.',
          why: 'An attacker can see which messages begin alike; with GCM or CTR, two messages with the same vector reveal their contents and, with GCM, the authentication key.',
          fix: 'Generate a new vector for each message, const iv = crypto.randomBytes(12), pass it to createCipheriv, and store it next to the ciphertext.',
        },
        rounds: {
          title: 'Too few PBKDF2 iterations',
          message: 'PBKDF2 is called with {what} iterations; OWASP recommends 600,000 with SHA-256.',
          why: 'An attacker with a copy of the data can crack all but long passwords.',
          fix: 'Replace {what} with 600000 (SHA-256) or 210000 (SHA-512), or use crypto.scrypt.',
        },
        key: {
          title: 'RSA key too short',
          message: 'An RSA key of {what} bits is generated.',
          why: 'An attacker can factor keys of 1024 bits or less with enough computing power, and then sign and decrypt in your name.',
          fix: "Replace {what} with 3072, or generate a key on an elliptic curve: generateKeyPair('ec', { namedCurve: 'P-256' }).",
        },
        signature: {
          title: 'Signature with a broken hash function',
          message: '{what} is used for a signature.',
          why: 'An attacker can create two texts with the same hash: the signature of one is valid for the other.',
          fix: "Replace '{what}' with 'RSA-SHA256', or sign with an elliptic curve and SHA-256.",
        },
      },
    },
    fr: {
      title: 'Fonction de hachage faible pour un secret',
      message: '"{name}" est haché avec {what}.',
      why: 'Un attaquant disposant d’une copie des données peut retrouver les secrets : des cartes graphiques calculent des milliards de ces empreintes par seconde. Des collisions permettent de falsifier des signatures.',
      fix: "Hachez les mots de passe avec crypto.scryptSync(password, salt, 64) et salt = crypto.randomBytes(16), stocké à côté ; les jetons avec crypto.createHash('sha256'), les signatures avec crypto.createHmac('sha256', key).",
      variants: {
        derived: {
          title: 'Dérivation de clé non sécurisée avec createCipher',
          message: '{what} dérive la clé et le vecteur d’initialisation du mot de passe par un seul tour de MD5, sans sel.',
          why: 'Un attaquant disposant d’une copie des données peut essayer des mots de passe à la vitesse de MD5, et des textes identiques ont le même texte chiffré.',
          fix: "Utilisez createCipheriv('aes-256-gcm', key, iv) avec key = scryptSync(password, salt, 32) et iv = randomBytes(12), et stockez salt, iv et getAuthTag() à côté du texte chiffré.",
        },
        cipher: {
          title: 'Algorithme ou mode de chiffrement cassé',
          message: '{what} ne protège pas les données chiffrées.',
          why: 'Un attaquant disposant d’une copie des données peut les déchiffrer, au moins en grande partie : DES et RC4 sont cassés, et ECB chiffre des blocs identiques de la même façon.',
          fix: "Utilisez createCipheriv('aes-256-gcm', key, iv) avec iv = randomBytes(12), et stockez iv et getAuthTag() à côté du texte chiffré.",
        },
        vector: {
          title: 'Vecteur d’initialisation codé en dur',
          message: 'Le vecteur d’initialisation est codé en dur, identique pour tous les messages.',
          why: 'Un attaquant voit quels messages commencent de la même façon ; avec GCM ou CTR, deux messages de même vecteur révèlent leur contenu et, avec GCM, la clé d’authentification.',
          fix: 'Générez un nouveau vecteur pour chaque message, const iv = crypto.randomBytes(12), passez-le à createCipheriv, et stockez-le à côté du texte chiffré.',
        },
        rounds: {
          title: 'Nombre d’itérations PBKDF2 trop faible',
          message: 'PBKDF2 est appelé avec {what} itérations ; l’OWASP en recommande 600 000 avec SHA-256.',
          why: 'Un attaquant disposant d’une copie des données peut deviner tous les mots de passe, sauf les plus longs.',
          fix: 'Remplacez {what} par 600000 (SHA-256) ou 210000 (SHA-512), ou utilisez crypto.scrypt.',
        },
        key: {
          title: 'Clé RSA trop courte',
          message: 'Une clé RSA de {what} bits est générée.',
          why: 'Un attaquant doté d’une grande puissance de calcul peut factoriser des clés de 1024 bits ou moins, puis signer et déchiffrer en votre nom.',
          fix: "Remplacez {what} par 3072, ou générez une clé sur courbe elliptique : generateKeyPair('ec', { namedCurve: 'P-256' }).",
        },
        signature: {
          title: 'Signature avec une fonction de hachage cassée',
          message: '{what} est utilisé pour une signature.',
          why: 'Un attaquant peut créer deux textes de même empreinte : la signature de l’un est valide pour l’autre.',
          fix: "Remplacez '{what}' par 'RSA-SHA256', ou signez avec une courbe elliptique et SHA-256.",
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

/** The weak ciphers of one script; a pair that encrypts and decrypts is one fault, reported where it encrypts. */
function* findWeakCiphers(facts: ScriptFacts, step: (count: number) => void): Generator<WeakCipher> {
  const fields = createFieldReader(facts)
  const found = facts.calls.flatMap((call) => toWeak(call, facts, fields, step) ?? [])
  const encrypting = found.some(({ isDecrypting }) => !isDecrypting)
  for (const { isDecrypting, ...weak } of found) if (!isDecrypting || !encrypting) yield weak
}

function toWeak(
  call: CallValue,
  facts: ScriptFacts,
  fields: FieldReader,
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
  fields: FieldReader,
  step: (count: number) => void,
): Weak | undefined {
  const accesses = accessesOf(promisifiedBy(callee) ?? callee)
  const access = accesses.find(({ root }) => /^module:(?:node:)?crypto$/.test(root))
  const [first, second, third] = args
  const text = first === undefined ? undefined : constantOf(fields(first))
  switch (access?.steps.join(' ')) {
    case 'createCipher':
    case 'createDecipher':
      return { variant: 'derived', what: access.steps.join('.') }
    case 'createCipheriv':
    case 'createDecipheriv':
      if (typeof text === 'string' && WEAK_CIPHER.test(text)) return { variant: 'cipher', what: text }
      if (access.steps[0] === 'createDecipheriv' || third === undefined || !isFixed(fields(third), facts, step)) return undefined
      return { variant: 'vector', what: typeof text === 'string' ? text : '', start: third.start, end: third.end }
    case 'pbkdf2':
    case 'pbkdf2Sync':
      return third && ofRounds(fields(third), third)
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

function ofRounds(rounds: Value, { start, end }: Span): Weak | undefined {
  const count = constantOf(rounds) ?? defaultOf(rounds)
  if (typeof count !== 'number' || count >= MIN_ROUNDS) return undefined
  return { variant: 'rounds', what: String(count), start, end }
}

/** What a parameter is, where a caller says nothing: `(password, rounds = 1000) => …`. */
function defaultOf(value: Value): unknown {
  const [only] = value.kind === 'reference' && value.binding?.kind === 'parameter' ? value.binding.definitions : []
  return only?.fallback && constantOf(only.fallback)
}

function ofBits(bits: Value | undefined): Weak | undefined {
  const count = bits === undefined ? undefined : constantOf(bits)
  if (bits === undefined || typeof count !== 'number' || count >= MIN_BITS || count < 128) return undefined
  return { variant: 'key', what: String(count), start: bits.start, end: bits.end }
}

/** An initialization vector that is hard-coded, or all zeros and never filled. */
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
  const iterations = path === 'pbkdf2' ? fieldOf(options, 'iterations')?.value : undefined
  return iterations && ofRounds(iterations, iterations)
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

/** What a field of the file's classes always is, else the value itself. */
type FieldReader = (value: Value) => Value

function createFieldReader(facts: ScriptFacts): FieldReader {
  const owners = createOwners(facts, false)
  const valuesOf = createFieldValues(facts, owners)
  return (value) => {
    if (value.kind !== 'member' || value.name === undefined) return value
    const owner = owners.ownerBehind(value.object) ?? owners.classBehind(value.object)
    const [only, ...more] = owner === undefined ? [] : valuesOf(owner, value.name)
    return only === undefined || more.length > 0 ? value : only
  }
}
