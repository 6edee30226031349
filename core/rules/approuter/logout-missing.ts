import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A standalone approuter without a logout endpoint.
 *  Facts: @sap/approuter 23.0.0 README, "logout".
 *  Severity: a missing logout is missing defence in depth, LOW. */
export const logoutMissing: Rule = defineRule({
  id: 'approuter/logout-missing',
  severity: 'LOW',
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
      title: 'Missing logout endpoint',
      message: 'Routes of this approuter require authentication, but "logoutEndpoint" is not configured.',
      why: 'Users cannot end their session. On a shared computer, the next person can use the previous user’s session until it times out.',
      fix: 'Add "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } to xs-app.json, and call this endpoint from a logout button in the app.',
    },
    fr: {
      title: 'Point de terminaison de déconnexion absent',
      message: 'Des routes de cet approuter exigent une authentification, mais "logoutEndpoint" n’est pas configuré.',
      why: 'Les utilisateurs ne peuvent pas fermer leur session. Sur un poste partagé, la personne suivante peut utiliser la session de l’utilisateur précédent jusqu’à son expiration.',
      fix: 'Ajoutez "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } à xs-app.json, et appelez ce point de terminaison depuis un bouton de déconnexion de l’application.',
    },
  },
})
