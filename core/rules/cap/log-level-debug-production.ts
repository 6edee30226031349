import { itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn } from '../../model/cap/index.ts'

/** Modules that write their debug messages in production.
 *  Facts: capire, "Logging" (levels by module, `mask_headers`). */
export const logLevelDebugProduction: Rule = defineRule({
  id: 'cap/log-level-debug-production',
  severity: 'LOW',
  confidence: 'high',
  cwe: [532],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-log#logging-in-production',
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      for (const name of ['mask_headers', ...configuration.keys('log', 'levels')]) {
        const path = name === 'mask_headers' ? ['log', name] : ['log', 'levels', name]
        const setting = configuration.value(...path)
        if (setting === undefined) continue
        const { node, place } = setting
        const value = stringOf(node)?.toLowerCase() ?? ''
        const isUnmasked = name === 'mask_headers' && node.kind === 'array' && itemsOf(node).length === 0
        const key = `${place.file} ${place.span?.start}`
        if ((!isUnmasked && !/^(?:debug|trace|silly)$/.test(value)) || seen.has(key)) continue
        seen.add(key)
        const args = { key: keyIn(setting, ...path), value, file: place.file }
        yield { at: place, args, ...(isUnmasked && { variant: 'headers' }) }
      }
    }
  },

  text: {
    en: {
      title: 'Debug messages are logged in production',
      message: '{key} is {value} in {file} and holds in production.',
      why: 'Debug messages hold queries with their values and bodies of requests; many more people read the log than the database.',
      fix: 'Move {key} into "[development]", or write info or warn.',
      variants: {
        headers: {
          title: 'Headers are logged without a mask',
          message: '{key} is an empty list in {file} and holds in production: tokens and cookies are logged as they come.',
          why: 'Whoever reads the log acts with the token of another user as long as it is valid.',
          fix: 'Remove {key}: by default authorization, cookies and certificates are masked.',
        },
      },
    },
    fr: {
      title: 'Des messages de débogage sont journalisés en production',
      message: '{key} vaut {value} dans {file} et vaut en production.',
      why: 'Ces messages contiennent requêtes avec leurs valeurs et corps de requêtes ; bien plus de gens lisent le journal que la base.',
      fix: 'Déplacez {key} dans « [development] », ou écrivez info ou warn.',
      variants: {
        headers: {
          title: 'Les en-têtes sont journalisés sans masque',
          message: '{key} est une liste vide dans {file} et vaut en production : jetons et cookies sont journalisés tels quels.',
          why: 'Quiconque lit le journal agit avec le jeton d’un autre tant qu’il est valide.',
          fix: 'Supprimez {key} : par défaut, autorisations, cookies et certificats sont masqués.',
        },
      },
    },
  },
})
