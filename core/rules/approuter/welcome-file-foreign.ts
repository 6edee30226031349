import { placeOf } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A welcome page on another host.
 *  Facts: @sap/approuter 23.0.0 README, "welcomeFile": requests of / are redirected to it; lib/middleware/welcome-page-middleware.js: a value without a
 *  slash at its start gets one, so that "https://host" stays a path of the own host.
 *  Impact: nothing by itself, the other host must fall into the hands of an attacker. */
export const welcomeFileForeign: Rule = defineRule({
  id: 'approuter/welcome-file-foreign',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#welcomefile-property',
  on: 'approuter',

  *check(approuter) {
    const node = at(approuter.root, 'welcomeFile')
    const page = stringOf(node)
    if (node !== undefined && page !== undefined && /^\/\/[^$~{/]/.test(page))
      yield { at: placeOf(approuter.file, node), args: { page } }
  },

  text: () => ({
    en: {
      title: 'Welcome page on another host',
      message: '"welcomeFile" is "{page}": users who open the app are redirected to another host.',
      why: 'An attacker who takes over this host, for example after its domain registration expired, can show users a fake login page.',
      fix: 'Set "welcomeFile" in xs-app.json to a page that one of its routes serves, such as "/index.html".',
    },
    fr: {
      title: 'Page d’accueil sur un autre hôte',
      message: '"welcomeFile" vaut "{page}" : les utilisateurs qui ouvrent l’application sont redirigés vers un autre hôte.',
      why: 'Un attaquant qui prend le contrôle de cet hôte, par exemple après l’expiration de son nom de domaine, peut afficher une fausse page de connexion.',
      fix: 'Indiquez dans "welcomeFile" de xs-app.json une page servie par l’une des routes de l’approuter, par exemple "/index.html".',
    },
  }),
})
