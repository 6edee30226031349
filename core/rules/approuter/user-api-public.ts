import { judgeOrigin, readOrigins, type Approuter, type Route } from '../../model/approuter/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The user API of the approuter, which returns name and attributes of the current user, on a public route or readable by other sites.
 *  Facts: @sap/approuter 23.0.0 README, "User API service".
 *  Impact: without authentication the API returns data of the own session only; with a wide CORS list any site reads name and attributes of a visitor who
 *  is logged in. */
export const userApiPublic: Rule = defineRule({
  id: 'approuter/user-api-public',
  impact: 'hygiene',
  grades: { cors: { impact: 'bounded', reach: 'anyone' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#user-api-service',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      if (route.target.kind !== 'user-api') continue
      const { source, authenticates } = route
      const groupKey = source
      if (!authenticates) yield { at: route.authenticationPlace, args: { source, host: '' }, groupKey }
      else {
        const host = wideOrigin(approuter, route)
        if (host !== undefined) yield { at: route.sourcePlace, args: { source, host }, variant: 'cors', groupKey }
      }
    }
  },

  text: () => ({
    en: {
      title: 'User API route without authentication',
      message: 'Route "{source}" serves the user API with "authenticationType": "none".',
      why: 'The route returns the user’s name, email address and attributes for any valid session cookie, without the scope check and login of an authenticated route.',
      fix: 'Set "authenticationType": "xsuaa" (or "ias") on the route in xs-app.json.',
      variants: {
        cors: {
          title: 'User API readable by other sites (CORS)',
          message:
            'Route "{source}" serves the user API, and a CORS entry with a matching "uriPattern" allows the origin "{host}".',
          why: 'If the browser attaches the session cookie, a malicious page on an origin that this entry allows can read the name, email address and attributes of every logged-in user who opens it.',
          fix: 'Replace the entry for "{host}" in "allowedOrigin" ("cors" in xs-app.json) with entries for the origins that need access, or exclude the user API from "uriPattern".',
        },
      },
    },
    fr: {
      title: 'Route de l’API utilisateur sans authentification',
      message: 'La route "{source}" sert l’API utilisateur avec "authenticationType": "none".',
      why: 'La route renvoie le nom, l’adresse électronique et les attributs de l’utilisateur pour tout cookie de session valide, sans la connexion ni le contrôle des scopes qu’exige une route avec authentification.',
      fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur la route dans xs-app.json.',
      variants: {
        cors: {
          title: 'API utilisateur lisible par d’autres sites (CORS)',
          message:
            'La route "{source}" sert l’API utilisateur, et une entrée CORS dont "uriPattern" correspond à cette route autorise l’origine "{host}".',
          why: 'Si le navigateur joint le cookie de session, une page malveillante d’une origine que cette entrée autorise peut lire le nom, l’adresse électronique et les attributs de tout utilisateur connecté qui ouvre cette page.',
          fix: 'Remplacez l’entrée "{host}" de "allowedOrigin" ("cors" dans xs-app.json) par des entrées pour les origines qui ont besoin d’un accès, ou excluez l’API utilisateur du motif "uriPattern".',
        },
      },
    },
  }),
})

/** An untrusted origin that may read a URL of the route. */
function wideOrigin({ root, languages }: Approuter, { source, matchCase }: Route): string | undefined {
  const own = languages.read(source, matchCase)
  for (const entry of itemsOf(at(root, 'cors'))) {
    const pattern = stringOf(at(entry, 'uriPattern')) ?? stringOf(at(entry, 'uriPattern', 'path'))
    const open = pattern === undefined ? undefined : languages.read(pattern, true)
    if (own === undefined || open === undefined || languages.findCommonUrl(own, open, []) === undefined) continue
    const found = readOrigins(at(entry, 'allowedOrigin')).find(({ host }) => judgeOrigin(host) !== 'own')
    if (found !== undefined) return found.host
  }
  return undefined
}
