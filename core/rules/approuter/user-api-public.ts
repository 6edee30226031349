import { judgeOrigin, readOrigins, type Approuter, type Route } from '../../model/approuter/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The service that tells who is logged in, readable by pages of other sites or served without a check.
 *  Facts: @sap/approuter 23.0.0 README, "User API service". */
export const userApiPublic: Rule = defineRule({
  id: 'approuter/user-api-public',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#user-api-service',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      if (route.target.kind !== 'user-api') continue
      const { source, authenticates } = route
      const sameAs = source
      if (!authenticates) yield { at: route.authenticationPlace, args: { source, host: '' }, sameAs }
      else {
        const host = wideOrigin(approuter, route)
        if (host !== undefined) yield { at: route.sourcePlace, args: { source, host }, variant: 'cors', sameAs }
      }
    }
  },

  text: {
    en: {
      title: 'Who is logged in is told without a check',
      message: 'Route {source} serves the user API with "authenticationType": "none".',
      why: 'Name, mail and, with /attributes, all attributes of the user are told to whoever sends his cookie along.',
      fix: 'Write "authenticationType": "xsuaa" (or "ias") and the source "^/user-api/currentUser$".',
      variants: {
        cors: {
          title: 'Other sites may read who is logged in',
          message: 'Route {source} serves the user API, and CORS allows {host} to read it.',
          why: 'A page at such a host learns name, mail and attributes of each user who opens it.',
          fix: 'Name the hosts that need it, and leave the user API out of "uriPattern".',
        },
      },
    },
    fr: {
      title: 'L’identité de l’utilisateur connecté est donnée sans contrôle',
      message: 'La route {source} sert l’API utilisateur avec « "authenticationType": "none" ».',
      why: 'Le nom, l’adresse et, avec /attributes, tous les attributs de l’utilisateur sont donnés à qui envoie son cookie.',
      fix: 'Écrivez « "authenticationType": "xsuaa" » (ou « ias ») et la source « ^/user-api/currentUser$ ».',
      variants: {
        cors: {
          title: 'D’autres sites peuvent lire qui est connecté',
          message: 'La route {source} sert l’API utilisateur, et CORS autorise {host} à la lire.',
          why: 'Une page placée sur un tel hôte apprend le nom, l’adresse et les attributs de chaque utilisateur qui l’ouvre.',
          fix: 'Indiquez les hôtes nécessaires, et laissez l’API utilisateur hors de « uriPattern ».',
        },
      },
    },
  },
})

/** An origin of somebody else that may read a URL of the route. */
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
