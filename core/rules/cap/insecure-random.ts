import { findGuessableSecrets, mayGuessSecrets } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A secret of a server that others can compute. The name of what is made decides: ids of elements, jitter and test data need no secrecy.
 *  Facts: ECMAScript, Math.random ("implementation-approximated"); Node.js 24, "Crypto" (randomBytes, randomInt, randomUUID). */
export const insecureRandom: Rule = defineRule({
  id: 'cap/insecure-random',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [338],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/crypto.html#cryptorandombytessize-callback',
  keywords: ['Math.random', 'Date.now', 'getTime()'],
  // modules of UI5 run in pages
  prefilter: (text) => !text.includes('sap.ui.define(') && mayGuessSecrets(text),
  on: 'server-script',

  *check({ path, content: { facts }, budget }) {
    for (const { name, call, source } of findGuessableSecrets(facts, (count) => budget.step(count)))
      yield { at: { file: path, span: { start: call.start, end: call.end } }, args: { name, source } }
  },

  text: {
    en: {
      title: 'A secret can be computed',
      message: '{name} is made of {source}.',
      why: 'A few values of Math.random give away all later ones, and the time is known to everybody: somebody else computes the secret of another user.',
      fix: "Draw it from a cryptographic source: crypto.randomBytes(32).toString('hex'), crypto.randomInt(100000, 1000000), crypto.randomUUID().",
    },
    fr: {
      title: 'Un secret se calcule',
      message: '{name} est fait avec {source}.',
      why: 'Quelques valeurs de Math.random livrent toutes les suivantes, et l’heure est connue de tous : un tiers calcule le secret d’un autre utilisateur.',
      fix: "Tirez-le d’une source cryptographique : crypto.randomBytes(32).toString('hex'), crypto.randomInt(100000, 1000000), crypto.randomUUID().",
    },
  },
})
