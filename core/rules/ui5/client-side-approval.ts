import { approvalServers, limitDecisions } from './_limit-decisions.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An approval that the page decides: it compares an amount with the limit of the user and writes itself that something is approved.
 * Facts: SAPUI5 documentation, "Browser Security": what runs in the browser can be changed by its user; CWE-602.
 * Impact: users approve what is beyond their limit, or in another name. The service may compare again, and nothing in the project says so; scripts of the project that
 * only pass requests on do not.
 */
export const clientSideApproval: Rule = defineRule({
  id: 'ui5/client-side-approval',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [602],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html#ensure-authorization-checks-are-performed-on-the-server-side',
  extracts: [limitDecisions, approvalServers],
  on: 'ui5-app',

  *check(app, { capRoots, scripts }) {
    // handlers of the project may compare again
    if (capRoots.some(({ test, services }) => !test && services.length > 0)) return
    const servers = scripts.get(approvalServers)
    if (servers.some(({ value }) => value === 'asks')) return
    for (const { file, value } of app.scripts.get(limitDecisions)) {
      const { amount, limit, field, start, end } = value
      yield {
        at: { file, span: { start, end } },
        args: { amount, limit, field },
        groupKey: file,
        ...(servers.length > 0 && { evidence: 'shown' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Approval decided in the client',
      message: 'The page compares {amount} with {limit} and sets {field} by the result; no server in this project compares them.',
      why: 'A user can set the field from the browser console or send it with a request, and so approve any amount, beyond the own limit or in the name of another user.',
      fix: 'Let a service approve: the page sends the key to an action alone, whose handler compares the amount with the limit of the authenticated user and sets {field}. If a service outside this project does so, suppress this finding with that reason.',
    },
    fr: {
      title: 'Approbation décidée côté client',
      message:
        'La page compare {amount} à {limit} et renseigne {field} selon le résultat ; aucun serveur de ce projet ne les compare.',
      why: 'Un utilisateur peut renseigner ce champ depuis la console du navigateur ou l’envoyer par une requête, et ainsi approuver tout montant, au-delà de sa limite ou au nom d’un autre.',
      fix: 'Laissez un service approuver : la page n’envoie que la clé à une action, dont le gestionnaire compare le montant à la limite de l’utilisateur authentifié et renseigne {field}. Si un service hors de ce projet le fait, masquez ce constat en indiquant ce motif.',
    },
  }),
})
