import { findGuessableSecrets, findWeakHashes, mayGuessSecrets } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const HASHES = ['md5', 'MD5', 'Md5', 'sha1', 'SHA1', 'Sha1', 'SHA-1', 'sha-1']

/** A secret that a page makes so that others can compute it, or a password that it hashes by a broken function.
 *  Facts: Web Cryptography API, getRandomValues; OWASP cheat sheet "Cryptographic Storage". */
export const weakRandomOrHash: Rule = defineRule({
  id: 'ui5/weak-random-or-hash',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [338, 328],
  since: '0.1.0',
  docs: 'https://developer.mozilla.org/docs/Web/API/Crypto/getRandomValues',
  keywords: ['Math.random', 'Date.now', 'getTime()', 'md5', 'sha1', 'SHA-1'],
  prefilter: (text) => HASHES.some((name) => text.includes(name)) || mayGuessSecrets(text),
  on: 'browser-script',

  *check({ path, content: { facts }, budget }): Generator<Match> {
    const step = (count?: number): void => budget.step(count)
    for (const { name, call, source } of findGuessableSecrets(facts, step))
      yield { at: { file: path, span: { start: call.start, end: call.end } }, args: { name, source } }
    for (const { call, algorithm, name } of findWeakHashes(facts, step))
      yield { at: { file: path, span: { start: call.start, end: call.end } }, args: { name, source: algorithm }, variant: 'hash' }
  },

  text: {
    en: {
      title: 'A page makes a secret that can be computed',
      message: '{name} is made of {source}.',
      why: 'A few values of Math.random give away all later ones, and the time is known to everybody: somebody else computes the secret.',
      fix: 'Draw it from crypto.getRandomValues(new Uint8Array(32)) or crypto.randomUUID().',
      variants: {
        hash: {
          title: 'A page hashes a password by a broken function',
          message: '{name} is hashed by {source}.',
          why: 'The hash is then the password: who sees it sends it again, and graphics cards try billions of them a second.',
          fix: 'Send the password over TLS to the server, which stores it by scrypt or argon2; leave the login to the identity provider.',
        },
      },
    },
    fr: {
      title: 'Une page fabrique un secret qui se calcule',
      message: '{name} est fait avec {source}.',
      why: 'Quelques valeurs de Math.random livrent toutes les suivantes, et l’heure est connue de tous : un tiers calcule le secret.',
      fix: 'Tirez-le de crypto.getRandomValues(new Uint8Array(32)) ou de crypto.randomUUID().',
      variants: {
        hash: {
          title: 'Une page hache un mot de passe par une fonction cassée',
          message: '{name} est haché par {source}.',
          why: 'Le hachage devient alors le mot de passe : qui le voit l’envoie à son tour, et des cartes graphiques en essaient des milliards par seconde.',
          fix: 'Envoyez le mot de passe par TLS au serveur, qui le stocke par scrypt ou argon2 ; laissez la connexion au fournisseur d’identité.',
        },
      },
    },
  },
})
