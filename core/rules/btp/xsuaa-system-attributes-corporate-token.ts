import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const EMBEDDED: ReadonlySet<string> = new Set(['ias-corporate-idp-token', 'ias-token'])

/**
 * User tokens that carry the token of the identity provider.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `oauth2-configuration`, `system-attributes`.
 * Impact: least privilege: it takes a service that misuses or leaks the token.
 */
export const xsuaaSystemAttributesCorporateToken: Rule = defineRule({
  id: 'btp/xsuaa-system-attributes-corporate-token',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'oauth2-configuration', 'system-attributes')))
        if (EMBEDDED.has(text)) yield { at: placeOf(node), args: { name, attribute: text } }
    }
  },

  text: () => ({
    en: {
      title: 'Identity provider token embedded in user tokens',
      message: '"system-attributes" of {name} lists "{attribute}".',
      why: 'Every service that receives a user token also gets the identity provider’s token: an attacker who reads this token can act as the user wherever it is accepted.',
      fix: 'Remove "{attribute}" from "system-attributes" of {name}.',
    },
    fr: {
      title: 'Jeton du fournisseur d’identité inclus dans les jetons d’utilisateur',
      message: '"system-attributes" dans {name} contient "{attribute}".',
      why: 'Tout service qui reçoit un jeton d’utilisateur obtient aussi celui du fournisseur d’identité : un attaquant qui lit ce second jeton peut agir au nom de l’utilisateur partout où ce jeton est accepté.',
      fix: 'Supprimez "{attribute}" de "system-attributes" dans {name}.',
    },
  }),
})
