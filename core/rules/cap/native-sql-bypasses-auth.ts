import { isMultitenant, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { nativeSql } from './_native-sql.ts'
import type { Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * SQL that a service sends to the database past CAP.
 * Facts: capire, "Authorization" (restrictions are conditions of CQN; a text of SQL has none), "Native SQL"; multitenancy (a connection of its own belongs to one tenant).
 * Severity: what is read may be checked by hand, LOW; MEDIUM where a driver's own connection has to tell tenants apart as well: CAP's database service does so itself.
 */
export const nativeSqlBypassesAuth: Rule = defineRule({
  id: 'cap/native-sql-bypasses-auth',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [285],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#injection-attacks',
  extracts: [nativeSql],
  checks: {
    *'cap-root'(root) {
      if (root.test || root.runtime !== 'node') return
      for (const { file, value } of root.scripts.get(nativeSql)) {
        const { start, end, call } = value
        yield { at: { file, span: { start, end } }, severity: severityIn(root), args: { call }, variant: 'driver' }
      }
    },

    *flow({ at, sink, steps }, { capRoots }) {
      if (isDeveloperFile(at.file) || isToolFile(at.file)) return
      const root = capRoots.find(({ files }) => files.some(({ path }) => path === at.file))
      if (root === undefined || root.test || root.runtime !== 'node') return
      yield { at, flow: steps, args: { call: sink } }
    },
  },

  text: {
    en: {
      title: 'Native SQL bypassing the restrictions of the CDS model',
      message: '{call} runs an SQL statement that CAP sends to the database unchanged.',
      why: 'Conditions of @restrict, excluded elements and the locale are not applied: users can get rows that the service would not return to them.',
      fix: 'Write the query in CQL and run it on the service that restricts the data: srv.run(SELECT.from(srv.entities.Orders).where({ … })). For what only SQL can do, define a view in db/ and expose it.',
      variants: {
        driver: {
          title: 'Database driver used directly by a service',
          message: 'The service calls the database driver directly ({call}), bypassing CAP.',
          why: 'CAP applies neither the restrictions of the model nor the tenant’s schema, the transaction or the audit log: users can get or change data that is not theirs.',
          fix: 'Write the query in CQL and run it on the service that restricts the data: srv.run(SELECT.from(srv.entities.Orders)). For data without restrictions, run it on CAP’s database service: cds.run(query).',
        },
      },
    },
    fr: {
      title: 'SQL natif contournant les restrictions du modèle CDS',
      message: '{call} exécute une instruction SQL que CAP envoie telle quelle à la base.',
      why: 'Les conditions de @restrict, les éléments exclus et la langue ne s’appliquent pas : des utilisateurs peuvent obtenir des lignes que le service ne leur renverrait pas.',
      fix: 'Écrivez la requête en CQL et exécutez-la sur le service qui restreint les données : srv.run(SELECT.from(srv.entities.Orders).where({ … })). Pour ce que seul SQL permet, définissez une vue dans db/ et exposez-la.',
      variants: {
        driver: {
          title: 'Pilote de base de données appelé directement par un service',
          message: 'Le service appelle directement le pilote de base de données ({call}), sans passer par CAP.',
          why: 'CAP n’applique ni les restrictions du modèle, ni le schéma du locataire, ni la transaction, ni le journal d’audit : des utilisateurs peuvent obtenir ou modifier des données qui ne sont pas les leurs.',
          fix: 'Écrivez la requête en CQL et exécutez-la sur le service qui restreint les données : srv.run(SELECT.from(srv.entities.Orders)). Pour des données sans restriction, exécutez-la sur le service de base de données de CAP : cds.run(query).',
        },
      },
    },
  },
})

function severityIn(root: CapRoot): Severity {
  return isMultitenant(root) ? 'MEDIUM' : 'LOW'
}
