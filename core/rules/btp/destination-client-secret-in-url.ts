import { readUrl } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_NAME =
  /^(?:client_?secret|(?:x-)?api-?_?key|access_?token|auth_?token|token|password|passwd|pwd|subscription-?key|sig|secret)$/i

/** Somebody else fills it in: a parameter, a variable, a template. A literal one is a finding of the rules on secrets. */
const REFERENCE = /[$~]\{[^}]{1,200}\}|\{\{[^}]{1,200}\}\}|\(\([^)]{1,200}\)\)|<[^>]{1,200}>|__[A-Z][A-Z0-9_]{1,100}__/

/** A destination that carries a secret in its address.
 *  Facts: SAP BTP Connectivity, "HTTP Destinations" (`URL.queries.<name>` is appended to each address). */
export const destinationClientSecretInUrl: Rule = defineRule({
  id: 'btp/destination-client-secret-in-url',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [598],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const { kind, name, properties } of destinations) {
      if (kind !== 'service') continue
      for (const { key, written, text, place } of properties) {
        if (!REFERENCE.test(written)) continue
        const parameter = /^URL\.queries\.(.{1,100})$/i.exec(key)?.[1]
        if (parameter !== undefined && SECRET_NAME.test(parameter)) yield { at: place, args: { name, key, what: parameter } }
        if (!/^(?:URL|tokenServiceURL)$/i.test(key)) continue
        const what = secretIn(written) ?? secretIn(text)
        if (what !== undefined) yield { at: place, args: { name, key, what } }
      }
    }
  },

  text: {
    en: {
      title: 'A destination carries a secret in its address',
      message: '"{key}" of destination {name} puts {what} into the address of each call.',
      why: 'Addresses are written into the logs of every proxy and server on the way, and shown in the cockpit: whoever reads one has the secret.',
      fix: 'Send it where nobody logs it: an authentication of the destination, or a header ("URL.headers.<name>").',
    },
    fr: {
      title: 'Une destination porte un secret dans son adresse',
      message: '« {key} » de la destination {name} met {what} dans l’adresse de chaque appel.',
      why: 'Les adresses sont écrites dans les journaux de chaque proxy et serveur traversé, et affichées dans le cockpit : qui en lit une a le secret.',
      fix: 'Envoyez-le là où personne ne le journalise : une authentification de la destination, ou un en-tête (« URL.headers.<nom> »).',
    },
  },
})

/** The parameter (or the user) of an address whose value is a reference. */
function secretIn(address: string): string | undefined {
  const url = readUrl(address)
  if (url === undefined) return undefined
  if (url.user?.includes(':') === true && REFERENCE.test(url.user)) return `${url.user.split(':', 1)[0] ?? ''}:…@`
  for (const pair of url.query.split('&', 100)) {
    const [parameter = '', value = ''] = pair.split('=', 2)
    if (SECRET_NAME.test(parameter) && REFERENCE.test(value)) return parameter
  }
  return undefined
}
