import { isForTesting, isTrue } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A destination that takes any certificate, or one for another host.
 *  Facts: SAP BTP Connectivity, "Server Certificate Authentication" (`TrustAll`, `HostnameVerifier`). */
export const destinationTrustAll: Rule = defineRule({
  id: 'btp/destination-trust-all',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-connectivity/blob/main/docs/1-connectivity-documentation/server-certificate-authentication-e75d7f1.md',
  on: 'deployment',

  *check({ destinations }) {
    for (const { kind, name, property } of destinations) {
      if (kind !== 'service') continue
      const trust = property('TrustAll')
      if (trust !== undefined && isTrue(trust.text)) {
        const severity = isForTesting(trust.place.file) ? 'MEDIUM' : 'HIGH'
        yield { at: trust.place, args: { name, value: trust.text }, severity }
      }
      const verifier = property('HostnameVerifier')
      if (verifier !== undefined && /^browsercompatible$/i.test(verifier.text))
        yield { at: verifier.place, args: { name, value: verifier.text }, severity: 'LOW', variant: 'hostname' }
    }
  },

  text: {
    en: {
      title: 'A destination trusts every certificate',
      message: '"TrustAll" is {value} in destination {name}: no certificate of the server is checked.',
      why: 'Whoever gets between can pose as the server, and reads and changes everything, credentials and tokens included.',
      fix: 'Remove "TrustAll" from {name}. For a certificate of your own authority name a trust store: "TrustStoreLocation".',
      variants: {
        hostname: {
          title: 'A destination checks host names loosely',
          message: '"HostnameVerifier" is {value} in destination {name}: a wildcard certificate fits any depth of subdomains.',
          why: 'A certificate for a neighbouring subdomain is enough to pose as the server.',
          fix: 'Write "HostnameVerifier": "Strict" in {name}, or remove it.',
        },
      },
    },
    fr: {
      title: 'Une destination fait confiance à tout certificat',
      message: '« TrustAll » vaut {value} dans la destination {name} : aucun certificat du serveur n’est vérifié.',
      why: 'Quiconque s’interpose peut se faire passer pour le serveur, lire et modifier tous les échanges, identifiants et jetons compris.',
      fix: 'Supprimez « TrustAll » de {name}. Pour un certificat de votre propre autorité, indiquez un magasin : « TrustStoreLocation ».',
      variants: {
        hostname: {
          title: 'Une destination vérifie mollement le nom d’hôte',
          message:
            '« HostnameVerifier » vaut {value} dans la destination {name} : un certificat générique vaut pour toute profondeur de sous-domaines.',
          why: 'Un certificat pour un sous-domaine voisin suffit pour se faire passer pour le serveur.',
          fix: 'Écrivez « "HostnameVerifier": "Strict" » dans {name}, ou supprimez-le.',
        },
      },
    },
  },
})
