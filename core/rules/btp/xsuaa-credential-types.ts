import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An XSUAA instance whose bindings share one secret. A descriptor without "credential-types" is no finding: since January 2026 new bindings
 * get a secret of their own.
 * Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service"; BTP-UAA-0003.
 * Impact: nothing by itself, a secret must leak first.
 */
export const xsuaaCredentialTypes: Rule = defineRule({
  id: 'btp/xsuaa-credential-types',
  impact: 'defence',
  reach: 'user',
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

  text: () => ({
    en: {
      title: 'XSUAA instance secret shared by all bindings',
      message:
        '"credential-types" of {name} lists "instance-secret", which XSUAA no longer supports for new bindings and service keys.',
      why: 'Existing bindings and service keys of this type share one secret, which stays valid as long as the instance exists: if it leaks, an attacker can use it until the instance is deleted.',
      fix: 'List "binding-secret" or "x509" first in "credential-types", update the instance, and replace all bindings and service keys. Then remove "instance-secret" and update the instance again.',
    },
    fr: {
      title: 'Secret d’instance XSUAA partagé par toutes les liaisons',
      message:
        '"credential-types" dans {name} contient "instance-secret", que XSUAA ne prend plus en charge pour les nouvelles liaisons et clés de service.',
      why: 'Les liaisons et clés de service existantes de ce type partagent un seul secret, valable tant que l’instance existe : s’il est divulgué, un attaquant peut l’utiliser jusqu’à la suppression de l’instance.',
      fix: 'Placez "binding-secret" ou "x509" en tête de "credential-types", mettez à jour l’instance et remplacez toutes les liaisons et clés de service. Supprimez ensuite "instance-secret" et mettez de nouveau à jour l’instance.',
    },
  }),
})
