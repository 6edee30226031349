import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A logout that a page of somebody else can trigger.
 *  Facts: @sap/approuter 23.0.0 README, "logout": logoutMethod is GET by default for compatibility; POST with a CSRF token is recommended. */
export const logoutGet: Rule = defineRule({
  id: 'approuter/logout-get',
  severity: 'LOW',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#logout-property',
  on: 'approuter',

  *check(approuter) {
    const { kind, deployed, root, file } = approuter
    const node = at(root, 'logout', 'logoutEndpoint')
    const endpoint = stringOf(node)
    // the managed approuter asks for POST by itself
    if (kind !== 'standalone' || !deployed || node === undefined || endpoint === undefined) return
    const protection = at(root, 'logout', 'csrfProtection')
    if (stringOf(at(root, 'logout', 'logoutMethod')) !== 'POST') yield { at: placeOf(file, node), args: { endpoint } }
    else if (protection !== undefined && booleanOf(protection) === false)
      yield { at: placeOf(file, protection), args: { endpoint }, severity: 'MEDIUM', variant: 'csrf' }
  },

  text: {
    en: {
      title: 'Any page can log the user out',
      message: '{endpoint} logs out by GET: "logoutMethod" is not "POST".',
      why: 'An image or link on a page of somebody else ends the session of the user, and what he has not saved is gone.',
      fix: 'Write "logoutMethod": "POST" and send the CSRF token with it.',
      variants: {
        csrf: {
          message: '{endpoint} logs out by POST, but "csrfProtection" is false.',
          fix: 'Remove "csrfProtection": false.',
        },
      },
    },
    fr: {
      title: 'N’importe quelle page peut déconnecter l’utilisateur',
      message: '{endpoint} déconnecte par GET : « logoutMethod » ne vaut pas « POST ».',
      why: 'Une image ou un lien sur la page d’un tiers termine la session de l’utilisateur, et ce qu’il n’a pas enregistré est perdu.',
      fix: 'Écrivez « "logoutMethod": "POST" » et envoyez le jeton CSRF.',
      variants: {
        csrf: {
          message: '{endpoint} déconnecte par POST, mais « csrfProtection » vaut false.',
          fix: 'Supprimez « "csrfProtection": false ».',
        },
      },
    },
  },
})
