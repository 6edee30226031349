import { defineRule, type Rule } from '../rule.ts'
import { PARENT_WORDS, sentParentMatches, sentParents } from './_rows/sent-parents.ts'
import { uncheckedRows } from './_rows/unchecked-rows.ts'

/**
 * A row is read by one field of the request and checked, and another field of the same request names the row that is written then. Or the client names
 * the parent whose state is checked before a change.
 * Facts: OWASP API Security Top 10 2023, API1 (the check has to be about the object that is used); CWE-639.
 * Impact: who passes the check with a row of their own writes any other one. What functions of other files write, their names tell.
 */
export const uncheckedRowWritten: Rule = defineRule({
  id: 'cap/unchecked-row-written',
  impact: 'data',
  grades: { named: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#enforcement',
  keywords: ['UPDATE', 'DELETE', '.update(', '.delete(', 'throw', '.reject('],
  // the owner of the row is asked for elsewhere
  yieldsTo: ['cap/missing-ownership-check'],

  extracts: [sentParents],
  checks: {
    *'cap-root'(root, { reach }) {
      if (!root.test && root.runtime === 'node') yield* sentParentMatches(root, reach)
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      for (const { start, end, entity, checkedBy, writtenBy, row, isNamed } of uncheckedRows(facts, text, (count) =>
        budget.step(count),
      ))
        yield {
          at: { file: path, span: { start, end } },
          args: { entity, checkedBy, writtenBy, row },
          ...(isNamed && { variant: 'named' }),
        }
    },
  },

  text: () => ({
    en: {
      title: 'Checked row differs from the row that is written',
      message:
        'The handler checks {row}, the row of {entity} that {checkedBy} names, but this statement writes the row that {writtenBy} names: nothing compares the two.',
      why: 'An attacker sends the {checkedBy} of a row that passes the check together with the key of any other row, and changes that one.',
      fix: 'Use the key of the checked row in the condition, {row}.ID, instead of {writtenBy}. Or reject the request if they differ.',
      variants: {
        parent: PARENT_WORDS.en,
        named: {
          message:
            'The function checks {row}, which {checkedBy} names, but this call writes what {writtenBy} names: nothing compares the two.',
          fix: 'Pass the key of the checked row, a field of {row}, instead of {writtenBy}. Or reject the request if they differ.',
        },
      },
    },
    fr: {
      title: 'Ligne vérifiée différente de la ligne modifiée',
      message:
        'Le gestionnaire vérifie {row}, la ligne de {entity} que désigne {checkedBy}, mais cette instruction modifie la ligne que désigne {writtenBy} : rien ne compare les deux.',
      why: 'Un attaquant envoie le {checkedBy} d’une ligne qui passe le contrôle avec la clé de n’importe quelle autre ligne, et modifie celle-ci.',
      fix: 'Utilisez la clé de la ligne vérifiée dans la condition, {row}.ID, au lieu de {writtenBy}. Ou rejetez la requête si elles diffèrent.',
      variants: {
        parent: PARENT_WORDS.fr,
        named: {
          message:
            'La fonction vérifie {row}, que désigne {checkedBy}, mais cet appel modifie ce que désigne {writtenBy} : rien ne compare les deux.',
          fix: 'Transmettez la clé de la ligne vérifiée, un champ de {row}, au lieu de {writtenBy}. Ou rejetez la requête si elles diffèrent.',
        },
      },
    },
  }),
})
