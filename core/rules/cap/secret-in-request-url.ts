import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A credential that is put into the address of a request.
 * Facts: RFC 9110, section 17.9 (addresses are logged and handed on); OWASP, "Information exposure through query strings in URL".
 * Impact: whoever reads the logs of proxies and servers can use the credential.
 */
export const secretInRequestUrl: Rule = defineRule({
  id: 'cap/secret-in-request-url',
  impact: 'takeover',
  reach: 'privileged',
  confidence: 'medium',
  cwe: [598],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Information_exposure_through_query_strings_in_url',
  on: 'flow',

  *check(hit) {
    yield { ...gradeHit(hit), confidence: 'medium', args: { part: hit.quotedPart, sink: hit.quotedSink } }
  },

  text: {
    en: {
      title: 'Credential in a request URL',
      message: 'The URL that {sink} calls contains {part}.',
      why: 'URLs are often written to the logs of servers and gateways, or to error messages. An attacker who can read them obtains the credential.',
      fix: 'Send the credential in a header: headers: { Authorization: … }, or in the body of a POST request. Better still, call the service through an SAP BTP destination that holds the credential.',
      steps: { 'source-secret': '{part} becomes part of a URL.', sink: '{sink} requests this URL.' },
    },
    fr: {
      title: 'Secret dans l’URL d’une requête',
      message: 'L’URL appelée par {sink} contient {part}.',
      why: 'Les URL figurent souvent dans les journaux des serveurs et des passerelles, ou dans des messages d’erreur. Un attaquant qui peut les lire obtient le secret.',
      fix: 'Envoyez le secret dans un en-tête : headers: { Authorization: … }, ou dans le corps d’une requête POST. Mieux encore, appelez le service via une destination SAP BTP qui contient ce secret.',
      steps: { 'source-secret': '{part} entre dans une URL.', sink: '{sink} appelle cette URL.' },
    },
  },
})
