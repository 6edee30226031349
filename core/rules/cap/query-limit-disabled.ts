import { numberOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { keyIn, productionSettings } from './_production.ts'

/** The largest page that a query may ask for is without a limit, or far too large.
 *  Facts: capire, "Served out of the box" (`query.limit.max` is 1000 by default; 0 switches it off). */
export const queryLimitDisabled: Rule = defineRule({
  id: 'cap/query-limit-disabled',
  severity: 'LOW',
  confidence: 'high',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/served-ootb#annotation-cds-query-limit',
  on: ['cap-root'],
  text: {
    en: {
      title: 'A single request may read whole tables',
      message: '{key} is {value} in {file}; CAP would stop at 1000 rows.',
      why: 'A few requests for everything fill the memory of the application, and copy its data in one go.',
      fix: 'Remove {key}, or write the largest page that a client really needs.',
    },
    fr: {
      title: 'Une seule requête peut lire des tables entières',
      message: '{key} vaut {value} dans {file} ; CAP s’arrêterait à 1000 lignes.',
      why: 'Quelques requêtes de tout le contenu remplissent la mémoire de l’application et copient ses données d’un coup.',
      fix: 'Supprimez {key}, ou écrivez la plus grande page dont un client a réellement besoin.',
    },
  },

  *check(root) {
    for (const setting of productionSettings(root, 'query', 'limit', 'max')) {
      const max = numberOf(setting.node)
      if (max === undefined || (max > 0 && max <= 10_000)) continue
      const args = { key: keyIn(setting, 'query', 'limit', 'max'), value: String(max), file: setting.place.file }
      yield { at: setting.place, args }
    }
  },
})
