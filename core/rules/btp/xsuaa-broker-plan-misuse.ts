import { isTrue, textOf, type Mta } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The plan for service brokers, for an application with pages.
 *  Facts: SAP BTP, "SAP Authorization and Trust Management Service", service plans (application, broker, space). */
export const xsuaaBrokerPlanMisuse: Rule = defineRule({
  id: 'btp/xsuaa-broker-plan-misuse',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, applications }) {
    for (const { service, name, plan, planPlace, place, mta } of services) {
      if (service !== 'xsuaa' || mta === undefined || (plan !== 'broker' && plan !== 'space')) continue
      const own = applications.filter(({ file }) => file === mta.file)
      const hasPages = own.some(({ isApprouter }) => isApprouter) || mta.modules.some(({ type }) => type === 'html5')
      const isBroker =
        own.some(
          ({ dependencies }) => dependencies?.has('@sap/sbf') === true || dependencies?.has('@sap/service-broker') === true,
        ) || makesBroker(mta)
      if (hasPages && !isBroker) yield { at: planPlace ?? place, args: { name, plan, file: mta.file } }
    }
  },

  text: {
    en: {
      title: 'An application uses the plan of another purpose',
      message: '{name} has the plan "{plan}", but nothing in {file} is a service broker.',
      why: 'A broker’s client is made to be cloned for its consumers, with rights that an application doesn’t need.',
      fix: 'Write "service-plan: application".',
    },
    fr: {
      title: 'Une application utilise un plan prévu pour autre chose',
      message: '{name} a le plan « {plan} », mais rien dans {file} n’est un courtier de services.',
      why: 'Le client d’un courtier est fait pour être cloné pour ses consommateurs, avec des droits dont une application n’a pas besoin.',
      fix: 'Écrivez « service-plan: application ».',
    },
  },
})

/** A module that is registered as a broker, or says by its name that it is one. */
function makesBroker({ modules }: Mta): boolean {
  return modules.some(({ name, node }) => /broker/i.test(name) || isTrue(textOf(at(node, 'parameters', 'create-service-broker'))))
}
