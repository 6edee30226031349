import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A logout that a page of another site can trigger (logout CSRF).
 *  Facts: @sap/approuter 23.0.0 README, "logout": logoutMethod is GET by default for compatibility; POST with a CSRF token is recommended.
 *  Impact: none, a session ends: the method is a default that somebody should have changed. A check that is switched off is a missing defence. */
export const logoutGet: Rule = defineRule({
  id: 'approuter/logout-get',
  impact: 'hygiene',
  grades: { csrf: { impact: 'defence', reach: 'anyone' } },
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#logout-property',
  on: 'approuter',

  *check(approuter) {
    const { kind, deployed, root, file } = approuter
    const node = at(root, 'logout', 'logoutEndpoint')
    const endpoint = stringOf(node)
    // the managed approuter requires POST by default
    if (kind !== 'standalone' || !deployed || node === undefined || endpoint === undefined) return
    const protection = at(root, 'logout', 'csrfProtection')
    if (stringOf(at(root, 'logout', 'logoutMethod')) !== 'POST') yield { at: placeOf(file, node), args: { endpoint } }
    else if (protection !== undefined && booleanOf(protection) === false)
      yield { at: placeOf(file, protection), args: { endpoint }, variant: 'csrf' }
  },

  text: () => ({
    en: {
      title: 'Logout CSRF: logout with GET',
      message: 'The logout endpoint {endpoint} accepts GET: "logoutMethod" is not "POST".',
      why: 'A link or a redirect on a malicious page can end the session of a logged-in user, who loses unsaved changes.',
      fix: 'Add "logoutMethod": "POST" to "logout" in xs-app.json, and have the app fetch a token from {endpoint} ("X-CSRF-Token: fetch"), send it there in a POST request and open the URL in the response.',
      variants: {
        csrf: {
          title: 'Logout CSRF: CSRF protection disabled',
          message: 'The logout endpoint {endpoint} accepts POST without a CSRF token: "csrfProtection" is false.',
          why: 'A form on a malicious page can end the session of a logged-in user, who loses unsaved changes.',
          fix: 'Remove "csrfProtection": false from "logout" in xs-app.json, and have the app fetch a token from {endpoint} ("X-CSRF-Token: fetch") and send it there in its POST request.',
        },
      },
    },
    fr: {
      title: 'CSRF de déconnexion : déconnexion par GET',
      message: 'Le point de terminaison de déconnexion {endpoint} accepte GET : "logoutMethod" ne vaut pas "POST".',
      why: 'Un lien ou une redirection sur une page malveillante peut mettre fin à la session d’un utilisateur connecté, qui perd ses modifications non enregistrées.',
      fix: 'Ajoutez "logoutMethod": "POST" à "logout" dans xs-app.json, et faites en sorte que l’application demande un jeton à {endpoint} ("X-CSRF-Token: fetch"), l’y renvoie dans une requête POST et ouvre l’URL contenue dans la réponse.',
      variants: {
        csrf: {
          title: 'CSRF de déconnexion : protection CSRF désactivée',
          message:
            'Le point de terminaison de déconnexion {endpoint} accepte POST sans jeton CSRF : "csrfProtection" vaut false.',
          why: 'Un formulaire sur une page malveillante peut mettre fin à la session d’un utilisateur connecté, qui perd ses modifications non enregistrées.',
          fix: 'Supprimez "csrfProtection": false de "logout" dans xs-app.json, et faites en sorte que l’application demande un jeton à {endpoint} ("X-CSRF-Token: fetch") et l’y renvoie dans sa requête POST.',
        },
      },
    },
  }),
})
