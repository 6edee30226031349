import { isForTesting } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Plans for production of common services. */
const PRODUCTION: Readonly<Record<string, string | undefined>> = {
  xsuaa: 'application',
  identity: 'application',
  hana: 'hdi-shared',
  'hana-cloud': 'hana',
  destination: 'lite',
  connectivity: 'lite',
}

/** `lite` is the plan of destination and connectivity for production too. */
const TRIAL_PLAN = /^(?:trial|free|free-tier|standard-dev|dev|[a-z]{1,20}-(?:free|trial|dev))$/i

/**
 * A service plan without the guarantees of production.
 * Facts: SAP BTP, "Trial Accounts and Free Tier" (no service level agreement, stopped each night, deleted when unused).
 * Impact: none, a choice that is worth knowing.
 */
export const servicePlanDev: Rule = defineRule({
  id: 'btp/service-plan-dev',
  impact: 'hygiene',
  confidence: 'low',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/10-concepts/trial-accounts-and-free-tier-046f127.md',
  on: 'deployment',

  *check({ mtas, placeOf }) {
    for (const { resources } of mtas) {
      for (const { name, service, plan, node } of resources) {
        const written = at(node, 'parameters', 'service-plan')
        if (service === undefined || plan === undefined || written === undefined || !TRIAL_PLAN.test(plan)) continue
        const place = placeOf(written)
        if (!isForTesting(place.file))
          yield { at: place, args: { resource: name, service, plan, production: PRODUCTION[service] ?? 'standard' } }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Trial or free service plan',
      message: '{resource} ({service}) uses the plan "{plan}".',
      why: 'Trial and free plans have no service level agreement: nothing guarantees that the service and its data stay available.',
      fix: 'Set "service-plan" of {resource} to a production plan, for example "{production}"; if the plan differs between landscapes, set it in one .mtaext file per landscape.',
    },
    fr: {
      title: 'Plan de service d’essai ou gratuit',
      message: '{resource} ({service}) utilise le plan "{plan}".',
      why: 'Les plans d’essai et les plans gratuits n’ont pas d’accord de niveau de service : rien ne garantit la disponibilité du service ni de ses données.',
      fix: 'Indiquez comme "service-plan" de la ressource {resource} un plan de production, par exemple "{production}" ; s’il diffère selon l’environnement, indiquez-le dans un fichier .mtaext par environnement.',
    },
  }),
})
