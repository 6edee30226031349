import type { CapRoot } from '../../model/cap/index.ts'
import { unboundedReads } from './_model/unbounded-reads.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A handler that reads all rows of an entity into memory and works on them there.
 * Facts: capire, "Protect Against DoS Attacks" (the limit of rows is for requests of clients, not for queries of handlers).
 * Impact: missing limit; whether the entity grows is not in the code.
 */
export const unboundedReadToMemory: Rule = defineRule({
  id: 'cap/unbounded-read-to-memory',
  impact: 'defence',
  evidence: 'assumed',
  confidence: 'low',
  cwe: [770],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#dos-attacks',
  on: 'cap-root',
  extracts: [unboundedReads],

  *check(root) {
    if (root.test || root.runtime !== 'node') return
    for (const { file, value } of root.scripts.get(unboundedReads)) {
      const { start, end, entity } = value
      if (!isList(entity, root)) yield { at: { file, span: { start, end } }, args: { entity } }
    }
  },

  text: () => ({
    en: {
      title: 'Unbounded read of an entity into memory',
      message: 'The handler reads all rows of {entity} and processes them in memory.',
      why: 'The cost of a request grows with the number of rows: an attacker who repeats the request can exhaust the memory of the process.',
      fix: 'Filter, limit or aggregate in the database: .where({ … }), .limit(1000) or .columns("count(*) as n"). Read large results page by page: .orderBy("ID").limit(1000, offset).',
    },
    fr: {
      title: 'Chargement non borné d’une entité en mémoire',
      message: 'Le gestionnaire lit toutes les lignes de {entity} et les traite en mémoire.',
      why: 'Le coût d’une requête croît avec le nombre de lignes : un attaquant qui répète cette requête peut épuiser la mémoire du processus.',
      fix: 'Filtrez, limitez ou agrégez dans la base : .where({ … }), .limit(1000) ou .columns("count(*) as n"). Lisez les gros volumes page par page : .orderBy("ID").limit(1000, offset).',
    },
  }),
})

const OF_LISTS =
  /(?:code|status|statuses|states?|types?|kinds?|categor(?:y|ies)|countr(?:y|ies)|currenc(?:y|ies)|languages?|units?|roles|settings?|config(?:uration)?s?|genres?|priorit(?:y|ies)|regions?)s?$/i

/** A list of codes or settings stays short. */
function isList(entity: string, { services, membersOf, projected }: CapRoot): boolean {
  if (OF_LISTS.test(entity)) return true
  const known = services.flatMap(({ elements }) => elements.filter(({ kind, name }) => kind === 'entity' && name === entity))
  return known.some(
    ({ qualified }) => membersOf(qualified).get('code')?.key === true || projected(qualified).some((name) => OF_LISTS.test(name)),
  )
}
