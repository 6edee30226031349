import { remoteBodies } from './_routes/remote-bodies.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A request that changes data in another system with a technical user, and whose body is a text that the client wrote: the handler is a confused deputy.
 * Facts: CWE-441; SAP Cloud SDK 4, `executeHttpRequest`; SAP BTP Connectivity, "HTTP Destinations" (BasicAuthentication: the other system sees one user for all).
 * Impact: users write what the technical user may; which fields decide for others, only the other system tells.
 */
export const remoteBodyFromRequest: Rule = defineRule({
  id: 'cap/remote-body-from-request',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [441, 915],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
  extracts: [remoteBodies],
  on: 'cap-root',

  *check(root) {
    if (root.test) return
    for (const { file, value } of root.scripts.get(remoteBodies)) {
      root.step()
      const { method, part, start, end } = value
      yield { at: { file, span: { start, end } }, args: { method, part }, groupKey: `${file} bodies` }
    }
  },

  text: () => ({
    en: {
      title: 'Body of a request with a technical user written by the client',
      message:
        'The whole body of this {method} request is the text {part} of the client, and the request logs on with a technical user.',
      why: 'A user can set every field that the technical user may write, such as customers, prices and states: the other system does not know who asked.',
      fix: 'Declare the fields as parameters of the action and build the body of them: data: { material: req.data.material }. Check which of them this user may choose. Or use principal propagation, so that the other system checks the user.',
    },
    fr: {
      title: 'Corps d’un appel avec un utilisateur technique écrit par le client',
      message:
        'Tout le corps de cet appel {method} est le texte {part} du client, et l’appel s’authentifie avec un utilisateur technique.',
      why: 'Un utilisateur peut renseigner chaque champ que l’utilisateur technique peut écrire, comme les clients, les prix et les statuts : l’autre système ne sait pas qui appelle.',
      fix: 'Déclarez les champs comme paramètres de l’action et construisez-en le corps : data: { material: req.data.material }. Vérifiez lesquels cet utilisateur peut choisir. Ou propagez l’identité, pour que l’autre système vérifie l’utilisateur.',
    },
  }),
})
