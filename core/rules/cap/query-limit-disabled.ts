import { numberOf } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The maximum page size of queries is unlimited, or far too large.
 * Facts: capire, "Served out of the box" (`query.limit.max` is 1000 by default; 0 switches it off); @sap/cds 9.9.3, libx/_runtime/common/generic/paging.js:
 * `@cds.query.limit.max` of an entity counts before that of its service and the configuration, and 0 is no limit there too; `@cds.query.limit` is the default page.
 * Impact: missing defence in depth against exhausted resources.
 */
export const queryLimitDisabled: Rule = defineRule({
  id: 'cap/query-limit-disabled',
  impact: 'defence',
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
      yield { at: setting.place, args, ...(max === 0 && OFF) }
    }
    yield* fromAnnotations(root)
  },

  text: () => ({
    en: {
      title: 'Query result limit disabled or too high',
      message: '{key} is {value} in {file}; CAP’s default is 1000 rows per page.',
      why: 'A single request can return very many rows: an attacker with read access can copy data in bulk or exhaust the application’s memory.',
      fix: 'Remove {key} from {file}, or set it to the largest page size that a client needs, for example 1000 (at most 10000).',
      variants: {
        off: { message: '{key} is {value} in {file}, which disables the limit; CAP’s default is 1000 rows per page.' },
      },
    },
    fr: {
      title: 'Limite du nombre de résultats désactivée ou trop élevée',
      message: '{key} vaut {value} dans {file} ; la valeur par défaut de CAP est de 1000 lignes par page.',
      why: 'Une seule requête peut renvoyer un très grand nombre de lignes : un attaquant disposant d’un accès en lecture peut copier les données en masse ou épuiser la mémoire de l’application.',
      fix: 'Supprimez {key} de {file}, ou donnez-lui comme valeur la taille de la plus grande page dont un client a besoin, par exemple 1000 (10000 au plus).',
      variants: {
        off: {
          message:
            '{key} vaut {value} dans {file}, ce qui désactive la limite ; la valeur par défaut de CAP est de 1000 lignes par page.',
        },
      },
    },
  }),
})

/** No number is too large for it. */
const OFF = { variant: 'off' } as const

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
      const args = { key: `@${ANNOTATION}`, value: String(value.value), file: place.file }
      if (!seen.has(key)) yield { at: place, args, ...(Number(value.value) === 0 && OFF) }
      seen.add(key)
    }
  }
}
