import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const ROUTES = 'keep-existing-routes: true'

/**
 * A deployment that keeps what an earlier one, or an operator by hand, has set.
 * Facts: SAP BTP, "Module parameters" (`keep-existing`, `keep-existing-routes`).
 * Impact: none, a choice that is worth knowing.
 */
export const keepExistingEnv: Rule = defineRule({
  id: 'btp/keep-existing-env',
  impact: 'hygiene',
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
          [ROUTES, at(parameters, 'keep-existing-routes')],
        ] as const)
          if (value !== undefined && isTrue(textOf(value)))
            yield { at: placeOf(value), args: { app, key }, ...(key === ROUTES && { variant: 'routes' }) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Environment variables from earlier deployments kept',
      message:
        '"{key}" in the parameters of {app} keeps environment variables that an earlier deployment or an operator has set.',
      why: 'A variable that was set for a test, for example to enable a debug mode, can remain active in production, where an attacker can exploit it.',
      fix: 'Remove "{key}" from the parameters of {app}, and declare in the descriptor the variables that you still need.',
      variants: {
        routes: {
          title: 'Routes from earlier deployments kept',
          message: '"{key}" in the parameters of {app} keeps routes that an earlier deployment or an operator has mapped.',
          why: 'A route that was mapped for a test can remain in production unnoticed, and an attacker can reach the application through it.',
          fix: 'Remove "{key}" from the parameters of {app}, and declare in the descriptor the routes that you still need.',
        },
      },
    },
    fr: {
      title: 'Conservation des variables d’environnement de déploiements antérieurs',
      message:
        '"{key}" dans les paramètres de {app} conserve les variables d’environnement définies par un déploiement antérieur ou par un opérateur.',
      why: 'Une variable définie pour un essai, par exemple pour activer un mode de débogage, peut rester active en production, où un attaquant peut l’exploiter.',
      fix: 'Supprimez "{key}" des paramètres de {app}, et déclarez dans le descripteur les variables encore nécessaires.',
      variants: {
        routes: {
          title: 'Conservation des routes de déploiements antérieurs',
          message:
            '"{key}" dans les paramètres de {app} conserve les routes ajoutées par un déploiement antérieur ou par un opérateur.',
          why: 'Une route ajoutée pour un essai peut rester en production sans être remarquée, et un attaquant peut atteindre l’application par cette route.',
          fix: 'Supprimez "{key}" des paramètres de {app}, et déclarez dans le descripteur les routes encore nécessaires.',
        },
      },
    },
  }),
})
