import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Requests of scripts of PHP that accept any certificate.
 * Facts: PHP manual, curl_setopt (CURLOPT_SSL_VERIFYPEER is true and CURLOPT_SSL_VERIFYHOST 2 by default).
 * Impact: an attacker on the network path reads and changes what is sent, credentials included, as in `cap/tls-verification-off`.
 */
export const phpTlsOff: Rule = defineRule({
  id: 'btp/php-tls-off',
  impact: 'takeover',
  reach: 'user',
  attacker: 'network',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [295],
  since: '0.3.0',
  docs: 'https://www.php.net/manual/en/function.curl-setopt.php',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'tls', 'rule')
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled in PHP',
      message: 'curl_setopt with {part} makes this request accept any certificate.',
      why: 'An attacker on the network path can impersonate the server, and read and change all traffic, including credentials and tokens.',
      fix: 'Remove this line: curl validates certificates by default. For a private CA, set CURLOPT_CAINFO to the file of its certificate.',
    },
    fr: {
      title: 'Validation du certificat TLS désactivée en PHP',
      message: 'curl_setopt avec {part} fait accepter n’importe quel certificat à cette requête.',
      why: 'Un attaquant placé sur le chemin réseau peut se faire passer pour le serveur, et lire et modifier tout le trafic, identifiants et jetons compris.',
      fix: 'Supprimez cette ligne : curl valide les certificats par défaut. Pour une autorité de certification interne, indiquez le fichier de son certificat dans CURLOPT_CAINFO.',
    },
  }),
})
