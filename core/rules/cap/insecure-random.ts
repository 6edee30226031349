import type { ScriptFacts } from '../../facts/index.ts'
import { findGuessableSecrets, mayGuessSecrets } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isSignedNonce } from './_secrets/signed-nonces.ts'

/** What activates a new account, or proves that its address is the one of who registers. */
const ACTIVATES =
  /^(?:(?:user|account|registration)_?)?(?:activation|(?:e?_?mail|account|registration)_?(?:verification|confirm(?:ation)?))_?(?:token|code|key|hash|link|id|secret)?$/i

/**
 * A secret of a server made of predictable values. The name of what is made decides: ids of elements, jitter and test data need no secrecy.
 * Facts: ECMAScript, Math.random ("implementation-approximated"); Node.js 24, "Crypto" (randomBytes, randomInt, randomUUID).
 * Impact: who predicts the secret passes for whom it was made for; what it opens is not shown, and that it opens more than the new account that it activates is a guess.
 */
export const insecureRandom: Rule = defineRule({
  id: 'cap/insecure-random',
  impact: 'takeover',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [338],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/crypto.html#cryptorandombytessize-callback',
  keywords: ['Math.random', 'Date.now', 'getTime()'],
  // modules of UI5 run in pages
  prefilter: (text, hits) => !text.includes('sap.ui.define(') && mayGuessSecrets(text, hits),
  on: 'server-script',

  *check({ path, content: { facts }, budget }) {
    let granting: ReadonlySet<string> | undefined
    const givesRole = (name: string): boolean => (granting ??= namesBesideRoles(facts, (count) => budget.step(count))).has(name)
    const step = (count?: number): void => budget.step(count)
    for (const { name, call, source, isSalt } of findGuessableSecrets(facts, step)) {
      if (isSignedNonce(name, call, facts, step)) continue
      yield {
        at: { file: path, span: { start: call.start, end: call.end } },
        args: { name, source },
        ...(source === 'Date.now()' && { variant: 'time' }),
        // it only weakens hashes that somebody else has got hold of
        // an account that its own maker activates is none of others, unless it comes with a role
        ...(ACTIVATES.test(name) && !givesRole(name) && { evidence: 'guessed' }),
        ...(isSalt && { impact: 'defence', evidence: 'shown' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Predictable secret: non-cryptographic random number generator',
      message: 'A secret ("{name}") is generated with {source}.',
      why: 'An attacker can reconstruct the internal state of Math.random() from observed values, and so predict other users’ secrets.',
      fix: "Add const crypto = require('node:crypto') (in an ES module, import it) and use crypto.randomBytes(32).toString('hex') for tokens, crypto.randomInt(100000, 1000000) for codes, crypto.randomUUID() for IDs.",
      variants: {
        time: {
          title: 'Predictable secret: derived from the time',
          why: 'An attacker who knows roughly when a secret was generated can find it by trying the milliseconds of that period.',
        },
      },
    },
    fr: {
      title: 'Secret prévisible : générateur aléatoire non cryptographique',
      message: 'Un secret ("{name}") est généré avec {source}.',
      why: 'Un attaquant peut reconstituer l’état interne de Math.random() à partir de valeurs observées, et prédire ainsi les secrets d’autres utilisateurs.',
      fix: "Ajoutez const crypto = require('node:crypto') (dans un module ES, importez-le) et utilisez crypto.randomBytes(32).toString('hex') pour les jetons, crypto.randomInt(100000, 1000000) pour les codes, crypto.randomUUID() pour les identifiants.",
      variants: {
        time: {
          title: 'Secret prévisible : dérivé de l’heure',
          why: 'Un attaquant qui sait à peu près quand un secret a été généré peut le trouver en essayant les millisecondes de cette période.',
        },
      },
    },
  }),
})

const ROLE = /^(?:(?:user|account|member)_?)?(?:roles?|scopes?|permissions?|privileges?|groups?)$|^is_?admin(?:istrator)?$/i

/** Names of members of objects that name a role, too: `{ role: 'admin', activationToken }`. */
function namesBesideRoles({ values }: ScriptFacts, step: (count?: number) => void): ReadonlySet<string> {
  const names = new Set<string>()
  step(values.length)
  for (const { value } of values) {
    if (value.kind !== 'object' || !value.fields.some(({ key }) => key !== undefined && ROLE.test(key))) continue
    step(value.fields.length)
    for (const { key, value: given } of value.fields) {
      if (key !== undefined) names.add(key)
      if (given.kind === 'reference') names.add(given.name)
    }
  }
  return names
}
