import { isCatchAll, type Route } from '../../model/approuter/index.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A route without a login that takes every URL which no route before it takes.
 *  Facts: @sap/approuter 23.0.0 README, "routes": the first source that matches anywhere in the URL wins. What a source takes is computed, not compared. */
export const publicCatchAll: Rule = defineRule({
  id: 'approuter/public-catch-all',
  severity: 'CRITICAL',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    if (approuter.authenticationMethod === 'none') return
    // files with no backend behind them are often public on purpose
    const staticSeverity = approuter.routes.some((route) => leadsToBackend(route) && route.purpose !== 'ui5-runtime')
      ? 'MEDIUM'
      : 'LOW'
    for (const route of approuter.routes) {
      const { authenticationType, target, purpose, source } = route
      if (authenticationType !== 'none' || target.kind === 'self' || target.kind === 'user-api') continue
      if (purpose === 'demo-data' || purpose === 'ui5-runtime' || !isCatchAll(approuter, route)) continue
      yield {
        at: route.authenticationPlace,
        args: { source, target: target.name },
        ...(leadsToBackend(route)
          ? { severity: gradeDescriptor(approuter, 'CRITICAL') }
          : { severity: gradeDescriptor(approuter, staticSeverity), variant: 'static' }),
        sameAs: `${source} ${target.kind} ${target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'Everything that no other route takes is open to anybody',
      message: 'Route {source} takes every URL and leads to {target} with "authenticationType": "none".',
      why: 'All paths of {target} answer without a login, also those that nobody thought of when the route was written.',
      fix: 'Write "authenticationType": "xsuaa" (or "ias") in this route, and name the public paths in routes of their own before it.',
      variants: {
        static: {
          title: 'All static files are served without a login',
          why: 'Everybody can load every file of the app, also those that are added later.',
        },
      },
    },
    fr: {
      title: 'Tout ce qu’aucune autre route ne prend est ouvert à tous',
      message: 'La route {source} prend toutes les URL et mène à {target} avec « "authenticationType": "none" ».',
      why: 'Tous les chemins de {target} répondent sans connexion, même ceux auxquels personne n’a pensé en écrivant la route.',
      fix: 'Écrivez « "authenticationType": "xsuaa" » (ou « ias ») dans cette route, et indiquez les chemins publics dans des routes à part avant elle.',
      variants: {
        static: {
          title: 'Tous les fichiers statiques sont servis sans connexion',
          why: 'Tout le monde peut charger chaque fichier de l’application, même ceux qui seront ajoutés plus tard.',
        },
      },
    },
  },
})

function leadsToBackend({ target }: Route): boolean {
  return target.kind === 'destination' || target.kind === 'service'
}
