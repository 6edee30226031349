import { isTrue, textOf, type Mta } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An application with pages that uses a plan of XSUAA for service brokers.
 * Facts: SAP BTP, "SAP Authorization and Trust Management Service", service plans (application, broker, space; `space` is normal on XSA).
 * Impact: least privilege: it takes a stolen token first.
 */
export const xsuaaBrokerPlanMisuse: Rule = defineRule({
  id: 'btp/xsuaa-broker-plan-misuse',
  impact: 'defence',
  reach: 'user',
  confidence: 'medium',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, applications }) {
    for (const { service, name, plan, planPlace, place, mta, resource } of services) {
      if (service !== 'xsuaa' || mta === undefined || (plan !== 'broker' && plan !== 'space')) continue
      // the usual plan on XSA
      if (plan === 'space' && resource?.type.startsWith('com.sap.xs.') === true) continue
      const own = applications.filter(({ file }) => file === mta.file)
      const hasPages = own.some(({ isApprouter }) => isApprouter) || mta.modules.some(({ type }) => type === 'html5')
      const isBroker =
        own.some(
          ({ dependencies }) => dependencies?.has('@sap/sbf') === true || dependencies?.has('@sap/service-broker') === true,
        ) || makesBroker(mta)
      if (hasPages && !isBroker) yield { at: planPlace ?? place, args: { name, plan, file: mta.file } }
    }
  },

  text: () => ({
    en: {
      title: 'XSUAA service plan unsuitable for an application',
      message:
        'Resource {name} uses the plan "{plan}", but {file} describes an application with a user interface and no service broker.',
      why: 'The plan "application" is the one for applications that users log in to. With another plan, an attacker with leaked credentials may get permissions that the application does not need.',
      fix: 'Set "service-plan: application" for resource {name} in {file}. If the plan of an existing instance cannot be changed, create a new instance and bind the applications to it.',
    },
    fr: {
      title: 'Plan de service XSUAA inadapté à une application',
      message:
        'La ressource {name} utilise le plan "{plan}", mais {file} décrit une application avec interface utilisateur, sans courtier de services.',
      why: 'Le plan "application" est celui des applications auxquelles des utilisateurs se connectent. Avec un autre plan, un attaquant muni d’identifiants divulgués pourrait obtenir des droits dont l’application n’a pas besoin.',
      fix: 'Définissez "service-plan: application" pour la ressource {name} dans {file}. Si le plan d’une instance existante ne peut pas être modifié, créez une nouvelle instance et liez-y les applications.',
    },
  }),
})

/** A module that is registered or named as a broker. */
function makesBroker({ modules }: Mta): boolean {
  return modules.some(({ name, node }) => /broker/i.test(name) || isTrue(textOf(at(node, 'parameters', 'create-service-broker'))))
}
