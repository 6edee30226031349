import { javaSetting, packageOf, servedServices, type CapRoot, type CapService } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * OData services that accept a $batch with any number of requests.
 * Facts: @sap/cds 9.9.3, libx/odata/middleware/batch.js (`odata.batch_limit`, no default); capire, "Data Protection", DoS attacks, and the properties
 * of CAP Java (`cds.odataV4.batch.maxRequests`).
 * Impact: a missing limit; the default of the runtime has none either.
 */
export const batchLimitMissing: Rule = defineRule({
  id: 'cap/batch-limit-missing',
  impact: 'defence',
  confidence: 'medium',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#dos-attacks',
  on: 'cap-root',

  *check(root, { npm }): Generator<Match> {
    if (!root.deployed || !servedServices(root).some(isOData)) return
    if (root.runtime === 'java') {
      const file = javaConfiguration(root)
      const key = 'cds.odataV4.batch.maxRequests'
      if (file !== undefined && javaSetting(root, key) === undefined)
        yield { at: { file }, args: { key, file, line: `${key}: 100` } }
      return
    }
    const configurations = root.productive()
    const own = packageOf(root, npm)
    const cds = own?.dependencies.find(({ name }) => name === '@sap/cds')
    if (own === undefined || cds === undefined || configurations.length === 0) return
    if (configurations.some((configuration) => configuration.value('odata', 'batch_limit') !== undefined)) return
    const args = { key: 'cds.odata.batch_limit', file: own.file, line: '"cds": { "odata": { "batch_limit": 100 } }' }
    yield { at: { file: own.file, span: cds.nameSpan }, args }
  },

  text: () => ({
    en: {
      title: 'Missing limit on OData $batch requests',
      message:
        'Nothing limits the number of requests in one OData $batch: {key} is not set for production, and CAP has no default limit.',
      why: 'An attacker can make the server run a large number of queries with one HTTP request, which a rate limit on HTTP requests does not prevent.',
      fix: 'Set {line} in {file}; adapt the limit to the largest number of requests that a client actually sends in one $batch.',
    },
    fr: {
      title: 'Absence de limite sur les requêtes OData $batch',
      message:
        'Rien ne limite le nombre de requêtes dans un $batch OData : {key} n’est pas défini pour la production, et CAP n’a pas de limite par défaut.',
      why: 'Un attaquant peut faire exécuter au serveur un grand nombre de requêtes par une seule requête HTTP, ce qu’une limitation du nombre de requêtes HTTP n’empêche pas.',
      fix: 'Définissez {line} dans {file} ; adaptez la limite au plus grand nombre de requêtes qu’un client envoie réellement dans un $batch.',
    },
  }),
})

function isOData({ endpoints }: CapService): boolean {
  return endpoints.some(({ kind }) => kind.startsWith('odata'))
}

function javaConfiguration({ files }: CapRoot): string | undefined {
  return files.find(
    ({ path, kind }) => kind.role === 'application-yaml' && !kind.test && /(?:^|\/)application\.ya?ml$/i.test(path),
  )?.path
}
