import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Headers of CORS with which a script of PHP lets the pages of any site read its answers.
 * Facts: Fetch standard, "CORS protocol" (`*` goes with no credentials; an origin that is echoed does).
 * Impact: `*` opens what a script gives without a login to pages of other sites, in networks that these don't reach otherwise.
 */
export const phpCorsAnyOrigin: Rule = defineRule({
  id: 'btp/php-cors-any-origin',
  impact: 'defence',
  reach: 'anyone',
  grades: { echoed: { impact: 'session' } },
  confidence: 'high',
  cwe: [942],
  since: '0.3.0',
  docs: 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
  on: 'project',

  *check(project) {
    // one header for all scripts: what is wrong with it is said once
    for (const match of phpMatches(project, 'cors', 'rule')) yield { ...match, groupKey: match.variant ?? 'any' }
  },

  text: () => ({
    en: {
      title: 'CORS allows any origin in PHP',
      message: 'This script sends Access-Control-Allow-Origin: *.',
      why: 'Pages of any site can call this script from the browser of a user and read its answer; what has no login is then open to them even inside a company network.',
      fix: 'Remove the header if the app comes from the same host. Otherwise send the origin of the app alone: header("Access-Control-Allow-Origin: https://app.example.com").',
      variants: {
        echoed: {
          message: 'This script sends the Origin header of the request back as Access-Control-Allow-Origin.',
          fix: 'Compare the origin with a constant list before you send it: if (in_array($_SERVER["HTTP_ORIGIN"], $allowed, true)) header(…).',
        },
      },
    },
    fr: {
      title: 'CORS autorise toute origine en PHP',
      message: 'Ce script envoie Access-Control-Allow-Origin: *.',
      why: 'Les pages de n’importe quel site peuvent appeler ce script depuis le navigateur d’un utilisateur et lire sa réponse ; ce qui est sans connexion leur est alors ouvert, même dans un réseau d’entreprise.',
      fix: 'Supprimez l’en-tête si l’application vient du même hôte. Sinon, n’envoyez que l’origine de l’application : header("Access-Control-Allow-Origin: https://app.example.com").',
      variants: {
        echoed: {
          message: 'Ce script renvoie l’en-tête Origin de la requête comme Access-Control-Allow-Origin.',
          fix: 'Comparez l’origine à une liste constante avant de l’envoyer : if (in_array($_SERVER["HTTP_ORIGIN"], $allowed, true)) header(…).',
        },
      },
    },
  }),
})
