import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A deployment that keeps what an earlier one, or an operator by hand, has set.
 * Facts: SAP BTP, "Module parameters" (`keep-existing`, `keep-existing-routes`).
 * Severity: INFO, a choice that is worth knowing.
 */
export const keepExistingEnv: Rule = defineRule({
  id: 'btp/keep-existing-env',
  severity: 'INFO',
  confidence: 'medium',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/modules-177d34d.md',
  on: 'deployment',

  *check({ mtas, placeOf }) {
    for (const { tree } of mtas) {
      const parts = [tree, ...itemsOf(at(tree, 'modules'))]
      for (const node of parts) {
        const parameters = at(node, 'parameters')
        const app = stringOf(at(node, 'name')) ?? stringOf(at(node, 'ID')) ?? ''
        for (const [key, value] of [
          ['keep-existing: { env: true }', at(parameters, 'keep-existing', 'env')],
          ['keep-existing-routes: true', at(parameters, 'keep-existing-routes')],
        ] as const)
          if (value !== undefined && isTrue(textOf(value))) yield { at: placeOf(value), args: { app, key } }
      }
    }
  },

  text: {
    en: {
      title: 'Settings from earlier deployments preserved',
      message: '{app} sets "{key}", so values set by an earlier deployment or by an operator survive this one.',
      why: 'Variables or routes that were set for a test, such as a debug mode or an open route, remain in production unnoticed, and an attacker can use them.',
      fix: 'Remove "{key}" from {app}, and declare the settings that you still need in the descriptor.',
    },
    fr: {
      title: 'Réglages de déploiements antérieurs conservés',
      message: '{app} définit "{key}" : les valeurs définies par un déploiement antérieur ou par un opérateur sont conservées.',
      why: 'Des variables ou des routes définies pour un essai, comme un mode de débogage ou une route ouverte, restent en production sans être remarquées, et un attaquant peut s’en servir.',
      fix: 'Supprimez "{key}" de {app}, et déclarez dans le descripteur les réglages encore nécessaires.',
    },
  },
})
