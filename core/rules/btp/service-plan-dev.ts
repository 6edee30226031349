import { isForTesting } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `lite` is the plan of destination and connectivity for production too. */
const TRIAL_PLAN = /^(?:trial|free|free-tier|standard-dev|dev|[a-z]{1,20}-(?:free|trial|dev))$/i

/** A service plan without the guarantees of production.
 *  Facts: SAP BTP, "Trial Accounts and Free Tier" (no service level agreement, stopped each night, deleted when unused). */
export const servicePlanDev: Rule = defineRule({
  id: 'btp/service-plan-dev',
  severity: 'INFO',
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
        if (!isForTesting(place.file)) yield { at: place, args: { resource: name, service, plan } }
      }
    }
  },

  text: {
    en: {
      title: 'A service has a plan for trying out',
      message: '{resource} ({service}) has the plan "{plan}".',
      why: 'Such an instance has no backups, no guarantees and often wider access, and may be stopped or deleted without you.',
      fix: 'Name the plan for production, in an extension for each landscape where they differ.',
    },
    fr: {
      title: 'Un service a un plan d’essai',
      message: '{resource} ({service}) a le plan « {plan} ».',
      why: 'Une telle instance n’a ni sauvegardes ni garanties, souvent un accès plus large, et peut être arrêtée ou supprimée sans vous.',
      fix: 'Indiquez le plan de production, dans une extension par environnement s’ils diffèrent.',
    },
  },
})
