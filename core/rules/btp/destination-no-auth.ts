import { forwardsToken, isInternal, isLoopback, isOpen, isPublicByNature, isTrue, readUrl } from '../../model/deployment/index.ts'
import type { Destination } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/** Hosts that are public by name: open data, and data of public administrations. */
const PUBLIC_HOST =
  /(?:^|[.-])(?:open-?data|open-?api|public)(?:[.-]|$)|(?:^|\.)(?:europa\.eu|gov|gov\.[a-z]{2}|gouv\.fr|bund\.de|admin\.ch)$/
const PUBLIC_PATH = /^[^?#]{0,500}?\/\/[^/]{1,300}\/(?:[^?#]{0,500}\/)?(?:public|open-?data)(?:[/?#]|$)/i

/** Hosts of SAP's applications: each holds business data. */
const BUSINESS_HOST =
  /(?:^|\.)(?:s4hana\.ondemand\.com|s4hana\.cloud\.sap|successfactors\.(?:com|eu)|sapsf\.(?:com|eu|cn)|sapbydesign\.com|crm\.ondemand\.com|ariba\.com|concursolutions\.com|fieldglass\.net)$/

/**
 * A destination that calls a backend without authentication and without the user's token.
 * Facts: SAP BTP Connectivity, "HTTP Destinations"; @sap/approuter 23.0.0 README (`HTML5.ForwardAuthToken` wants `NoAuthentication`).
 * Impact: users read and change data of a backend that does not know them. That a host which is not known to hold business data has anything to protect is
 * a guess; hosts and paths that are public by name are only worth knowing.
 */
export const destinationNoAuth: Rule = defineRule({
  id: 'btp/destination-no-auth',
  impact: 'data',
  // through the app; whether the backend answers without authentication is not in the project
  reach: 'user',
  evidence: 'assumed',
  grades: { public: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-connectivity/blob/main/docs/1-connectivity-documentation/no-authentication-699f0d1.md',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const authentication = property('Authentication')
      if (kind !== 'service' || authentication === undefined || !/^NoAuthentication$/i.test(authentication.text)) continue
      if (!/^http$/i.test(property('Type')?.text ?? 'HTTP') || forwardsToken(destination) || hasOwnKey(destination)) continue
      const address = property('URL')?.text ?? ''
      const host = readUrl(address)?.host
      if (host === undefined || isOpen(host) || isLoopback(host) || isPublicByNature(host)) continue
      const onPremise = property('ProxyType')?.text.toLowerCase() === 'onpremise'
      const isBusiness = BUSINESS_HOST.test(host) || (isInternal(host) && !onPremise)
      const isPublic = !isBusiness && !onPremise && (PUBLIC_HOST.test(host) || PUBLIC_PATH.test(address))
      // a client certificate does not get through the Cloud Connector
      const technical = onPremise ? 'OAuth2TechnicalUserPropagation' : 'ClientCertificateAuthentication'
      const keys = onPremise ? 'tokenServiceURL, clientId, clientSecret' : 'KeyStoreLocation, KeyStorePassword'
      const userKeys = onPremise ? '' : ' (tokenServiceURL, audience, clientKey, authnContextClassRef)'
      const instead = onPremise ? 'PrincipalPropagation' : 'OAuth2SAMLBearerAssertion'
      yield {
        at: authentication.place,
        args: { name, host, instead, userKeys, technical, keys, policy: policyOf(destination) },
        ...(!isBusiness && { confidence: 'medium' as const }),
        ...(!isBusiness && !onPremise && { evidence: 'guessed' as const }),
        ...(isPublic && { variant: 'public' }),
        ...((onPremise || BUSINESS_HOST.test(host)) && { variant: 'backend' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Destination without authentication',
      message:
        'Destination {name} points to the host {host} with "Authentication": "NoAuthentication" and forwards no user token.',
      why: 'If the host {host} serves non-public data this way, an attacker who can reach the host or use the destination can read or change this data without authentication.',
      fix: 'Check that the API requires authentication. Then set "Authentication" of destination {name} to "OAuth2ClientCredentials" ("tokenServiceURL", "clientId", "clientSecret"); for your own service, add "HTML5.ForwardAuthToken": true instead{policy}.',
      variants: {
        backend: {
          fix: 'Check that the backend requires authentication. Then set "Authentication" of destination {name} to "{instead}"{userKeys} or, for technical access, "{technical}" ({keys}){policy}.',
        },
        public: {
          title: 'Destination to a public API without authentication',
          message: 'Destination {name} points to the host {host} with "NoAuthentication"; the host or the path looks public.',
          why: 'This is expected for public data. If the API also serves non-public data, an attacker can read it without authentication.',
          fix: 'Suppress this finding if the host {host} serves public data only. Otherwise, set "Authentication" of destination {name} to what the API requires, for example "OAuth2ClientCredentials"{policy}.',
        },
      },
    },
    fr: {
      title: 'Destination sans authentification',
      message:
        'La destination {name} pointe vers l’hôte {host} avec "Authentication": "NoAuthentication" et ne transmet aucun jeton d’utilisateur.',
      why: 'Si l’hôte {host} fournit ainsi des données non publiques, un attaquant qui peut joindre cet hôte ou utiliser la destination peut les lire ou les modifier sans authentification.',
      fix: 'Vérifiez que l’API exige une authentification. Donnez ensuite à "Authentication", dans la destination {name}, la valeur "OAuth2ClientCredentials" ("tokenServiceURL", "clientId", "clientSecret") ; s’il s’agit de votre propre service, ajoutez plutôt "HTML5.ForwardAuthToken": true{policy}.',
      variants: {
        backend: {
          fix: 'Vérifiez que le backend exige une authentification. Donnez ensuite à "Authentication", dans la destination {name}, la valeur "{instead}"{userKeys} ou, pour un accès technique, "{technical}" ({keys}){policy}.',
        },
        public: {
          title: 'Destination vers une API publique sans authentification',
          message: 'La destination {name} pointe vers l’hôte {host} avec "NoAuthentication" ; l’hôte ou le chemin semble public.',
          why: 'Cela convient à des données publiques. Si l’API fournit aussi des données non publiques, un attaquant peut les lire sans authentification.',
          fix: 'Masquez ce constat si l’hôte {host} ne fournit que des données publiques. Sinon, donnez à "Authentication", dans la destination {name}, la valeur que l’API exige, par exemple "OAuth2ClientCredentials"{policy}.',
        },
      },
    },
  }),
})

/** A header, a parameter, a client certificate or a service key that authenticates all the same. */
function hasOwnKey({ properties }: Destination): boolean {
  return properties.some(
    ({ key, text }) =>
      /^URL\.(?:headers|queries)\..{0,60}(?:key|token|auth|secret|cookie)/i.test(key) ||
      /^(?:KeyStoreLocation|ServiceKeyName|tokenServiceURL)$/i.test(key) ||
      (/^HTML5\.ForwardAuthCertificates$/i.test(key) && isTrue(text)),
  )
}
