import { isMultitenant, restrictionsOf, type CapRoot } from '../../model/cap/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { nativeSql } from './_sql/native-sql.ts'
import type { GradeFacts } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * SQL that a service sends to the database past CAP.
 * Facts: capire, "Authorization" (restrictions are conditions of CQN; a text of SQL has none), "Native SQL"; multitenancy (a connection of its own belongs to one tenant).
 * Impact: what is read may be checked by hand; a connection of a driver has to tell tenants apart as well, which is not in the statement: CAP’s database
 * service does so itself.
 */
export const nativeSqlBypassesAuth: Rule = defineRule({
  id: 'cap/native-sql-bypasses-auth',
  impact: 'defence',
  confidence: 'medium',
  cwe: [285],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restrict-annotation',
  extracts: [nativeSql],
  checks: {
    *'cap-root'(root) {
      if (root.test || root.runtime !== 'node') return
      for (const { file, value } of root.scripts.get(nativeSql)) {
        const { start, end, call } = value
        yield { at: { file, span: { start, end } }, ...gradeIn(root), args: { call }, variant: 'driver' }
      }
    },

    *flow({ at, sink, steps, part }, { capRoots }) {
      if (isDeveloperFile(at.file) || isToolFile(at.file)) return
      const root = capRoots.find(({ files }) => files.some(({ path }) => path === at.file))
      if (root === undefined || root.test || root.runtime !== 'node') return
      // a new row is nobody's yet, and no condition of the model would be asked for it
      if (ADDS.test(part) && root.services.length > 0 && !hasConditions(root)) return
      yield { at, flow: steps, args: { call: sink } }
    },
  },

  text: () => ({
    en: {
      title: 'Native SQL bypassing the restrictions of the CDS model',
      message: '{call} passes a native SQL statement to the database.',
      why: 'CAP applies neither @restrict conditions nor the exclusion of elements to native SQL: where the model restricts this data, users may be able to read or change more than the service allows.',
      fix: 'Write the query in CQL and run it on the service that restricts the data: srv.run(SELECT.from(srv.entities.Orders).where({ … })). For what only SQL can do, expose a database view as an entity with @cds.persistence.exists and @restrict.',
      variants: {
        driver: {
          title: 'Database driver called directly, bypassing CAP',
          message: 'The application runs SQL through the database driver ({call}).',
          why: 'CAP applies neither @restrict conditions nor, in a multitenant application, tenant isolation to such statements, so users may be able to read or change more than the service allows.',
          fix: 'Write the query in CQL and run it on the service that restricts the data: srv.run(SELECT.from(srv.entities.Orders)). For data without restrictions, run it on CAP’s database service: cds.run(query).',
        },
      },
    },
    fr: {
      title: 'SQL natif contournant les restrictions du modèle CDS',
      message: '{call} transmet à la base de données une instruction SQL native.',
      why: 'CAP n’applique au SQL natif ni les conditions de @restrict ni l’exclusion d’éléments : si le modèle restreint ces données, des utilisateurs risquent de pouvoir en lire ou en modifier plus que le service ne le permet.',
      fix: 'Écrivez la requête en CQL et exécutez-la sur le service qui restreint les données : srv.run(SELECT.from(srv.entities.Orders).where({ … })). Pour ce que seul SQL permet, exposez une vue de base de données comme entité avec @cds.persistence.exists et @restrict.',
      variants: {
        driver: {
          title: 'Pilote de base de données appelé directement, sans CAP',
          message: 'L’application exécute du SQL au moyen du pilote de base de données ({call}).',
          why: 'CAP n’applique à ces instructions ni les conditions de @restrict ni, dans une application multi-locataire, l’isolation des locataires : des utilisateurs risquent de pouvoir lire ou modifier plus de données que le service ne le permet.',
          fix: 'Écrivez la requête en CQL et exécutez-la sur le service qui restreint les données : srv.run(SELECT.from(srv.entities.Orders)). Pour des données sans restriction, exécutez-la sur le service de base de données de CAP : cds.run(query).',
        },
      },
    },
  }),
})

/** A statement that only adds rows, as it is written. */
const ADDS = /^["'`]?\s{0,20}insert\s/i

function hasConditions(root: CapRoot): boolean {
  for (const { name } of restrictionsOf(root)) if (name === 'restrict') return true
  return false
}

function gradeIn(root: CapRoot): GradeFacts {
  return isMultitenant(root) ? { impact: 'data', evidence: 'assumed' } : {}
}
