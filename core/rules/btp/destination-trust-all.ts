import { isForTesting, isTrue } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { whatTravels } from './_what-travels.ts'
import { policyOf } from './_kept-destinations.ts'

/**
 * A destination that accepts any certificate, or one that was issued for another host.
 * Facts: SAP BTP Connectivity, "Server Certificate Authentication" (`TrustAll`, `HostnameVerifier`).
 * Impact: an attacker on the network path gets the credentials that the destination sends, or at least what it reads and writes; lenient host names take a
 * certificate of a similar name first.
 */
export const destinationTrustAll: Rule = defineRule({
  id: 'btp/destination-trust-all',
  impact: 'takeover',
  attacker: 'network',
  // whoever is on the way over the internet
  reach: 'user',
  grades: { hostname: { impact: 'defence' } },
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-connectivity/blob/main/docs/1-connectivity-documentation/server-certificate-authentication-e75d7f1.md',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const policy = policyOf(destination)
      if (kind !== 'service') continue
      const trust = property('TrustAll')
      if (trust !== undefined && isTrue(trust.text)) {
        const usage = isForTesting(trust.place.file) ? { usage: 'unused' as const } : {}
        yield { at: trust.place, args: { name, value: trust.text, policy }, ...whatTravels(destination), ...usage }
      }
      const verifier = property('HostnameVerifier')
      if (verifier !== undefined && /^browsercompatible$/i.test(verifier.text))
        yield { at: verifier.place, args: { name, value: verifier.text, policy }, variant: 'hostname' }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for a destination',
      message: '"TrustAll" is {value} in destination {name}: the certificate that the server presents is not validated.',
      why: 'An attacker on the network path can impersonate the server and read and change all traffic, including credentials and tokens.',
      fix: 'Remove "TrustAll" from destination {name}{policy}. For a certificate from a private CA, upload the CA certificate, for example as a PEM file, and name the file in "TrustStoreLocation".',
      variants: {
        hostname: {
          title: 'Lenient host name verification in a destination',
          message:
            '"HostnameVerifier" is "{value}" in destination {name}: a wildcard certificate matches subdomains of any depth.',
          why: 'An attacker on the network path who has a wildcard certificate for a parent domain can impersonate the server.',
          fix: 'Set "HostnameVerifier" of destination {name} to "Strict", or remove this property{policy}.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS désactivée pour une destination',
      message: '"TrustAll" vaut {value} dans la destination {name} : le certificat présenté par le serveur n’est pas validé.',
      why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur et lire ou modifier tout le trafic, y compris les identifiants et les jetons.',
      fix: 'Supprimez "TrustAll" de la destination {name}{policy}. Pour un certificat émis par une autorité de certification privée, téléversez le certificat de l’autorité, par exemple dans un fichier PEM, et indiquez ce fichier dans "TrustStoreLocation".',
      variants: {
        hostname: {
          title: 'Vérification laxiste du nom d’hôte dans une destination',
          message:
            '"HostnameVerifier" vaut "{value}" dans la destination {name} : un certificat générique est accepté pour des sous-domaines de toute profondeur.',
          why: 'Un attaquant placé sur le réseau et disposant d’un certificat générique pour un domaine parent peut usurper l’identité du serveur.',
          fix: 'Donnez à "HostnameVerifier", dans la destination {name}, la valeur "Strict", ou supprimez cette propriété{policy}.',
        },
      },
    },
  }),
})
