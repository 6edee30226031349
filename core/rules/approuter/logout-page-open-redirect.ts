import { placeOf } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A logout page on another host, or without TLS.
 *  Facts: @sap/approuter 23.0.0 README, "logout": an absolute address has to be among the redirect addresses of the authentication service.
 *  Impact: nothing by itself, an attacker must be on the network path; another host over TLS is a choice to be confirmed. */
export const logoutPageOpenRedirect: Rule = defineRule({
  id: 'approuter/logout-page-open-redirect',
  impact: 'defence',
  reach: 'user',
  grades: { foreign: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#logout-property',
  on: 'approuter',

  *check(approuter) {
    const node = at(approuter.root, 'logout', 'logoutPage')
    const page = stringOf(node)?.trim()
    if (node === undefined || page === undefined) return
    const place = placeOf(approuter.file, node)
    if (/^http:\/\/(?!localhost|127\.)/i.test(page)) yield { at: place, args: { page } }
    else if (/^(?:https:)?\/\/[^$~{]/i.test(page)) yield { at: place, args: { page }, variant: 'foreign' }
  },

  text: () => ({
    en: {
      title: 'Logout redirects to a page without TLS',
      message: '"logoutPage" is "{page}": after logout, users are redirected to a page without TLS.',
      why: 'An attacker on the network path can replace the page with a fake login page, just when users expect one.',
      fix: 'Set "logoutPage" to a page that the approuter serves, such as "/logout.html", through a route with "authenticationType": "none".',
      variants: {
        foreign: {
          title: 'Logout redirects to another host',
          message:
            '"logoutPage" is "{page}": after logout, users are redirected to another host, which "redirect-uris" in xs-security.json has to allow.',
          why: 'An attacker who takes over this host, for example after its domain registration expired, can show users a fake login page.',
        },
      },
    },
    fr: {
      title: 'Redirection vers une page sans TLS après la déconnexion',
      message: '"logoutPage" vaut "{page}" : après la déconnexion, les utilisateurs sont redirigés vers une page sans TLS.',
      why: 'Un attaquant placé sur le réseau peut remplacer la page par une fausse page de connexion, au moment où les utilisateurs en attendent une.',
      fix: 'Indiquez dans "logoutPage" une page de l’approuter, par exemple "/logout.html", servie par une route avec "authenticationType": "none".',
      variants: {
        foreign: {
          title: 'Redirection vers un autre hôte après la déconnexion',
          message:
            '"logoutPage" vaut "{page}" : après la déconnexion, les utilisateurs sont redirigés vers un autre hôte, que "redirect-uris" dans xs-security.json doit autoriser.',
          why: 'Un attaquant qui prend le contrôle de cet hôte, par exemple après l’expiration de son nom de domaine, peut afficher une fausse page de connexion.',
        },
      },
    },
  }),
})
