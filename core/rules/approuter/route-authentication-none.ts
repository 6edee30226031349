import { isCatchAll, type Approuter, type Route } from '../../model/approuter/index.ts'
import type { Match } from '../../types.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A route that the approuter forwards without asking who calls.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (authenticationType) and "logout" (the page must be public). */
export const routeAuthenticationNone: Rule = defineRule({
  id: 'approuter/route-authentication-none',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      // the rules on the whole descriptor and on a route that takes everything say more
      if (route.authenticationType !== 'none' || approuter.authenticationMethod === 'none' || isCatchAll(approuter, route))
        continue
      if ((route.purpose !== undefined && route.purpose !== 'page') || route.target.kind === 'user-api') continue
      yield {
        at: route.authenticationPlace,
        args: {
          source: route.source,
          target: route.target.name,
          kind: route.target.kind,
          methods: route.methods?.join(', ') ?? '*',
        },
        ...grade(approuter, route),
        // generators write the same route into every app of a project
        sameAs: `${route.source} ${route.target.kind} ${route.target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'A route asks for no login',
      message: 'Route {source} leads to {kind} {target} for anybody: "authenticationType" is "none".',
      why: 'Whoever can reach the approuter reaches {target} without a login, and with the rights that its destination has.',
      fix: 'Write "authenticationType": "xsuaa" (or "ias") in this route, and split off what really must be public into a route of its own.',
      variants: {
        static: {
          title: 'Static files are served without a login',
          why: 'Everybody can load these files. That is a leak only where they hold more than the code of the page.',
          fix: 'Write "authenticationType": "xsuaa" in this route unless the page has to show before the login.',
        },
        page: {
          title: 'A page is served without a login',
          why: 'Pages of this kind are public by nature; make sure that the target answers nothing else on this path.',
          fix: 'Keep the source as narrow as it is, with ^ and $, so that it never takes another path.',
        },
      },
    },
    fr: {
      title: 'Une route ne demande aucune connexion',
      message: 'La route {source} mène à {kind} {target} pour tout le monde : « authenticationType » vaut « none ».',
      why: 'Quiconque atteint l’approuter atteint {target} sans se connecter, et avec les droits de sa destination.',
      fix: 'Écrivez « "authenticationType": "xsuaa" » (ou « ias ») dans cette route, et isolez dans une route à part ce qui doit vraiment être public.',
      variants: {
        static: {
          title: 'Des fichiers statiques sont servis sans connexion',
          why: 'Tout le monde peut charger ces fichiers. Ce n’est une fuite que s’ils contiennent plus que le code de la page.',
          fix: 'Écrivez « "authenticationType": "xsuaa" » dans cette route, sauf si la page doit s’afficher avant la connexion.',
        },
        page: {
          title: 'Une page est servie sans connexion',
          why: 'Les pages de ce genre sont publiques par nature ; vérifiez que la cible ne répond rien d’autre sur ce chemin.',
          fix: 'Gardez la source aussi étroite qu’elle l’est, avec ^ et $, pour qu’elle ne prenne jamais un autre chemin.',
        },
      },
    },
  },
})

function grade(approuter: Approuter, { purpose, target }: Route): Pick<Match, 'severity' | 'variant'> {
  if (purpose === 'page') return { severity: 'INFO', variant: 'page' }
  if (target.kind === 'destination' || target.kind === 'service') return { severity: gradeDescriptor(approuter, 'HIGH') }
  return { severity: 'LOW', variant: 'static' }
}
