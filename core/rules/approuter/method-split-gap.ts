import { findMethodGaps, placeOf } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A protected route that is limited to some methods, and a later one to the same backend that takes the others with less strict authorization.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js: a route whose methods don't fit is passed over, and the search goes on.
 *  Impact: callers without the scope, or without a login, read and change data with another method. That the method needs the same scope is a guess where a
 *  route of its own lists it. */
export const methodSplitGap: Rule = defineRule({
  id: 'approuter/method-split-gap',
  impact: 'data',
  reach: 'user',
  // what the backend answers to that method is not in the project
  evidence: 'assumed',
  grades: { login: { reach: 'anyone' } },
  confidence: 'high',
  cwe: [650],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const { strict, lax, method, missing } of findMethodGaps(approuter)) {
      const node = at(strict.node, 'httpMethods')
      yield {
        at: node === undefined ? strict.place : placeOf(approuter.file, node),
        args: { source: strict.source, next: lax.source, method },
        ...(missing === 'login' ? { variant: 'login' } : lax.methods !== undefined && { evidence: 'guessed' }),
        groupKey: `${strict.source} ${lax.source} ${strict.target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Authorization bypass through another HTTP method',
      message:
        'Route "{source}" does not list {method} in "httpMethods", so {method} requests go to the later route "{next}", which requires no scope.',
      why: 'Any authenticated user can send {method} requests to the backend without the scope that the first route requires.',
      fix: 'Remove "httpMethods" from the first of these two routes, so that its scope applies to every method. If {method} needs another scope, set "scope" on the second route instead.',
      variants: {
        login: {
          title: 'Authentication bypass through another HTTP method',
          message:
            'Route "{source}" does not list {method} in "httpMethods", so {method} requests go to the later route "{next}", which requires no authentication.',
          why: 'Unauthenticated attackers can send {method} requests to the backend, although the first route requires authentication.',
          fix: 'Remove "httpMethods" from the first of these two routes, so that authentication applies to every method, or set "authenticationType": "xsuaa" on the second one.',
        },
      },
    },
    fr: {
      title: 'Contournement des autorisations par une autre méthode HTTP',
      message:
        'La route "{source}" n’inclut pas {method} dans "httpMethods" : les requêtes {method} suivent la route "{next}", placée après, qui n’exige aucun scope.',
      why: 'Tout utilisateur authentifié peut envoyer des requêtes {method} au backend sans le scope qu’exige la première route.',
      fix: 'Supprimez "httpMethods" de la première de ces deux routes pour que son scope s’applique à toutes les méthodes. Si {method} exige un autre scope, définissez plutôt "scope" sur la seconde.',
      variants: {
        login: {
          title: 'Contournement de l’authentification par une autre méthode HTTP',
          message:
            'La route "{source}" n’inclut pas {method} dans "httpMethods" : les requêtes {method} suivent la route "{next}", placée après, qui n’exige aucune authentification.',
          why: 'Un attaquant non authentifié peut envoyer des requêtes {method} au backend, alors que la première route exige une authentification.',
          fix: 'Supprimez "httpMethods" de la première de ces deux routes pour que l’authentification s’applique à toutes les méthodes, ou définissez "authenticationType": "xsuaa" sur la seconde.',
        },
      },
    },
  }),
})
