import { isLoopback, readUrl, textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Redirect URIs without encryption.
 * Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service": localhost is always allowed.
 * Impact: an attacker on the network path acts with the codes and pages of other users; localhost is always allowed.
 */
export const xsuaaRedirectHttp: Rule = defineRule({
  id: 'btp/xsuaa-redirect-http',
  impact: 'session',
  attacker: 'network',
  // an attacker on the network path reads codes and pages; codes also need the client secret
  reach: 'user',
  evidence: 'assumed',
  grades: { local: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/60-security/security-considerations-for-the-sap-authorization-and-trust-management-service-f117cab.md',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config, resolve } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'oauth2-configuration', 'redirect-uris'))) {
        const uri = resolve(text)
        const url = readUrl(uri)
        if (url?.scheme !== 'http') continue
        const place = placeOf(node)
        const match = { at: place, args: { uri, name } }
        if (isLoopback(url.host)) yield { ...match, variant: 'local', groupKey: `${place.file} ${name} local` }
        // a wildcard for the host is the worse fault, and has a rule of its own
        else if (!url.host.includes('*')) yield { ...match, groupKey: `${place.file} ${name}` }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Redirect URI with unencrypted HTTP',
      message: 'The redirect URI "{uri}" in {name} uses unencrypted HTTP.',
      why: 'An attacker on the network path can read the authorization code and the application’s pages.',
      fix: 'Change "http://" to "https://" in this URI.',
      variants: {
        local: {
          title: 'Localhost redirect URI in the security descriptor',
          message: 'The redirect URI "{uri}" in {name} points to a developer’s machine.',
          why: 'XSUAA always allows localhost, so the entry is of no use to an attacker, but it suggests that a descriptor for development is deployed.',
          fix: 'Remove this URI from "redirect-uris".',
        },
      },
    },
    fr: {
      title: 'URI de redirection en HTTP, sans chiffrement',
      message: 'L’URI de redirection "{uri}" dans {name} utilise HTTP, sans chiffrement.',
      why: 'Un attaquant placé sur le réseau peut lire le code d’autorisation et les pages de l’application.',
      fix: 'Remplacez "http://" par "https://" dans cette URI.',
      variants: {
        local: {
          title: 'URI de redirection localhost dans le descripteur de sécurité',
          message: 'L’URI de redirection "{uri}" dans {name} désigne le poste d’un développeur.',
          why: 'XSUAA autorise toujours localhost : l’entrée n’apporte rien à un attaquant, mais laisse penser qu’un descripteur de développement est déployé.',
          fix: 'Supprimez cette URI de "redirect-uris".',
        },
      },
    },
  }),
})
