import { accessesOf } from '../../facts/index.ts'
import { isCds } from '../../flow/frameworks/cap-receivers.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isPrivileged } from '../../model/cap/index.ts'

/**
 * A privileged user as default, that is for requests without an authenticated user.
 * Facts: capire, "Authentication" (default user); @sap/cds 9.9.3, lib/req/user.js: classes and instances are taken alike.
 * Impact: an unauthenticated caller acts as the privileged user, and reads and changes all data.
 */
export const defaultUserPrivileged: Rule = defineRule({
  id: 'cap/default-user-privileged',
  impact: 'takeover',
  reach: 'anyone',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#default-user',
  keywords: ['User.default', "User['default']", 'User["default"]', 'cds.User'],
  on: 'script',

  *check({ path, content: { facts } }) {
    if (isDeveloperFile(path)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const { target, value, start, end } of facts.assignments) {
      if (target.name !== 'default' || !isPrivileged(value)) continue
      const isDefault = accessesOf(target).some((access) => isCds(access) && access.steps.join(' ') === 'User default')
      if (!isDefault || isForDevelopers({ start, end })) continue
      yield { at: { file: path, span: { start, end } } }
    }
  },

  text: () => ({
    en: {
      title: 'Authentication bypass: privileged default user',
      message:
        'cds.User.default is set to a privileged user: requests without an authenticated user then pass every @requires and @restrict.',
      why: 'An unauthenticated attacker who reaches the application can read and change the data of all its services.',
      fix: 'Delete this assignment. Use the privileged user only for technical work outside requests, such as at startup: srv.tx({ user: cds.User.privileged }, tx => …).',
    },
    fr: {
      title: 'Contournement de l’authentification : utilisateur par défaut privilégié',
      message:
        'cds.User.default désigne un utilisateur privilégié : les requêtes sans utilisateur authentifié satisfont alors à tous les @requires et @restrict.',
      why: 'Un attaquant non authentifié qui peut accéder à l’application peut lire et modifier les données de tous ses services.',
      fix: 'Supprimez cette affectation. Réservez l’utilisateur privilégié aux traitements techniques hors requête, par exemple au démarrage : srv.tx({ user: cds.User.privileged }, tx => …).',
    },
  }),
})
