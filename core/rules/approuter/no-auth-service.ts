import type { ApprouterDeployment } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An approuter that is deployed without a service to authenticate with, although its routes ask for a login.
 *  Facts: @sap/approuter 23.0.0 README, "Bindings"; SAP BTP, MTA descriptors. */
export const noAuthService: Rule = defineRule({
  id: 'approuter/no-auth-service',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    // without a login the user API tells about nobody: nothing of the app is behind it
    const route = approuter.routes.find(
      ({ authenticates, target }) => authenticates && target.kind !== 'self' && target.kind !== 'user-api',
    )
    if (approuter.kind !== 'standalone' || route === undefined || approuter.authenticationMethod === 'none') return
    for (const { kind, name, place, bindings } of approuter.environment.deployments) {
      if (kind !== 'mta' || bindings.some(mayAuthenticate)) continue
      yield { at: place, args: { name, source: route.source } }
    }
  },

  text: {
    en: {
      title: 'The approuter has nothing to authenticate with',
      message: 'Module {name} is bound to neither xsuaa nor identity, and its route {source} asks for a login.',
      why: 'The approuter refuses to start, and the quick way out is to switch the login off: then every route is open.',
      fix: 'Add the resource with "service: xsuaa" (or identity) to "requires" of module {name}.',
    },
    fr: {
      title: 'L’approuter n’a rien pour authentifier',
      message: 'Le module {name} n’est lié ni à xsuaa ni à identity, et sa route {source} demande une connexion.',
      why: 'L’approuter refuse de démarrer, et la solution de facilité est de désactiver la connexion : alors toutes les routes sont ouvertes.',
      fix: 'Ajoutez la ressource avec « service: xsuaa » (ou identity) dans « requires » du module {name}.',
    },
  },
})

/** A service whose type is not written may be the one. */
function mayAuthenticate({ name, service }: ApprouterDeployment['bindings'][number]): boolean {
  return service === undefined || service === 'xsuaa' || service === 'identity' || /uaa|identity|auth/i.test(name)
}
