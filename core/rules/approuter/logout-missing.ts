import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A standalone approuter without a logout endpoint.
 *  Facts: @sap/approuter 23.0.0 README, "logout".
 *  Impact: nothing by itself, somebody must get at an open session first. */
export const logoutMissing: Rule = defineRule({
  id: 'approuter/logout-missing',
  impact: 'defence',
  reach: 'user',
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

  text: () => ({
    en: {
      title: 'Missing logout endpoint',
      message: 'Routes of this approuter require authentication, but "logoutEndpoint" is not configured.',
      why: 'Users cannot log out. On a shared computer, the next person can use the previous user’s session until it times out.',
      fix: 'Add "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } to xs-app.json, and have a logout button in the app fetch a token from this endpoint ("X-CSRF-Token: fetch"), send it there in a POST request and open the URL in the response.',
    },
    fr: {
      title: 'Point de terminaison de déconnexion absent',
      message: 'Des routes de cet approuter exigent une authentification, mais "logoutEndpoint" n’est pas configuré.',
      why: 'Les utilisateurs ne peuvent pas se déconnecter. Sur un poste partagé, la personne suivante peut utiliser la session de l’utilisateur précédent jusqu’à son expiration.',
      fix: 'Ajoutez "logout": { "logoutEndpoint": "/do/logout", "logoutMethod": "POST" } à xs-app.json. Prévoyez dans l’application un bouton de déconnexion qui demande un jeton à ce point de terminaison ("X-CSRF-Token: fetch"), l’y renvoie dans une requête POST et ouvre l’URL contenue dans la réponse.',
    },
  }),
})
