import { placeOf } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A page of another host, or without TLS, to which users are sent after the logout.
 *  Facts: @sap/approuter 23.0.0 README, "logout": an absolute address has to be among the redirect addresses of the authentication service. */
export const logoutPageOpenRedirect: Rule = defineRule({
  id: 'approuter/logout-page-open-redirect',
  severity: 'LOW',
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
    else if (/^(?:https:)?\/\/[^$~{]/i.test(page)) yield { at: place, args: { page }, severity: 'INFO', variant: 'foreign' }
  },

  text: {
    en: {
      title: 'After the logout users are sent over http',
      message: '"logoutPage" is {page}.',
      why: 'Whoever stands in between shows the user a login page of his own, at the moment when it looks expected.',
      fix: 'Write the address with https://, or name a page of the approuter.',
      variants: {
        foreign: {
          title: 'After the logout users are sent to another host',
          message: '"logoutPage" is {page}: another host, which the redirect addresses in xs-security.json have to name.',
          why: 'If that host is given up one day, its next owner greets the users.',
          fix: 'Name a page of the approuter, or keep the redirect address as exact as this one.',
        },
      },
    },
    fr: {
      title: 'Après la déconnexion, les utilisateurs sont envoyés en http',
      message: '« logoutPage » vaut {page}.',
      why: 'Qui se place entre les deux montre à l’utilisateur sa propre page de connexion, au moment où elle semble attendue.',
      fix: 'Écrivez l’adresse avec https://, ou indiquez une page de l’approuter.',
      variants: {
        foreign: {
          title: 'Après la déconnexion, les utilisateurs sont envoyés vers un autre hôte',
          message:
            '« logoutPage » vaut {page} : un autre hôte, que les adresses de redirection de xs-security.json doivent indiquer.',
          why: 'Si cet hôte est abandonné un jour, son propriétaire suivant accueillera les utilisateurs.',
          fix: 'Indiquez une page de l’approuter, ou gardez l’adresse de redirection aussi exacte que celle-ci.',
        },
      },
    },
  },
})
