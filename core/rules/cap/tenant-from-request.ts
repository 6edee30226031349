import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * A transaction for a tenant that the client chooses.
 * Facts: CAP documentation, "srv.tx" (a context with a tenant counts as it stands); @sap/cds 9.9.3, lib/srv/srv-tx.js.
 * Impact: reads and changes data of other tenants.
 */
export const tenantFromRequest: Rule = defineRule({
  id: 'cap/tenant-from-request',
  impact: 'data',
  confidence: 'high',
  cwe: [639],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-tx#srv-tx-ctx',
  on: 'flow',

  *check(hit) {
    // a payload of a message is trusted by messaging-handler-trusts-payload
    if (hit.entry === 'message') return
    yield { ...gradeHit(hit), args: { part: hit.quotedPart, sink: hit.quotedSink } }
  },

  text: () => ({
    en: {
      title: 'Transaction tenant chosen by the client',
      message: '{sink} uses request data ({part}) as the tenant.',
      why: 'A caller can name any tenant and access that tenant’s data.',
      fix: 'Take the tenant from the authenticated request: req.tenant or cds.context.tenant. For jobs that process several tenants, take the tenants from the subscriptions on the server.',
    },
    fr: {
      title: 'Locataire choisi par le client pour une transaction',
      message: 'Le locataire passé à {sink} provient des données de la requête ({part}).',
      why: 'Un appelant peut indiquer n’importe quel locataire et accéder aux données de celui-ci.',
      fix: 'Prenez le locataire de la requête authentifiée : req.tenant ou cds.context.tenant. Pour les tâches qui traitent plusieurs locataires, déterminez ceux-ci côté serveur, à partir des abonnements.',
    },
  }),
})
