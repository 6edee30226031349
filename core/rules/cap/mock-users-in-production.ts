import { packageOf, authStrategyOf, keyIn } from '../../model/cap/index.ts'
import { booleanOf, membersOf } from '../../parse/data.ts'
import { joinPath } from '../../paths.ts'
import type { Place } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { areUsersTold, authPathOf } from './_callers/development-auth.ts'
import { userReads } from './_model/open-services.ts'

/**
 * Users of the configuration file that can log in in production.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth (only `mocked` and `basic` read `users`); lib/env/cds-requires.js: `mocked` has users
 * of its own, whatever the project adds.
 * Impact: anybody who finds out one of the users logs in: everyone with the sources knows them, and they are guessable without. A user without a
 * password logs in with any. Nothing is missing where the project gives the server an address. Outside of what is deployed they may be meant for one’s own machine. Where no service asks for a role and no code for the user, the login opens nothing but what callers without one get, too.
 */
export const mockUsersInProduction: Rule = defineRule({
  id: 'cap/mock-users-in-production',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#mocked',
  on: 'cap-root',
  extracts: [userReads],

  *check(root, { npm, reach }) {
    if (root.test) return
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const { kind, setting, custom } = authStrategyOf(configuration)
      const users = configuration.value('requires', 'auth', 'users')
      const [first] = membersOf(users?.node)
      if (custom || (kind !== 'mocked' && kind !== 'mock' && kind !== 'basic') || users === undefined || first === undefined)
        continue
      // what opens every service, or is not deployed so far, is told with the strategy
      if (!areUsersTold(root, kind)) continue
      const names = configuration.keys('requires', 'auth', 'users')
      // the first name; users in the value of a variable have no place of their own
      const at: Place = users.variable === undefined ? { file: users.place.file, span: first.keySpan } : users.place
      const key = `${at.file} ${at.span?.start}`
      if (seen.has(key)) continue
      seen.add(key)
      const args = {
        key: keyIn(users, ...authPathOf(configuration, users.place), 'users'),
        file: at.file,
        files: listNames([...new Set([at.file, setting?.place.file ?? at.file])]),
        kind,
        add: (packageOf(root, npm)?.manager ?? npm.manager).add,
        users: listNames(names.filter((name) => name !== '*')),
      }
      const everybody = configuration.value('requires', 'auth', 'users', '*')
      const isClosed = everybody !== undefined && booleanOf(everybody.node) === false
      const variant = isClosed ? undefined : names.includes('*') ? 'anyone' : kind === 'basic' ? undefined : 'preset'
      yield {
        at,
        args,
        ...(variant !== undefined && { variant }),
        ...(reach.ofServer(joinPath(root.root, 'srv/server.js')).isPublished && { evidence: 'shown' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Mock users enabled in production',
      message:
        '{key} in {file} applies to production with the authentication kind "{kind}", so these mock users can log in: {users:and}.',
      why: 'An attacker who reads the file or guesses the credentials can log in as one of these users and obtain their roles.',
      fix: 'Move "kind": "{kind}" and "users" under "[development]" in {files:and}, and in any other file that sets this kind: production then uses jwt. Bind an XSUAA instance and run "{add} @sap/xssec".',
      variants: {
        anyone: {
          message:
            '{key} in {file} applies to production with the authentication kind "{kind}": the entry "*" lets an attacker log in with any user name.',
        },
        preset: {
          message:
            '{key} in {file} applies to production with the authentication kind "{kind}", whose predefined users include "*": an attacker can log in with any user name.',
        },
      },
    },
    fr: {
      title: 'Utilisateurs fictifs actifs en production',
      message:
        '{key} dans {file} s’applique à la production avec l’authentification "{kind}", qui permet de se connecter avec ces utilisateurs fictifs : {users:et}.',
      why: 'Un attaquant qui lit le fichier ou devine les identifiants peut se connecter comme l’un de ces utilisateurs et obtenir ses rôles.',
      fix: 'Déplacez "kind": "{kind}" et "users" sous "[development]" dans {files:et} ; faites de même dans tout autre fichier qui définit ce "kind" : la production utilise alors jwt. Liez une instance XSUAA et exécutez "{add} @sap/xssec".',
      variants: {
        anyone: {
          message:
            '{key} dans {file} s’applique à la production avec l’authentification "{kind}" : l’entrée "*" permet à un attaquant de se connecter sous n’importe quel nom d’utilisateur.',
        },
        preset: {
          message:
            '{key} dans {file} s’applique à la production avec l’authentification "{kind}", dont les utilisateurs prédéfinis comprennent "*" : un attaquant peut se connecter sous n’importe quel nom d’utilisateur.',
        },
      },
    },
  }),
})
