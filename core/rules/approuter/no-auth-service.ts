import { mayAuthenticate } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An approuter that is deployed without a binding to an authentication service, although its routes require authentication.
 *  Facts: @sap/approuter 23.0.0 README, "Bindings"; SAP BTP, MTA descriptors.
 *  Impact: none, requests fail (lib/configuration.js throws "No UAA service found" where a route names the type): a fault of the deployment. */
export const noAuthService: Rule = defineRule({
  id: 'approuter/no-auth-service',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#uaa-configuration',
  on: 'approuter',

  *check(approuter) {
    // without a session the user API returns nothing: no part of the app is behind it
    const route = approuter.routes.find(
      ({ authenticates, target }) => authenticates && target.kind !== 'self' && target.kind !== 'user-api',
    )
    if (approuter.kind !== 'standalone' || route === undefined || approuter.authenticationMethod === 'none') return
    for (const { kind, name, place, bindings } of approuter.environment.deployments) {
      if (kind !== 'mta' || bindings.some(mayAuthenticate)) continue
      yield { at: place, args: { name, source: route.source } }
    }
  },

  text: () => ({
    en: {
      title: 'Approuter without an authentication service',
      message: 'Module {name} is bound neither to xsuaa nor to identity, but its route "{source}" requires authentication.',
      why: 'Users cannot log in: the approuter does not start, or requests to this route fail. If "authenticationMethod": "none" is set to make it run, every route is public.',
      fix: 'Add the resource with "service: xsuaa" (or "service: identity") to "requires" of module {name} in mta.yaml. If there is none, first define one under "resources", with "type: org.cloudfoundry.managed-service" and "service-plan: application".',
    },
    fr: {
      title: 'Approuter sans service d’authentification',
      message: 'Le module {name} n’est lié ni à xsuaa ni à identity, mais sa route "{source}" exige une authentification.',
      why: 'Les utilisateurs ne peuvent pas se connecter : l’approuter ne démarre pas, ou les requêtes vers cette route échouent. Si "authenticationMethod": "none" est défini pour le faire fonctionner, toutes les routes deviennent publiques.',
      fix: 'Ajoutez la ressource avec "service: xsuaa" (ou "service: identity") à "requires" du module {name} dans mta.yaml. Si cette ressource n’existe pas, définissez-la d’abord sous "resources", avec "type: org.cloudfoundry.managed-service" et "service-plan: application".',
    },
  }),
})
