import { authStrategyOf, keyIn } from '../../model/cap/index.ts'
import { membersOf } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'

/** Users that stand in the configuration and may log in in production.
 *  Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth (only `mocked` and `basic` read `users`). */
export const mockUsersInProduction: Rule = defineRule({
  id: 'cap/mock-users-in-production',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root) {
    // what nothing deploys is a demo: cap/auth-kind-non-production says so
    if (!root.deployed) return
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const { kind, custom } = authStrategyOf(configuration)
      const users = configuration.value('requires', 'auth', 'users')
      const [first] = membersOf(users?.node)
      if (custom || (kind !== 'mocked' && kind !== 'mock' && kind !== 'basic') || users === undefined || first === undefined)
        continue
      const names = configuration.keys('requires', 'auth', 'users')
      // a name alone; what a variable holds has no place of its own
      const at: Place = users.variable === undefined ? { file: users.place.file, span: first.keySpan } : users.place
      const key = `${at.file} ${at.span?.start}`
      if (seen.has(key)) continue
      seen.add(key)
      const args = {
        key: keyIn(users, 'requires', 'auth', 'users'),
        file: at.file,
        kind,
        users: listNames(names.filter((name) => name !== '*')),
      }
      const isOpen = names.includes('*')
      yield { at, args, ...(isOpen && { variant: 'anyone' }) }
    }
  },

  text: {
    en: {
      title: 'Users of a file may log in in production',
      message: '{key} in {file} holds in production and is read by the authentication kind {kind}: {users} may log in.',
      why: 'Whoever reads this file, or guesses a name, logs in as one of these users, with the roles that stand there.',
      fix: 'Move the users into "[development]", together with the kind {kind}.',
      variants: {
        anyone: {
          message:
            '{key} in {file} holds in production and is read by the authentication kind {kind}: "*" lets every name in, besides {users}.',
        },
      },
    },
    fr: {
      title: 'Des utilisateurs d’un fichier peuvent se connecter en production',
      message:
        '{key} dans {file} vaut en production et est lu par le type d’authentification {kind} : {users} peuvent se connecter.',
      why: 'Quiconque lit ce fichier, ou devine un nom, se connecte comme l’un de ces utilisateurs, avec les rôles indiqués.',
      fix: 'Déplacez les utilisateurs dans « [development] », avec le type {kind}.',
      variants: {
        anyone: {
          message:
            '{key} dans {file} vaut en production et est lu par le type d’authentification {kind} : « * » laisse entrer tout nom, outre {users}.',
        },
      },
    },
  },
})
