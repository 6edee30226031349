import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * What a request or a row of the database holds, in the HTML that a script of PHP answers with, not encoded. Answers with another content type are none.
 * Facts: PHP manual, htmlspecialchars; the default content type of PHP is text/html (php.ini, default_mimetype).
 * Impact: runs scripts in the session of a victim who follows a link; what is stored runs for whoever opens the page.
 */
export const phpXss: Rule = defineRule({
  id: 'btp/php-xss',
  impact: 'session',
  reach: 'anyone',
  grades: { stored: { reach: 'user', evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [79],
  since: '0.3.0',
  docs: 'https://www.php.net/manual/en/function.htmlspecialchars.php',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'html', 'rule')
  },

  text: () => ({
    en: {
      title: 'Cross-site scripting (XSS) in the answer of a PHP script',
      message: '{sink} writes {part} from the request into an HTML response without encoding it.',
      why: 'An attacker who gets a user to open a crafted link or page can run a script in that user’s browser, with the user’s permissions.',
      fix: 'Encode the value: echo htmlspecialchars($value, ENT_QUOTES). If the answer is data for the app, send header("Content-Type: application/json") first and use json_encode.',
      variants: {
        stored: {
          title: 'Stored cross-site scripting (XSS) in a PHP page',
          message: '{sink} writes {part} from the database into an HTML page without encoding it.',
          why: 'If an attacker can store text there, it runs as a script in the browser of each user who opens the page.',
          fix: 'Encode the value where the page shows it: <?= htmlspecialchars($row["name"], ENT_QUOTES) ?>.',
        },
      },
    },
    fr: {
      title: 'Script intersite (XSS) dans la réponse d’un script PHP',
      message: '{sink} écrit {part}, issu de la requête, dans une réponse HTML sans l’encoder.',
      why: 'Un attaquant qui amène un utilisateur à ouvrir un lien ou une page forgés peut exécuter un script dans son navigateur, avec ses droits.',
      fix: 'Encodez la valeur : echo htmlspecialchars($value, ENT_QUOTES). Si la réponse est destinée à l’application, envoyez d’abord header("Content-Type: application/json") et utilisez json_encode.',
      variants: {
        stored: {
          title: 'Script intersite (XSS) stocké dans une page PHP',
          message: '{sink} écrit {part}, issu de la base de données, dans une page HTML sans l’encoder.',
          why: 'Si un attaquant peut y enregistrer du texte, celui-ci s’exécute comme script dans le navigateur de chaque utilisateur qui ouvre la page.',
          fix: 'Encodez la valeur là où la page l’affiche : <?= htmlspecialchars($row["name"], ENT_QUOTES) ?>.',
        },
      },
    },
  }),
})
