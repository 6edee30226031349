import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const EMBEDDED: ReadonlySet<string> = new Set(['ias-corporate-idp-token', 'ias-token'])

/** Tokens that carry other tokens.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `oauth2-configuration`, `system-attributes`. */
export const xsuaaSystemAttributesCorporateToken: Rule = defineRule({
  id: 'btp/xsuaa-system-attributes-corporate-token',
  severity: 'LOW',
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

  text: {
    en: {
      title: 'Tokens carry the token of the identity provider',
      message: '"system-attributes" of {name} lists {attribute}.',
      why: 'Every service that gets a token of the user gets the provider’s token with it, and can act as the user elsewhere.',
      fix: 'Remove {attribute} from "system-attributes".',
    },
    fr: {
      title: 'Les jetons portent le jeton du fournisseur d’identité',
      message: '« system-attributes » de {name} contient {attribute}.',
      why: 'Tout service qui reçoit un jeton de l’utilisateur reçoit aussi celui du fournisseur, et peut agir ailleurs en son nom.',
      fix: 'Supprimez {attribute} de « system-attributes ».',
    },
  },
})
