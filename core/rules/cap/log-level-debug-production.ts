import { quoteValue } from '../../quote.ts'
import { itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn } from '../../model/cap/index.ts'

/**
 * Modules that log debug messages in production, or headers without masking.
 * Facts: capire, "Logging" (levels by module, `mask_headers`).
 * Impact: it takes access to the logs.
 */
export const logLevelDebugProduction: Rule = defineRule({
  id: 'cap/log-level-debug-production',
  impact: 'defence',
  confidence: 'high',
  cwe: [532],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-log#log-levels',
  docsByVariant: { headers: 'https://cap.cloud.sap/docs/node.js/cds-log#header-masking' },
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      for (const name of ['mask_headers', ...configuration.keys('log', 'levels')]) {
        const path = name === 'mask_headers' ? ['log', name] : ['log', 'levels', name]
        const setting = configuration.value(...path)
        if (setting === undefined) continue
        const { node, place } = setting
        const value = stringOf(node) ?? ''
        const isUnmasked = name === 'mask_headers' && node.kind === 'array' && itemsOf(node).length === 0
        const key = `${place.file} ${place.span?.start}`
        if ((!isUnmasked && !/^(?:debug|trace|silly)$/i.test(value)) || seen.has(key)) continue
        seen.add(key)
        const args = { key: keyIn(setting, ...path), value: quoteValue(value), file: place.file }
        yield { at: place, args, ...(isUnmasked && { variant: 'headers' }) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Debug logging enabled in production',
      message: '{key} is {value} in {file} and applies to production.',
      why: 'Debug messages can contain request data and internal details: anyone with access to the logs can read them.',
      fix: 'Set {key} to "info" in {file}, or move the setting under "[development]".',
      variants: {
        headers: {
          title: 'Request headers logged without masking',
          message: '{key} is an empty list in {file} and applies to production: tokens and cookies are logged in plain text.',
          why: 'An attacker with access to the logs can use a logged token or session cookie to act as another user while it is valid.',
          fix: 'Remove {key} from {file}: the default masks the headers for authorization, cookies and certificates.',
        },
      },
    },
    fr: {
      title: 'Journalisation de débogage activée en production',
      message: '{key} vaut {value} dans {file} et s’applique à la production.',
      why: 'Les messages de débogage peuvent contenir des données de requêtes et des détails internes : toute personne ayant accès aux journaux peut les lire.',
      fix: 'Donnez à {key} la valeur "info" dans {file}, ou déplacez ce réglage sous "[development]".',
      variants: {
        headers: {
          title: 'En-têtes de requête journalisés sans masquage',
          message:
            '{key} est une liste vide dans {file} et s’applique à la production : les jetons et les cookies sont journalisés en clair.',
          why: 'Un attaquant ayant accès aux journaux peut utiliser un jeton ou un cookie de session journalisé pour agir au nom d’un autre utilisateur, tant qu’il est valide.',
          fix: 'Supprimez {key} de {file} : la valeur par défaut masque les en-têtes relatifs à l’autorisation, aux cookies et aux certificats.',
        },
      },
    },
  }),
})
