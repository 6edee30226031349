import { checkedServers } from './_checked-servers.ts'
import { storedDestinations } from './_stored-destinations.ts'
import { isCatchAll, isUnreachable, leadsToServer } from '../../model/approuter/index.ts'
import { publicBackend, usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An unauthenticated route that takes every URL which no earlier route takes.
 *  Facts: @sap/approuter 23.0.0 README, "routes": the first source that matches anywhere in the URL wins. What a source takes is computed, not compared.
 *  Impact: a caller without a login reads and changes what the backend holds; static files are only worth knowing. */
export const publicCatchAll: Rule = defineRule({
  id: 'approuter/public-catch-all',
  impact: 'data',
  reach: 'anyone',
  grades: { static: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  extracts: [checkedServers, storedDestinations],
  on: 'approuter',

  *check(approuter, project) {
    if (approuter.authenticationMethod === 'none') return
    for (const route of approuter.routes) {
      const { authenticationType, target, purpose, source } = route
      if (authenticationType !== 'none' || target.kind === 'self' || target.kind === 'user-api') continue
      if (purpose === 'demo-data' || purpose === 'ui5-runtime' || !isCatchAll(approuter, route)) continue
      if (isUnreachable(approuter, route)) continue
      yield {
        at: route.authenticationPlace,
        args: { source, target: target.name },
        ...(leadsToServer(route) ? publicBackend(route, project) : { variant: 'static' }),
        ...usageOf(approuter),
        groupKey: `${source} ${target.kind} ${target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Missing authentication on a catch-all route',
      message:
        'Route "{source}" matches every URL and forwards requests to the backend {target} with "authenticationType": "none".',
      why: 'Unauthenticated attackers can reach all paths of the backend {target}, including those that are added later; the approuter adds the credentials stored for it, if any.',
      fix: 'Set "authenticationType": "xsuaa" (or "ias") on this route in xs-app.json. Add an earlier route with "none" for each path that must be public.',
      variants: {
        static: {
          title: 'Static files of an app served without authentication',
          message: 'Route "{source}" matches every URL and serves files from {target} with "authenticationType": "none".',
          why: 'Unauthenticated visitors can load every file of the app, including those that are added later.',
        },
      },
    },
    fr: {
      title: 'Absence d’authentification sur une route attrape-tout',
      message:
        'La route "{source}" correspond à toutes les URL et transmet des requêtes au backend {target} avec "authenticationType": "none".',
      why: 'Un attaquant non authentifié peut atteindre tous les chemins du backend {target}, y compris ceux qui seront ajoutés plus tard ; l’approuter joint aux requêtes les identifiants enregistrés pour ce backend, s’il y en a.',
      fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur cette route dans xs-app.json. Ajoutez, avant cette route, une route avec "none" pour chaque chemin qui doit être public.',
      variants: {
        static: {
          title: 'Fichiers statiques d’une application servis sans authentification',
          message:
            'La route "{source}" correspond à toutes les URL et sert des fichiers depuis {target} avec "authenticationType": "none".',
          why: 'Un visiteur non authentifié peut charger tous les fichiers de l’application, y compris ceux qui seront ajoutés plus tard.',
        },
      },
    },
  }),
})
