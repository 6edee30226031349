import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A deployment that leaves in place what an earlier one, or somebody by hand, has set.
 *  Facts: SAP BTP, "Module parameters" (`keep-existing`, `keep-existing-routes`). */
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
        for (const [key, what, value] of [
          ['keep-existing: { env: true }', 'env', at(parameters, 'keep-existing', 'env')],
          ['keep-existing-routes: true', 'routes', at(parameters, 'keep-existing-routes')],
        ] as const)
          if (value !== undefined && isTrue(textOf(value))) yield { at: placeOf(value), args: { app, key, what } }
      }
    }
  },

  text: {
    en: {
      title: 'What was set by hand survives the deployment',
      message: '{app} keeps its {what} from before ("{key}").',
      why: 'A variable or route that was set for a test stays in production, and nobody sees it in the descriptor.',
      fix: 'Remove "{key}", and write what is needed into the descriptor.',
    },
    fr: {
      title: 'Ce qui a été réglé à la main survit au déploiement',
      message: '{app} conserve ses {what} d’avant (« {key} »).',
      why: 'Une variable ou une route posée pour un essai reste en production, et personne ne la voit dans le descripteur.',
      fix: 'Supprimez « {key} » et écrivez le nécessaire dans le descripteur.',
    },
  },
})
