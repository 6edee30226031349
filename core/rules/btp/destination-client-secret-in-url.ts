import { readUrl } from '../../model/deployment/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_NAME =
  /^(?:client_?secret|(?:x-)?api-?_?key|access_?token|auth_?token|token|password|passwd|pwd|subscription-?key|sig|secret)$/i

/** Properties that hold what stands before the host of a URL. */
const USER = '"User", "Password"'
const TOKEN_SERVICE_USER = '"tokenServiceUser", "tokenServicePassword"'

/** Filled in elsewhere: a parameter, a variable, a template. */
const REFERENCE = /[$~]\{[^}]{1,200}\}|\{\{[^}]{1,200}\}\}|\(\([^)]{1,200}\)\)|<[^>]{1,200}>|__[A-Z][A-Z0-9_]{1,100}__/

/**
 * A destination that carries a secret in its URL. A literal one is reported by the rules on secrets.
 * Facts: SAP BTP Connectivity, "HTTP Destinations" (`URL.queries.<name>` is appended to the URL of each call).
 * Impact: a reader of a log has the credential; what a key of an API opens is not in the project.
 */
export const destinationClientSecretInUrl: Rule = defineRule({
  id: 'btp/destination-client-secret-in-url',
  impact: 'takeover',
  // who may read the logs of the backend and of what lies between
  reach: 'privileged',
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
        if (parameter !== undefined && SECRET_NAME.test(parameter))
          yield { at: place, args: { name, key, what: parameter, properties: '' }, ...gradeSecret(parameter, '') }
        if (!/^(?:URL|tokenServiceURL)$/i.test(key)) continue
        const what = secretIn(written) ?? secretIn(text)
        const properties = /^URL$/i.test(key) ? USER : TOKEN_SERVICE_USER
        if (what !== undefined) yield { at: place, args: { name, key, what, properties }, ...gradeSecret(what, properties) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Secret in the URL of a destination',
      message: '"{key}" of destination {name} puts the parameter {what} into the URL of each call.',
      why: 'URLs are written to the logs of proxies and servers: an attacker who can read such a log obtains the secret.',
      fix: 'Remove "{key}" from destination {name} and send the value in a header instead, with the property "URL.headers.<header>", if the server accepts this header and the client supports this property.',
      variants: {
        url: {
          fix: 'Remove {what} from "{key}" of destination {name} and send it in a header instead, with the property "{key}.headers.<header>", if the server accepts this header and the client supports this property.',
        },
        client: {
          fix: 'Remove the parameter {what} from destination {name}, and set "Authentication": "OAuth2ClientCredentials" with "clientId", "clientSecret" and "tokenServiceURL".',
        },
        user: {
          message: '"{key}" of destination {name} contains a user name and a password ({what}).',
          why: 'The cockpit displays the URL in plain text: an attacker who can view the destination there obtains the password.',
          fix: 'Move the user name and the password out of "{key}" of destination {name} into {properties:and}, and set "Authentication": "BasicAuthentication".',
        },
        tokenUser: {
          message: '"{key}" of destination {name} contains a user name and a password ({what}).',
          why: 'The cockpit displays the URL in plain text: an attacker who can view the destination there obtains the password.',
          fix: 'Move the user name and the password out of "{key}" of destination {name} into {properties:and}.',
        },
      },
    },
    fr: {
      title: 'Secret dans l’URL d’une destination',
      message: '"{key}" de la destination {name} place le paramètre {what} dans l’URL de chaque appel.',
      why: 'Les URL sont écrites dans les journaux des proxys et des serveurs : un attaquant qui peut lire un tel journal obtient le secret.',
      fix: 'Supprimez "{key}" de la destination {name} et envoyez plutôt la valeur dans un en-tête avec la propriété "URL.headers.<en-tête>", si le serveur accepte cet en-tête et si le client prend en charge cette propriété.',
      variants: {
        url: {
          fix: 'Supprimez {what} de la propriété "{key}" de la destination {name} et envoyez-le plutôt dans un en-tête avec la propriété "{key}.headers.<en-tête>", si le serveur accepte cet en-tête et si le client prend en charge cette propriété.',
        },
        client: {
          fix: 'Supprimez le paramètre {what} de la destination {name}, et définissez "Authentication": "OAuth2ClientCredentials" avec "clientId", "clientSecret" et "tokenServiceURL".',
        },
        user: {
          message: '"{key}" de la destination {name} contient un nom d’utilisateur et un mot de passe ({what}).',
          why: 'Le cockpit affiche l’URL en clair : un attaquant qui peut y consulter la destination obtient le mot de passe.',
          fix: 'Déplacez le nom d’utilisateur et le mot de passe de la propriété "{key}" de la destination {name} vers {properties:et}, et définissez "Authentication": "BasicAuthentication".',
        },
        tokenUser: {
          message: '"{key}" de la destination {name} contient un nom d’utilisateur et un mot de passe ({what}).',
          why: 'Le cockpit affiche l’URL en clair : un attaquant qui peut y consulter la destination obtient le mot de passe.',
          fix: 'Déplacez le nom d’utilisateur et le mot de passe de la propriété "{key}" de la destination {name} vers {properties:et}.',
        },
      },
    },
  }),
})

function gradeSecret(what: string, properties: string): Pick<Match, 'impact' | 'evidence' | 'variant'> {
  const user = properties === USER ? 'user' : 'tokenUser'
  const other = properties === '' ? undefined : 'url'
  const variant = what.endsWith('@') ? user : /^client_?secret$/i.test(what) ? 'client' : other
  const isKey = !/secret|pass|pwd|@$/i.test(what)
  return { ...(isKey && { impact: 'data', evidence: 'assumed' }), ...(variant !== undefined && { variant }) }
}

/** The parameter (or the user) of a URL whose value is a reference. */
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
