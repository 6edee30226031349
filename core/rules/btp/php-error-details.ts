import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Errors of the database and of exceptions in the answer of a script of PHP.
 * Facts: PHP manual, mysqli_error, "Error Reporting" (errors belong into a log).
 * Impact: tells names of tables, parts of statements and paths, which make other attacks easier.
 */
export const phpErrorDetails: Rule = defineRule({
  id: 'btp/php-error-details',
  impact: 'bounded',
  confidence: 'high',
  cwe: [209],
  since: '0.3.0',
  docs: 'https://www.php.net/manual/en/security.errors.php',
  on: 'project',

  *check(project) {
    // of a connection that fails no attacker chooses anything
    for (const match of phpMatches(project, 'error'))
      yield { ...match, ...(/connect/i.test(match.args?.['part'] ?? '') && { impact: 'defence' as const }) }
  },

  text: () => ({
    en: {
      title: 'Error details in the answer of a PHP script',
      message: '{sink} sends {part} to the client.',
      why: 'An attacker learns names of tables and columns, parts of statements and paths of the server, which makes SQL injection and other attacks easier.',
      fix: 'Write the details to the log with error_log, and answer with http_response_code(500) and a fixed text.',
    },
    fr: {
      title: 'Détails d’erreurs dans la réponse d’un script PHP',
      message: '{sink} envoie {part} au client.',
      why: 'Un attaquant apprend des noms de tables et de colonnes, des parties d’instructions et des chemins du serveur, ce qui facilite l’injection SQL et d’autres attaques.',
      fix: 'Écrivez les détails dans le journal avec error_log, et répondez avec http_response_code(500) et un texte fixe.',
    },
  }),
})
