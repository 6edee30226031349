import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { unprotectedRoutes, type NeoRoute } from './_neo-routes.ts'
import { at, stringOf } from '../../parse/data.ts'

/** Words for an authentication by one user for all. */
const SAYS_SO =
  /\bbasic[\s_-]{0,3}auth(?:entication)?\b|\b(?:technical|service|system|generic)[\s_-]{0,3}user\b|\busuario (?:t[eé]cnico|gen[eé]rico)\b|\btechnische[rn]? (?:user|benutzer)\b|\butente tecnico\b|\butilisateur technique\b/i
/** The same in a name of a destination, where words are joined. */
const NAMED_SO = /(?:^|[_\W])(?:basic(?:auth)?|technical(?:user)?|tech(?:user)|sysuser|serviceuser)(?:$|[_\W])/i

/**
 * A route of a Neo application to all paths of a back end by a destination that logs on with one technical user, and that no security constraint protects.
 * Facts: SAP BTP, Neo environment, "Configure Application Routes" (`entryPath`; without it the whole back end is reached) and "Authorization" (`securityConstraints`).
 * Most routes of Neo apps lead to a destination that hands on the user: without a word of a technical one nothing is told.
 * Impact: any user of the app sends requests to every service of the back end as the technical user. That the destination is what its name or the description of the route says, is assumed.
 */
export const neoDestinationWide: Rule = defineRule({
  id: 'approuter/neo-destination-wide',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [284, 441],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/btp/sap-btp-neo-environment/configure-application-routes',
  on: 'project',

  *check({ files, step }): Generator<Match> {
    for (const { path: file, kind, content } of files.values()) {
      if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
      const [root] = content.roots
      // all callers are strangers then, which another rule tells
      if (stringOf(at(root, 'authenticationMethod')) === 'none') continue
      for (const route of unprotectedRoutes(root)) {
        step()
        if (!reachesAll(route) || !saysTechnicalUser(route)) continue
        yield {
          at: { file, span: { start: route.node.start, end: route.node.end } },
          args: { path: quoteWord(route.path), destination: quoteWord(route.destination) },
        }
      }
    }
  },

  text: {
    en: {
      title: 'Neo route to all paths of a back end as a technical user',
      message:
        'The route {path} leads to all paths of the destination {destination}, which logs on with a technical user: it has no "entryPath", and no "securityConstraints" protect it.',
      why: 'Any user of the app can send requests to every service of this back end, and read and change data with the permissions of the technical user.',
      fix: 'Set "entryPath" to the service that the app uses, such as "/sap/opu/odata/sap/<service>", and protect the path with "securityConstraints". Better: set the destination to PrincipalPropagation.',
    },
    fr: {
      title: 'Route Neo vers tous les chemins d’un backend avec un utilisateur technique',
      message:
        'La route {path} mène à tous les chemins de la destination {destination}, qui se connecte avec un utilisateur technique : elle n’a pas d’"entryPath", et aucun "securityConstraints" ne la protège.',
      why: 'Tout utilisateur de l’application peut envoyer des requêtes à chaque service de ce backend, et lire ou modifier des données avec les droits de l’utilisateur technique.',
      fix: 'Limitez "entryPath" au service que l’application utilise, par exemple "/sap/opu/odata/sap/<service>", et protégez le chemin par "securityConstraints". Mieux encore : passez la destination à PrincipalPropagation.',
    },
  },
})

function reachesAll({ entryPath = '/' }: NeoRoute): boolean {
  return /^\/?$/.test(entryPath)
}

function saysTechnicalUser({ description, destination }: NeoRoute): boolean {
  return SAYS_SO.test(description) || NAMED_SO.test(destination)
}
