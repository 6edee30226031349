import { createDevelopmentReader, findWeakHashes, isDeveloperFile, runsInBrowser } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findWeakCiphers } from './_weak-ciphers.ts'

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
  on: ['script'],
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

  *check({ path, kind, text, content: { facts }, budget }) {
    if (kind.test || isDeveloperFile(path) || runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { call, algorithm, name } of findWeakHashes(facts, (count) => budget.step(count))) {
      // the first characters of a SHA-1 are how leaked passwords are looked up
      if (text.includes('pwnedpasswords') || isForDevelopers(call)) continue
      yield { at: { file: path, span: { start: call.start, end: call.end } }, args: { name, what: algorithm } }
    }
    for (const { start, end, variant, what } of findWeakCiphers(facts, (count) => budget.step(count)))
      yield { at: { file: path, span: { start, end } }, args: { name: '', what }, variant }
  },
})
