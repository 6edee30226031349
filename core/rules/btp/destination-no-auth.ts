import { forwardsToken, isInternal, isLoopback, isOpen, isPublicByNature, isTrue, readUrl } from '../../model/deployment/index.ts'
import type { Destination } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Hosts of SAP's applications: each holds business data. */
const BUSINESS_HOST =
  /(?:^|\.)(?:s4hana\.ondemand\.com|s4hana\.cloud\.sap|successfactors\.(?:com|eu)|sapsf\.(?:com|eu|cn)|sapbydesign\.com|crm\.ondemand\.com|ariba\.com|concursolutions\.com|fieldglass\.net)$/

/** A destination that calls a backend without saying who calls.
 *  Facts: SAP BTP Connectivity, "HTTP Destinations"; @sap/approuter 23.0.0 README (`HTML5.ForwardAuthToken` wants `NoAuthentication`). */
export const destinationNoAuth: Rule = defineRule({
  id: 'btp/destination-no-auth',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const authentication = property('Authentication')
      if (kind !== 'service' || authentication === undefined || !/^NoAuthentication$/i.test(authentication.text)) continue
      if (!/^http$/i.test(property('Type')?.text ?? 'HTTP') || forwardsToken(destination) || hasOwnKey(destination)) continue
      const host = readUrl(property('URL')?.text ?? '')?.host
      if (host === undefined || isOpen(host) || isLoopback(host) || isPublicByNature(host)) continue
      const onPremise = property('ProxyType')?.text.toLowerCase() === 'onpremise'
      const isDelicate = BUSINESS_HOST.test(host) || (isInternal(host) && !onPremise)
      yield {
        at: authentication.place,
        args: { name, host },
        ...(isDelicate ? { severity: 'HIGH' as const } : { confidence: 'medium' as const }),
      }
    }
  },

  text: {
    en: {
      title: 'A destination calls its backend without authentication',
      message: 'Destination {name} calls {host} with "NoAuthentication" and forwards no token.',
      why: 'Either the backend answers everybody who reaches it, or its only guard is the network: whoever can use the destination or reach {host} has its data.',
      fix: 'Choose an authentication for {name}: PrincipalPropagation, OAuth2UserTokenExchange or OAuth2ClientCredentials; for a service of your own "HTML5.ForwardAuthToken": true.',
    },
    fr: {
      title: 'Une destination appelle son serveur sans authentification',
      message: 'La destination {name} appelle {host} avec « NoAuthentication » et ne transmet aucun jeton.',
      why: 'Soit le serveur répond à quiconque l’atteint, soit le réseau est sa seule protection : qui peut utiliser la destination ou atteindre {host} a ses données.',
      fix: 'Choisissez une authentification pour {name} : PrincipalPropagation, OAuth2UserTokenExchange ou OAuth2ClientCredentials ; pour un service à vous, « "HTML5.ForwardAuthToken": true ».',
    },
  },
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
