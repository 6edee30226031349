import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An instance whose bindings share one secret. A descriptor that says nothing is left alone: since January 2026 new bindings get a secret of
 *  their own. Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service"; BTP-UAA-0003. */
export const xsuaaCredentialTypes: Rule = defineRule({
  id: 'btp/xsuaa-credential-types',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/60-security/security-considerations-for-the-sap-authorization-and-trust-management-service-f117cab.md',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'oauth2-configuration', 'credential-types')))
        if (text === 'instance-secret') yield { at: placeOf(node), args: { name } }
    }
  },

  text: {
    en: {
      title: 'All bindings share one secret',
      message: '"credential-types" of {name} lists "instance-secret".',
      why: 'The secret is the same for every binding and key, and lives as long as the instance: leaked once, it can’t be replaced without a new instance.',
      fix: 'Write "credential-types": ["x509"], or ["binding-secret", "x509"] while something still needs a secret.',
    },
    fr: {
      title: 'Toutes les liaisons partagent un seul secret',
      message: '« credential-types » de {name} contient « instance-secret ».',
      why: 'Le secret est le même pour chaque liaison et chaque clé, et vit aussi longtemps que l’instance : une fois divulgué, il ne peut être remplacé sans nouvelle instance.',
      fix: 'Écrivez « "credential-types": ["x509"] », ou « ["binding-secret", "x509"] » tant qu’un secret reste nécessaire.',
    },
  },
})
