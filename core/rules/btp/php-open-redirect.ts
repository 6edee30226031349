import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Redirects of scripts of PHP whose whole address a request says.
 * Facts: PHP manual, header; OWASP Unvalidated Redirects and Forwards Cheat Sheet.
 * Impact: a link to the application that leads to a page of the attacker: it serves phishing.
 */
export const phpOpenRedirect: Rule = defineRule({
  id: 'btp/php-open-redirect',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'high',
  cwe: [601],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'redirect', 'rule')
  },

  text: () => ({
    en: {
      title: 'Open redirect in PHP',
      message: '{part} from the request is the address of the Location header.',
      why: 'An attacker can send users a link that starts with your own host and leads to a phishing page.',
      fix: 'Take the address from a constant list, or put a fixed path in front of the value: $page = rawurlencode($page); header("Location: /app/$page");.',
    },
    fr: {
      title: 'Redirection ouverte en PHP',
      message: '{part}, issu de la requête, est l’adresse de l’en-tête Location.',
      why: 'Un attaquant peut envoyer aux utilisateurs un lien qui commence par votre propre hôte et mène à une page d’hameçonnage.',
      fix: 'Prenez l’adresse dans une liste constante, ou placez un chemin fixe devant la valeur : $page = rawurlencode($page); header("Location: /app/$page");.',
    },
  }),
})
