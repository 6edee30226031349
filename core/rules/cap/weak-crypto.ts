import { createDevelopmentReader, findWeakHashes } from '../../model/script/index.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { constantSalts, hashTables } from './_secrets/constant-salts.ts'
import { cipherWords, KEY_WORDS, knownKeys } from './_secrets/cipher-words.ts'
import { truncatedTokens } from './_secrets/truncated-tokens.ts'
import { findWeakCiphers } from './_secrets/weak-ciphers.ts'

const ALGORITHM_DOCS = 'https://cheatsheetseries.owasp.org/cheatsheets/Cryptographic_Storage_Cheat_Sheet.html#algorithms'
const CIPHER_DOCS = 'https://nodejs.org/api/crypto.html#cryptocreatecipherivalgorithm-key-iv-options'

const ENCRYPT: Localized<string> = {
  en: "Use createCipheriv('aes-256-gcm', key, iv) from node:crypto with a 32-byte key and iv = randomBytes(12), and store iv and cipher.getAuthTag() next to the ciphertext. Re-encrypt stored data.",
  fr: "Utilisez createCipheriv('aes-256-gcm', key, iv) de node:crypto avec une clé de 32 octets et iv = randomBytes(12), et stockez iv et cipher.getAuthTag() à côté du texte chiffré. Rechiffrez les données stockées.",
}

const SALT: Localized<Pick<RuleText, 'title' | 'message' | 'why' | 'fix'>> = {
  en: {
    title: 'Hard-coded salt for password hashes',
    message: 'All passwords are hashed with the same salt, which is written in the code.',
    why: 'An attacker with a copy of the hashes compares each guess with all of them at once, can prepare tables with this salt, and sees which users have the same password.',
    fix: 'Generate a salt for each password with crypto.randomBytes(16), pass it to the hash function, and store it next to the hash. Hash known passwords anew at the next login.',
  },
  fr: {
    title: 'Sel codé en dur pour les mots de passe',
    message: 'Tous les mots de passe sont hachés avec le même sel, écrit dans le code.',
    why: 'Un attaquant disposant d’une copie des empreintes compare chaque essai à toutes à la fois, peut préparer des tables avec ce sel, et voit quels utilisateurs ont le même mot de passe.',
    fix: 'Générez un sel par mot de passe avec crypto.randomBytes(16), passez-le à la fonction de hachage et stockez-le à côté de l’empreinte. Hachez de nouveau les mots de passe à la prochaine connexion.',
  },
}

/**
 * Cryptography of a server that no longer protects. Hashes are only judged where a name tells that a secret is hashed: for checksums and keys of
 * caches, MD5 and SHA-1 are good enough. Facts: Node.js 24, "Crypto"; OWASP cheat sheets "Cryptographic Storage" and "Password Storage".
 * Of a JWT, bcrypt hashes the header and little more (`truncatedTokens`), so that old tokens pass.
 * Impact: it takes a copy of the data first; what is signed with a hash of data and secret can be forged by itself, where such a hash is a signature. Hashes that
 * lie in the project are such a copy: with one salt for all, each guess is compared with all of them.
 */
export const weakCrypto: Rule = defineRule({
  id: 'cap/weak-crypto',
  impact: 'defence',
  grades: {
    signed: { impact: 'takeover', reach: 'user', evidence: 'assumed' },
    'known-salt': { impact: 'bounded', reach: 'anyone' },
    truncated: { impact: 'bounded', reach: 'anyone' },
    // it takes a copy of the data, and of a default that nothing sets the variable
    keyWord: { impact: 'data', reach: 'user', evidence: 'assumed' },
    keyFallback: { impact: 'data', reach: 'user', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [327],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
  docsByVariant: {
    signed: 'https://nodejs.org/api/crypto.html#class-hmac',
    keyWord: ALGORITHM_DOCS.replace('#algorithms', '#key-management'),
    keyFallback: ALGORITHM_DOCS.replace('#algorithms', '#key-management'),
    truncated: 'https://github.com/kelektiv/node.bcrypt.js#security-issues-and-concerns',
    derived: CIPHER_DOCS,
    vector: CIPHER_DOCS,
    cipher: ALGORITHM_DOCS,
    stream: ALGORITHM_DOCS,
    ecb: ALGORITHM_DOCS,
    blocks: ALGORITHM_DOCS,
    obsolete: ALGORITHM_DOCS,
    key: ALGORITHM_DOCS,
    signature: ALGORITHM_DOCS,
  },
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
    'bcrypt',
  ],
  // a drawn value is a credential of its own
  yieldsTo: ['secrets/generic-secret', 'secrets/generic-password'],
  extracts: [constantSalts, hashTables, cipherWords],

  checks: {
    *project(project) {
      const { scripts } = project
      yield* knownKeys(project)
      const salts = scripts.get(constantSalts)
      const variant = salts.length > 0 && scripts.get(hashTables).length > 0 ? 'known-salt' : 'salt'
      for (const { file, value } of salts) yield { at: { file, span: value }, args: { name: '', what: '' }, variant }
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      const isForDevelopers = createDevelopmentReader(facts)
      for (const { call, algorithm, name, isFast } of findWeakHashes(facts, (count) => budget.step(count))) {
        // the first characters of a SHA-1 are how leaked passwords are looked up
        if (text.includes('pwnedpasswords') || isForDevelopers(call)) continue
        // a password that is longer than bcrypt takes is hashed before
        if (isFast && SLOW_HASHES.test(text)) continue
        const at = { file: path, span: { start: call.start, end: call.end } }
        yield { at, args: { name, what: algorithm }, ...variantOf(name) }
      }
      for (const { call, isShort } of text.includes('bcrypt') ? truncatedTokens(facts, (count) => budget.step(count)) : []) {
        const at = { file: path, span: { start: call.start, end: call.end } }
        if (isForDevelopers(call)) continue
        const evidence = isShort ? ('assumed' as const) : ('shown' as const)
        yield { at, args: { name: '', what: '' }, variant: 'truncated', groupKey: `${path} truncated`, evidence }
      }
      for (const { start, end, variant, what } of findWeakCiphers(facts, (count) => budget.step(count)))
        yield { at: { file: path, span: { start, end } }, args: { name: '', what }, variant: nameOf(variant, what) }
    },
  },

  text: () => ({
    en: {
      title: 'Weak hash function for a secret',
      message: 'A secret ("{name}") is hashed with {what}.',
      why: 'An attacker with a copy of the data can recover short or guessable secrets: graphics cards compute billions of such hashes per second.',
      fix: 'Hash the password with crypto.scryptSync(password, salt, 64), where salt = crypto.randomBytes(16), and store the salt next to the hash.',
      variants: {
        ...KEY_WORDS.en,
        token: {
          fix: "Hash a long random value, such as a generated token, with crypto.createHash('sha256'). Hash a short or guessable value, such as a PIN, with crypto.scryptSync(value, salt, 64) and store salt = crypto.randomBytes(16) next to the hash.",
        },
        signed: {
          why: 'Where such a hash of data and secret serves as a signature, an attacker can forge one: by appending data if the secret comes first, or by finding two messages with the same hash if it comes last.',
          fix: "Sign with an HMAC: crypto.createHmac('sha256', secret).update(data).digest('hex'), and compare signatures with crypto.timingSafeEqual.",
        },
        derived: {
          title: 'Insecure key derivation with createCipher',
          message:
            '{what} derives the key and the initialization vector from the password with one iteration of MD5 and no salt.',
          why: 'An attacker with a copy of the data can guess passwords at the speed of MD5, and identical contents have identical ciphertexts.',
          fix: "Use createCipheriv('aes-256-gcm', key, iv) with key = scryptSync(password, salt, 32), salt = randomBytes(16) and iv = randomBytes(12), and store salt, iv and cipher.getAuthTag() next to the ciphertext. Re-encrypt stored data.",
        },
        cipher: {
          title: 'Broken cipher (DES)',
          message: 'Data is encrypted or decrypted with {what}, whose keys have only 56 bits.',
          why: 'An attacker with a copy of the data can find the key by brute force and decrypt everything.',
          fix: ENCRYPT.en,
        },
        stream: {
          title: 'Broken cipher (RC4)',
          message: 'Data is encrypted or decrypted with {what}, whose key stream is biased.',
          why: 'An attacker with enough encrypted data can recover parts of the contents.',
          fix: ENCRYPT.en,
        },
        ecb: {
          title: 'Insecure encryption mode (ECB)',
          message: '{what} encrypts each block of the data separately.',
          why: 'An attacker with a copy of the data sees which blocks are identical and can infer parts of the contents. Blocks can also be swapped unnoticed.',
          fix: ENCRYPT.en,
        },
        blocks: {
          title: 'Cipher with 64-bit blocks',
          message: '{what} uses blocks of only 64 bits.',
          why: 'If large amounts of data are encrypted with the same key, encrypted blocks repeat: an attacker who collects them can recover parts of the contents (Sweet32).',
          fix: ENCRYPT.en,
        },
        obsolete: {
          title: 'Obsolete cipher',
          message: '{what} is an obsolete cipher.',
          why: 'This cipher has been examined far less than AES, and without an integrity check an attacker who can change the encrypted data can alter its contents unnoticed.',
          fix: ENCRYPT.en,
        },
        vector: {
          title: 'Hard-coded initialization vector',
          message: 'The initialization vector is hard-coded and the same for every message.',
          why: 'An attacker can see which messages begin with the same data; with GCM or CTR, two messages encrypted with the same key and vector can reveal their contents and, with GCM, the authentication key.',
          fix: 'Generate a new vector for each message with crypto.randomBytes (12 bytes for GCM, 16 for AES in CBC or CTR mode), pass it to createCipheriv, and store it next to the ciphertext.',
        },
        truncated: {
          title: 'Token hashed with bcrypt, which truncates it',
          message:
            'A JWT is hashed with bcrypt, which uses the first 72 bytes only: the header and the first fields of the payload.',
          why: 'All tokens of a user or session have the same hash: one that was replaced or revoked still passes the comparison until it expires, so rotation gives an attacker with an old token no less.',
          fix: "Store crypto.createHash('sha256').update(token).digest('hex'), and compare it with crypto.timingSafeEqual. Or store a random jti of the token, and compare that.",
        },
        salt: SALT.en,
        'known-salt': {
          ...SALT.en,
          why: 'The data of the project contains hashes of passwords. An attacker who reads them compares each guess with all of them at once, and sees which users have the same password.',
        },
        rounds: {
          title: 'Too few PBKDF2 iterations',
          message: 'PBKDF2 is called with {what} iterations; OWASP recommends 600,000 with SHA-256 and 210,000 with SHA-512.',
          why: 'An attacker with a copy of the data can try very many passwords per second and guess the weaker ones.',
          fix: 'Replace {what} with at least 600000 (SHA-512: 210000), or use crypto.scrypt. Verify stored hashes with the old iteration count, and recompute them at the next login.',
        },
        key: {
          title: 'RSA key too short',
          message: 'An RSA key of {what} bits is generated.',
          why: 'An attacker with enough computing power can factor such a key, and then forge signatures or decrypt data; 2048 bits are the minimum today.',
          fix: "Replace {what} with 3072, or, for signatures, generate a key on an elliptic curve: generateKeyPairSync('ec', { namedCurve: 'P-256' }).",
        },
        signature: {
          title: 'Signature with a broken hash function',
          message: '{what} uses a broken hash function for a signature.',
          why: 'An attacker with enough computing power can create two documents with the same hash: the signature of one is valid for the other.',
          fix: "Replace '{what}' with 'RSA-SHA256', or sign with an elliptic curve and SHA-256.",
        },
      },
    },
    fr: {
      title: 'Fonction de hachage faible pour un secret',
      message: 'Un secret ("{name}") est haché avec {what}.',
      why: 'Un attaquant disposant d’une copie des données peut retrouver les secrets courts ou faciles à deviner : des cartes graphiques calculent des milliards de ces empreintes par seconde.',
      fix: 'Hachez le mot de passe avec crypto.scryptSync(password, salt, 64), où salt = crypto.randomBytes(16), et stockez le sel à côté de l’empreinte.',
      variants: {
        ...KEY_WORDS.fr,
        token: {
          fix: "Hachez une valeur longue et aléatoire, comme un jeton généré, avec crypto.createHash('sha256'). Hachez une valeur courte ou facile à deviner, comme un code PIN, avec crypto.scryptSync(valeur, salt, 64) et stockez salt = crypto.randomBytes(16) à côté de l’empreinte.",
        },
        signed: {
          why: 'Si l’empreinte des données et du secret sert de signature, un attaquant peut forger une signature valide : en ajoutant des données si le secret est placé en tête, ou en trouvant deux messages de même empreinte s’il est placé à la fin.',
          fix: "Signez avec un HMAC : crypto.createHmac('sha256', secret).update(data).digest('hex'), et comparez les signatures avec crypto.timingSafeEqual.",
        },
        derived: {
          title: 'Dérivation de clé non sécurisée avec createCipher',
          message:
            '{what} dérive du mot de passe la clé et le vecteur d’initialisation, avec une seule itération de MD5 et sans sel.',
          why: 'Un attaquant disposant d’une copie des données peut essayer des mots de passe à la vitesse de MD5, et des contenus identiques donnent le même texte chiffré.',
          fix: "Utilisez createCipheriv('aes-256-gcm', key, iv) avec key = scryptSync(password, salt, 32), salt = randomBytes(16) et iv = randomBytes(12), et stockez salt, iv et cipher.getAuthTag() à côté du texte chiffré. Rechiffrez les données stockées.",
        },
        cipher: {
          title: 'Algorithme de chiffrement cassé (DES)',
          message: 'Des données sont chiffrées ou déchiffrées avec {what}, dont les clés n’ont que 56 bits.',
          why: 'Un attaquant disposant d’une copie des données peut trouver la clé par force brute et tout déchiffrer.',
          fix: ENCRYPT.fr,
        },
        stream: {
          title: 'Algorithme de chiffrement cassé (RC4)',
          message: 'Des données sont chiffrées ou déchiffrées avec {what}, dont le flux de clé est biaisé.',
          why: 'Un attaquant disposant d’assez de données chiffrées peut retrouver une partie du contenu.',
          fix: ENCRYPT.fr,
        },
        ecb: {
          title: 'Mode de chiffrement non sécurisé (ECB)',
          message: '{what} chiffre séparément chaque bloc de données.',
          why: 'Un attaquant disposant d’une copie des données voit quels blocs sont identiques et peut en déduire une partie du contenu. Des blocs peuvent aussi être permutés sans que cela se remarque.',
          fix: ENCRYPT.fr,
        },
        blocks: {
          title: 'Algorithme de chiffrement à blocs de 64 bits',
          message: '{what} utilise des blocs de 64 bits seulement.',
          why: 'Si de grandes quantités de données sont chiffrées avec la même clé, des blocs chiffrés se répètent : un attaquant qui les recueille peut retrouver une partie du contenu (Sweet32).',
          fix: ENCRYPT.fr,
        },
        obsolete: {
          title: 'Algorithme de chiffrement obsolète',
          message: '{what} est un algorithme de chiffrement obsolète.',
          why: 'Cet algorithme a été bien moins étudié qu’AES, et sans contrôle d’intégrité, un attaquant qui peut modifier les données chiffrées peut en altérer le contenu sans que cela se remarque.',
          fix: ENCRYPT.fr,
        },
        vector: {
          title: 'Vecteur d’initialisation codé en dur',
          message: 'Le vecteur d’initialisation est codé en dur, identique pour tous les messages.',
          why: 'Un attaquant voit quels messages commencent par les mêmes données ; avec GCM ou CTR, deux messages chiffrés avec la même clé et le même vecteur peuvent révéler leur contenu et, avec GCM, la clé d’authentification.',
          fix: 'Générez un nouveau vecteur pour chaque message avec crypto.randomBytes (12 octets pour GCM, 16 pour AES en mode CBC ou CTR), passez-le à createCipheriv, et stockez-le à côté du texte chiffré.',
        },
        truncated: {
          title: 'Jeton haché avec bcrypt, qui le tronque',
          message:
            'Un JWT est haché avec bcrypt, qui n’utilise que les 72 premiers octets : l’en-tête et les premiers champs du contenu.',
          why: 'Tous les jetons d’un utilisateur ou d’une session ont la même empreinte : un jeton remplacé ou révoqué passe encore la comparaison jusqu’à son expiration, et la rotation ne gêne pas un attaquant qui en détient un ancien.',
          fix: "Stockez crypto.createHash('sha256').update(token).digest('hex') et comparez avec crypto.timingSafeEqual. Ou stockez un jti aléatoire du jeton et comparez celui-ci.",
        },
        salt: SALT.fr,
        'known-salt': {
          ...SALT.fr,
          why: 'Des empreintes de mots de passe figurent dans les données du projet : quiconque les lit compare chaque essai à toutes à la fois, et voit quels utilisateurs ont le même mot de passe.',
        },
        rounds: {
          title: 'Nombre d’itérations PBKDF2 trop faible',
          message:
            'PBKDF2 est appelé avec {what} itérations ; l’OWASP en recommande 600 000 avec SHA-256 et 210 000 avec SHA-512.',
          why: 'Un attaquant disposant d’une copie des données peut essayer de très nombreux mots de passe par seconde et deviner les plus faibles.',
          fix: 'Remplacez {what} par au moins 600000 (SHA-512 : 210000), ou utilisez crypto.scrypt. Vérifiez les empreintes stockées avec l’ancien nombre d’itérations, et recalculez-les à la prochaine connexion.',
        },
        key: {
          title: 'Clé RSA trop courte',
          message: 'Une clé RSA de {what} bits est générée.',
          why: 'Un attaquant doté d’une puissance de calcul suffisante peut factoriser une telle clé, puis forger des signatures ou déchiffrer des données ; 2048 bits sont aujourd’hui le minimum.',
          fix: "Remplacez {what} par 3072, ou, pour des signatures, générez une clé sur courbe elliptique : generateKeyPairSync('ec', { namedCurve: 'P-256' }).",
        },
        signature: {
          title: 'Signature avec une fonction de hachage cassée',
          message: '{what} utilise une fonction de hachage cassée pour une signature.',
          why: 'Un attaquant doté d’une puissance de calcul suffisante peut créer deux documents de même empreinte : la signature de l’un est valide pour l’autre.',
          fix: "Remplacez '{what}' par 'RSA-SHA256', ou signez avec une courbe elliptique et SHA-256.",
        },
      },
    },
  }),
})

const SLOW_HASHES = /\b(?:bcrypt|argon2|scrypt|pbkdf2)/i

/** Two broken ciphers, each for its own reason. */
function nameOf(variant: string, what: string): string {
  return variant === 'cipher' && /rc4/i.test(what) ? 'stream' : variant
}

/** A password can be guessed, a long random token cannot; a key of signatures belongs into an HMAC. */
function variantOf(name: string): { readonly variant?: string } {
  if (/sign(?:ing|ature)?_?(?:key|secret)/i.test(name)) return { variant: 'signed' }
  return /pass|pwd|kennwort/i.test(name) ? {} : { variant: 'token' }
}
