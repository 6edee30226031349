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
      title: 'Settings of earlier deployments kept',
      message: '"{key}" of {app} keeps what an earlier deployment or an operator has set.',
      why: 'Variables or routes that were set for a test, such as a debug mode or an open route, remain in production unnoticed, and an attacker can use them.',
      fix: 'Remove "{key}" from {app}, and add the settings that are needed to the descriptor.',
    },
    fr: {
      title: 'Réglages de déploiements antérieurs conservés',
      message: '"{key}" de {app} conserve ce qu’un déploiement antérieur ou un opérateur a défini.',
      why: 'Des variables ou des routes définies pour un essai, comme un mode de débogage ou une route ouverte, restent en production sans être remarquées, et un attaquant peut s’en servir.',
      fix: 'Supprimez "{key}" de {app}, et ajoutez au descripteur les réglages nécessaires.',
    },
  },
})
