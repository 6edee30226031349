import { isLoopback, readUrl, textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Authorization codes that travel without encryption.
 *  Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service": localhost is allowed anyway. */
export const xsuaaRedirectHttp: Rule = defineRule({
  id: 'btp/xsuaa-redirect-http',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/60-security/security-considerations-for-the-sap-authorization-and-trust-management-service-f117cab.md',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config, resolve } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'oauth2-configuration', 'redirect-uris'))) {
        const uri = resolve(text)
        const url = readUrl(uri)
        if (url?.scheme !== 'http') continue
        if (isLoopback(url.host)) yield { at: placeOf(node), args: { uri }, severity: 'INFO', variant: 'local' }
        // btp/xsuaa-redirect-wildcard says what is worse about it
        else if (!url.host.includes('*')) yield { at: placeOf(node), args: { uri } }
      }
    }
  },

  text: {
    en: {
      title: 'The login redirects without encryption',
      message: 'The redirect address {uri} is plain HTTP.',
      why: 'Whoever listens on the way reads the authorization code, and can log in as the user.',
      fix: 'Write https:// in this address.',
      variants: {
        local: {
          title: 'A developer’s redirect address is deployed',
          message: 'The redirect address {uri} is a developer’s machine.',
          why: 'XSUAA allows localhost anyway, so the entry opens nothing; it shows that a descriptor for development is deployed.',
          fix: 'Remove this address.',
        },
      },
    },
    fr: {
      title: 'La connexion redirige sans chiffrement',
      message: 'L’adresse de redirection {uri} est en HTTP simple.',
      why: 'Quiconque écoute le trafic lit le code d’autorisation et peut se connecter à la place de l’utilisateur.',
      fix: 'Écrivez https:// dans cette adresse.',
      variants: {
        local: {
          title: 'L’adresse de redirection d’un développeur est déployée',
          message: 'L’adresse de redirection {uri} est la machine d’un développeur.',
          why: 'XSUAA autorise localhost de toute façon : l’entrée n’ouvre rien, mais montre qu’un descripteur de développement est déployé.',
          fix: 'Supprimez cette adresse.',
        },
      },
    },
  },
})
