import { defineRule, type Rule } from '../rule.ts'
import { inEachLanguage } from '../../arguments.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * A route of Express that is registered in `bootstrap`, before CAP's own middlewares, and that nothing authenticates.
 * Facts: capire, "cds.server" and "Middlewares": what is added to the app in `bootstrap` runs before them, without cds.context.
 * @sap/cds 9.9.3, lib/srv/middlewares/auth: the strategies for tokens set `cds.context.user` only, never `req.user`, and let requests without a token pass as anonymous.
 * Severity: an unauthenticated caller changes or reads data, HIGH; a route that does neither is LOW.
 */
export const expressRouteUnauthenticated: Rule = defineRule({
  id: 'cap/express-route-unauthenticated',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#bootstrap',
  on: 'flow',

  *check(hit) {
    const [method = '', path = ''] = hit.sink.split(' ')
    const isHarmless = hit.detail === 'harmless'
    yield {
      ...gradeHit(hit, isHarmless ? 'LOW' : 'HIGH'),
      confidence: 'medium',
      args: { route: routeWords(method, path), path, call: method === 'ANY' ? 'use' : method.toLowerCase() },
      ...(isHarmless && { variant: 'harmless' }),
    }
  },

  text: {
    en: {
      title: 'Express route without authentication in a CAP server',
      message: '{route} is registered outside CAP’s authentication, and no middleware authenticates its callers.',
      why: 'An unauthenticated attacker can call the route, and its code reads or changes data with the application’s permissions.',
      fix: 'Add CAP’s middlewares before the handler: app.{call}("{path}", ...cds.middlewares.before, handler), and reject callers in the handler unless cds.context.user.is("<role>"): CAP accepts requests without a token there. Or make it an action of a service.',
      variants: {
        harmless: {
          why: 'An unauthenticated attacker can call the route. It exposes no data today, but a later change might.',
        },
      },
      steps: {
        call: 'The app is passed to {name}.',
        return: '{name} returns the app.',
        'store-module': 'The module exports the router or the app.',
        load: 'The router or the app is used here.',
        sink: 'The route {sink} is registered on this app.',
      },
    },
    fr: {
      title: 'Route Express sans authentification dans un serveur CAP',
      message:
        '{route} est enregistrée en dehors de l’authentification de CAP, et aucun middleware n’en authentifie les appelants.',
      why: 'Un attaquant non authentifié peut appeler la route, dont le code lit ou modifie des données avec les droits de l’application.',
      fix: 'Ajoutez les middlewares de CAP avant le gestionnaire : app.{call}("{path}", ...cds.middlewares.before, handler), et rejetez dans le gestionnaire les appelants sans le rôle : cds.context.user.is("<rôle>"). CAP y accepte les requêtes sans jeton. Ou faites-en une action d’un service.',
      variants: {
        harmless: {
          why: 'Un attaquant non authentifié peut appeler la route. Elle n’expose aucune donnée aujourd’hui, mais une modification ultérieure pourrait en exposer.',
        },
      },
      steps: {
        call: 'L’application est transmise à {name}.',
        return: '{name} renvoie l’application.',
        'store-module': 'Le module exporte le routeur ou l’application.',
        load: 'Le routeur ou l’application est utilisé ici.',
        sink: 'La route {sink} est enregistrée dans cette application.',
      },
    },
  },
})

function routeWords(method: string, path: string): string {
  if (path === '<path>') return inEachLanguage({ en: `This ${method} route`, fr: `Cette route ${method}` })
  if (method === 'ANY') return inEachLanguage({ en: `The route ${path} (any method)`, fr: `La route ${path} (toute méthode)` })
  return inEachLanguage({ en: `The route ${method} ${path}`, fr: `La route ${method} ${path}` })
}
