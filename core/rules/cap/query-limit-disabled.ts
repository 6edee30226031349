import { numberOf } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The largest page that a query may ask for is without a limit, or far too large.
 *  Facts: capire, "Served out of the box" (`query.limit.max` is 1000 by default; 0 switches it off); @sap/cds 9.9.3, libx/_runtime/common/generic/paging.js:
 *  `@cds.query.limit.max` of an entity counts before that of its service and the configuration, and 0 is no limit there too; `@cds.query.limit` is the default page. */
export const queryLimitDisabled: Rule = defineRule({
  id: 'cap/query-limit-disabled',
  severity: 'LOW',
  confidence: 'high',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/served-ootb#annotation-cds-query-limit',
  on: 'cap-root',

  *check(root) {
    for (const setting of productionSettings(root, 'query', 'limit', 'max')) {
      const max = numberOf(setting.node)
      if (max === undefined || isReasonable(max)) continue
      const args = { key: keyIn(setting, 'query', 'limit', 'max'), value: String(max), file: setting.place.file }
      yield { at: setting.place, args }
    }
    yield* fromAnnotations(root)
  },

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
})

function isReasonable(max: number): boolean {
  return max > 0 && max <= 10_000
}

const ANNOTATION = 'cds.query.limit.max'

function* fromAnnotations(root: CapRoot): Generator<Match> {
  // the runtime for Java reads them too, and has the same default
  const seen = new Set<string>()
  for (const service of servedServices(root)) {
    for (const { annotations } of [service, ...service.elements]) {
      const found = annotatedValue(annotations, ANNOTATION)
      if (found === undefined || found.value.kind !== 'number' || isReasonable(Number(found.value.value))) continue
      const { place, value } = found
      // a projection inherits it
      const key = `${place.file} ${place.span?.start}`
      if (!seen.has(key)) yield { at: place, args: { key: `@${ANNOTATION}`, value: String(value.value), file: place.file } }
      seen.add(key)
    }
  }
}
