import { javaSetting, packageOf, servedServices, type CapRoot, type CapService } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** One request that holds any number of requests.
 *  Facts: @sap/cds 9.9.3, libx/odata/middleware/batch.js (`odata.batch_limit`, no default); capire, "Data Protection", DoS attacks, and the properties
 *  of CAP Java (`cds.odataV4.batch.maxRequests`). */
export const batchLimitMissing: Rule = defineRule({
  id: 'cap/batch-limit-missing',
  severity: 'LOW',
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
      if (file !== undefined && javaSetting(root, key) === undefined) yield { at: { file }, args: { key } }
      return
    }
    const configurations = root.productive()
    const own = packageOf(root, npm)
    const cds = own?.dependencies.find(({ name }) => name === '@sap/cds')
    if (own === undefined || cds === undefined || configurations.length === 0) return
    if (configurations.some((configuration) => configuration.value('odata', 'batch_limit') !== undefined)) return
    yield { at: { file: own.file, span: cds.nameSpan }, args: { key: 'cds.odata.batch_limit' } }
  },

  text: {
    en: {
      title: 'A single $batch may hold any number of requests',
      message: 'The OData services of this project take $batch requests without a limit: {key} is set nowhere.',
      why: 'One call of a few megabytes makes the server run thousands of queries, past every limit that counts calls.',
      fix: 'Set {key} to the largest number that a client really sends, for instance 100.',
    },
    fr: {
      title: 'Un seul $batch peut contenir n’importe quel nombre de requêtes',
      message: 'Les services OData de ce projet acceptent des $batch sans limite : {key} n’est défini nulle part.',
      why: 'Un seul appel de quelques mégaoctets fait exécuter des milliers de requêtes au serveur, au-delà de toute limite qui compte les appels.',
      fix: 'Donnez à {key} le plus grand nombre qu’un client envoie réellement, par exemple 100.',
    },
  },
})

function isOData({ endpoints }: CapService): boolean {
  return endpoints.some(({ kind }) => kind.startsWith('odata'))
}

function javaConfiguration({ files }: CapRoot): string | undefined {
  return files.find(
    ({ path, kind }) => kind.role === 'application-yaml' && !kind.test && /(?:^|\/)application\.ya?ml$/i.test(path),
  )?.path
}
