import { capSecurityOf, declaredRoles, definesNoRole, isPlatformRole } from '../../model/authorization/index.ts'
import { openElements, servedServices, type CapService } from '../../model/cap/index.ts'
import type { ServiceInstance } from '../../model/deployment/index.ts'
import { at, itemsOf, type DataNode } from '../../parse/data.ts'
import { roleTests } from '../cap/_callers/role-tests.ts'
import { comesFromTokens, isWholeStory } from '../cap/_callers/scopes.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A security descriptor without a scope of the application, for services of CAP that ask for nothing but a login.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax" (users get scopes by role templates alone; `uaa.user` is a scope of the
 * platform, which the template `Token_Exchange` of samples gives); capire, "Authorization", pseudo roles.
 * Impact: the descriptor gives an attacker nothing; what the services themselves leave open has rules of its own.
 */
export const xsuaaLoginOnly: Rule = defineRule({
  id: 'btp/xsuaa-login-only',
  impact: 'defence',
  reach: 'user',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'deployment',
  extracts: [roleTests],

  *check(deployment, project) {
    const { capRoots, scripts, reach, securityOf } = project
    if (deployment.services.some(({ service }) => service !== 'xsuaa')) return
    if ([...capSecurityOf(capRoots).roles.keys()].some((role) => !isPlatformRole(role))) return
    if (scripts.get(roleTests).some(({ file, value }) => value.isTest && reach.usageOf(file) !== 'unused')) return
    for (const root of capRoots) {
      const [service] = comesFromTokens(root) ? servedServices(root).filter(asksForLogin) : []
      const instances = securityOf(root)
      if (service === undefined || !isWholeStory(instances) || !instances.every(definesNoRole)) continue
      for (const instance of instances) {
        const { name, config, place } = instance
        const node = nodeOf(config)
        // a descriptor may be given to it when it is made
        if (node === undefined) continue
        const scopes = namesIn(instance)
        yield {
          at: deployment.placeOf(node),
          args: { name, service: service.name, scope: scopes[0] ?? '' },
          ...(scopes.length > 0 && { variant: 'platform' }),
          groupKey: `${place.file} ${name}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Security descriptor without a role of the application',
      message: '{name} defines no scope, and {service} requires nothing but an authenticated user.',
      why: 'Any user of an identity provider that the subaccount trusts can call the service: no administrator decides which of them may work with the application, nor who may change its data.',
      fix: 'Require a role at the service, such as @requires: \'Clerk\', and copy "scopes", "attributes" and "role-templates" from the output of "cds compile srv --to xsuaa" into {name}. Then assign the role collection to the users.',
      variants: {
        platform: {
          message:
            '{name} defines only "{scope}", a scope of the platform, and {service} requires nothing but an authenticated user.',
        },
      },
    },
    fr: {
      title: 'Descripteur de sécurité sans rôle propre à l’application',
      message: '{name} ne définit aucun scope, et {service} n’exige rien d’autre qu’un utilisateur authentifié.',
      why: 'Tout utilisateur d’un fournisseur d’identité approuvé par le sous-compte peut appeler le service : aucun administrateur ne décide qui peut utiliser l’application, ni qui peut en modifier les données.',
      fix: 'Exigez un rôle pour le service, par exemple @requires: \'Clerk\', et copiez dans {name} les sections "scopes", "attributes" et "role-templates" que produit "cds compile srv --to xsuaa". Attribuez ensuite la collection de rôles aux utilisateurs.',
      variants: {
        platform: {
          message:
            '{name} ne définit que "{scope}", un scope de la plateforme, et {service} n’exige rien d’autre qu’un utilisateur authentifié.',
        },
      },
    },
  }),
})

/** Something of it needs a login, and nothing more. */
function asksForLogin(service: CapService): boolean {
  return /^(?:default-)?authenticated$/.test(service.access.kind) && openElements(service).length > 0
}

function namesIn(instance: ServiceInstance): readonly string[] {
  return [...declaredRoles([instance]).scopes]
}

/** Where the scopes would stand: the name of the first one, or the list. */
function nodeOf(config: DataNode): DataNode | undefined {
  const scopes = at(config, 'scopes')
  return at(itemsOf(scopes)[0], 'name') ?? scopes ?? at(config, 'xsappname')
}
