import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An approuter of one's own whose users can't end their session.
 *  Facts: @sap/approuter 23.0.0 README, "logout". */
export const logoutMissing: Rule = defineRule({
  id: 'approuter/logout-missing',
  severity: 'INFO',
  confidence: 'high',
  cwe: [613],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#logout-property',
  on: 'approuter',

  *check(approuter) {
    if (approuter.kind !== 'standalone' || !approuter.deployed || !approuter.routes.some(({ authenticates }) => authenticates))
      return
    if (stringOf(at(approuter.root, 'logout', 'logoutEndpoint')) === undefined) yield { at: { file: approuter.file } }
  },

  text: {
    en: {
      title: 'There is no logout',
      message: 'Routes ask for a login, and "logout.logoutEndpoint" is not set.',
      why: 'On a shared machine the next person works in the session of the last one until it times out.',
      fix: 'Add "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } and a button that calls it.',
    },
    fr: {
      title: 'Il n’y a pas de déconnexion',
      message: 'Des routes demandent une connexion, et « logout.logoutEndpoint » n’est pas défini.',
      why: 'Sur une machine partagée, la personne suivante travaille dans la session de la précédente jusqu’à son expiration.',
      fix: 'Ajoutez « "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } » et un bouton qui l’appelle.',
    },
  },
})
