import { forwardsToken, isLoopback, isOpen, readUrl } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { whatTravels } from './_what-travels.ts'
import { policyOf } from './_kept-destinations.ts'

/** Hosts whose traffic stays within the platform or the machine. */
const INSIDE = /(?:^|\.)internal$|\.svc(?:\.cluster\.local)?$|\.local$|^[^.]{1,100}$/

/**
 * A destination that is called over the internet without encryption.
 * Facts: SAP BTP Connectivity, "HTTP Destinations"; with ProxyType OnPremise the tunnel of the Cloud Connector encrypts.
 * Impact: an attacker on the network path gets the credentials that the destination sends, or at least what it reads and writes.
 */
export const destinationHttpUrl: Rule = defineRule({
  id: 'btp/destination-http-url',
  impact: 'takeover',
  attacker: 'network',
  // whoever is on the way over the internet
  reach: 'user',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      if (kind !== 'service' || !/^http$/i.test(property('Type')?.text ?? 'HTTP')) continue
      if (!/^internet$/i.test(property('ProxyType')?.text ?? 'Internet')) continue
      for (const key of ['URL', 'tokenServiceURL']) {
        const written = property(key)
        const url = readUrl(written?.text ?? '')
        if (written === undefined || url?.scheme !== 'http') continue
        if (isOpen(url.host) || isLoopback(url.host) || INSIDE.test(url.host)) continue
        // the forwarded token is the worse fault: another rule reports it, at its own place
        if (key === 'URL' && forwardsToken(destination)) continue
        yield {
          at: written.place,
          args: { name, key, host: url.host, policy: policyOf(destination) },
          ...(key === 'tokenServiceURL' ? { variant: 'token' } : whatTravels(destination)),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unencrypted HTTP in a destination',
      message: 'The "{key}" of destination {name} points to http://{host}: requests to it go over the internet without TLS.',
      why: 'An attacker on the network path can read and change all requests and responses, including any credentials in them.',
      fix: 'Change "http://" to "https://" in "{key}" of destination {name}{policy}. For a host in your own network without TLS, use the Cloud Connector ("ProxyType": "OnPremise").',
      variants: {
        token: {
          why: 'An attacker on the network path can read the credentials of the OAuth client and the tokens, and call the backend with them.',
          fix: 'Change "http://" to "https://" in "{key}" of destination {name}{policy}.',
        },
      },
    },
    fr: {
      title: 'HTTP non chiffré dans une destination',
      message:
        '"{key}" de la destination {name} pointe vers http://{host} : les requêtes y sont envoyées par Internet, sans TLS.',
      why: 'Un attaquant placé sur le réseau peut lire et modifier toutes les requêtes et réponses, y compris les identifiants qu’elles peuvent contenir.',
      fix: 'Remplacez "http://" par "https://" dans "{key}" de la destination {name}{policy}. Pour un hôte de votre réseau qui ne prend pas en charge TLS, passez par le Cloud Connector ("ProxyType": "OnPremise").',
      variants: {
        token: {
          why: 'Un attaquant placé sur le réseau peut lire les identifiants du client OAuth et les jetons, et s’en servir pour appeler le backend.',
          fix: 'Remplacez "http://" par "https://" dans "{key}" de la destination {name}{policy}.',
        },
      },
    },
  }),
})
