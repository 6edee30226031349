import { accessesOf } from '../../facts/index.ts'
import { isCds } from '../../flow/cap-receivers.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isPrivileged } from './_privileged-users.ts'

/** The user of requests that nobody authenticated, made one who may do everything.
 *  Facts: capire, "Authentication" (default user); @sap/cds 9.9.3, lib/req/user.js: classes and instances are taken alike. */
export const defaultUserPrivileged: Rule = defineRule({
  id: 'cap/default-user-privileged',
  severity: 'CRITICAL',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  keywords: ['User.default', "User['default']", 'User["default"]'],
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

  text: {
    en: {
      title: 'Everybody without a login may do everything',
      message:
        'cds.User.default is a privileged user: each request without a user of its own runs as one that passes every @requires and @restrict.',
      why: 'Whoever reaches a service that does not ask for a login reads and changes everything behind it, of every service.',
      fix: 'Remove the assignment; hand the privileged user to the code that needs it: srv.tx({ user: cds.User.privileged }, …).',
    },
    fr: {
      title: 'Quiconque n’est pas connecté peut tout faire',
      message:
        'cds.User.default est un utilisateur privilégié : chaque requête sans utilisateur propre s’exécute comme un utilisateur qui passe tous les @requires et @restrict.',
      why: 'Quiconque atteint un service qui n’exige pas de connexion lit et modifie tout ce qui est derrière, dans tous les services.',
      fix: 'Supprimez cette affectation ; donnez l’utilisateur privilégié au seul code qui en a besoin : srv.tx({ user: cds.User.privileged }, …).',
    },
  },
})
