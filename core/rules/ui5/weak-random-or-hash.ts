import { findGuessableSecrets, findWeakHashes, mayGuessSecrets } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const HASHES = ['md5', 'MD5', 'Md5', 'sha1', 'SHA1', 'Sha1', 'SHA-1', 'sha-1']

/**
 * A secret that a page makes in a predictable way, or a password that it hashes with a broken function.
 * Facts: Web Cryptography API, getRandomValues; OWASP cheat sheet "Cryptographic Storage".
 * Impact: what a browser makes is a second factor of a defence at most.
 */
export const weakRandomOrHash: Rule = defineRule({
  id: 'ui5/weak-random-or-hash',
  impact: 'defence',
  confidence: 'medium',
  cwe: [338, 328],
  since: '0.1.0',
  docs: 'https://developer.mozilla.org/docs/Web/API/Crypto/randomUUID',
  docsByVariant: { hash: 'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html' },
  keywords: ['Math.random', 'Date.now', 'getTime()', 'md5', 'sha1', 'SHA-1'],
  words: HASHES,
  prefilter: (text, hits) => HASHES.some((name) => hits.has(name) && text.includes(name)) || mayGuessSecrets(text, hits),
  on: 'browser-script',

  *check({ path, content: { facts }, budget }): Generator<Match> {
    const step = (count?: number): void => budget.step(count)
    for (const { name, call, source, isSalt } of findGuessableSecrets(facts, step))
      yield {
        at: { file: path, span: { start: call.start, end: call.end } },
        args: { name, source },
        ...(source === 'Date.now()' && { variant: 'time' }),
        // it only weakens hashes that somebody else has got hold of
        ...(isSalt && { impact: 'defence', evidence: 'shown' }),
      }
    for (const { call, algorithm, name, isFast } of findWeakHashes(facts, step))
      if (!isFast)
        yield {
          at: { file: path, span: { start: call.start, end: call.end } },
          args: { name, source: algorithm },
          variant: 'hash',
        }
  },

  text: () => ({
    en: {
      title: 'Predictable secret generated in the browser',
      message: '"{name}" is generated with {source}, which is predictable.',
      why: 'An attacker who sees a few values of Math.random() can compute the following ones, and thus secrets generated from them.',
      fix: 'Replace {source}: generate "{name}" with crypto.randomUUID().',
      variants: {
        time: {
          why: 'An attacker who knows roughly when the secret was generated can guess it by trying the milliseconds of that time.',
        },
        hash: {
          title: 'Password hashed with a weak function in the browser',
          message: '"{name}" is hashed with {source} in the browser.',
          why: 'If the server accepts this hash in place of the password, an attacker who obtains it can log in with it; they can also recover the password from it by trying billions of candidates per second.',
          fix: 'Let the approuter authenticate users (XSUAA or Identity Authentication); otherwise send the password over TLS and hash it on the server with scrypt or Argon2.',
        },
      },
    },
    fr: {
      title: 'Secret prévisible généré dans le navigateur',
      message: '"{name}" est généré avec {source}, qui est prévisible.',
      why: 'Un attaquant qui voit quelques valeurs de Math.random() peut calculer les suivantes, et donc les secrets qui en sont tirés.',
      fix: 'Remplacez {source} : générez "{name}" avec crypto.randomUUID().',
      variants: {
        time: {
          why: 'Un attaquant qui sait à peu près quand le secret a été généré peut le deviner en essayant toutes les millisecondes de cette période.',
        },
        hash: {
          title: 'Mot de passe haché avec une fonction faible dans le navigateur',
          message: '"{name}" est haché avec {source} dans le navigateur.',
          why: 'Si le serveur accepte cette empreinte à la place du mot de passe, un attaquant qui l’obtient peut s’en servir pour se connecter ; il peut aussi retrouver le mot de passe en essayant des milliards de candidats par seconde.',
          fix: 'Laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication) ; sinon, envoyez le mot de passe par TLS et hachez-le sur le serveur avec scrypt ou Argon2.',
        },
      },
    },
  }),
})
