import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A list of identity providers that doesn't restrict what it should.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `oauth2-configuration`, `allowedproviders`. */
export const xsuaaAllowedProviders: Rule = defineRule({
  id: 'btp/xsuaa-allowed-providers',
  severity: 'INFO',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config } of services) {
      if (service !== 'xsuaa') continue
      const client = at(config, 'oauth2-configuration')
      const providers = textItems(at(client, 'allowedproviders'))
      const common = providers.find(({ text }) => text === 'sap.default')
      if (common !== undefined && providers.length > 1)
        yield { at: placeOf(common.node), args: { name, key: 'allowedproviders' } }
      for (const { key, keySpan, value } of membersOf(client)) {
        if (key === 'allowedproviders' || itemsOf(value).length === 0) continue
        if (key.toLowerCase().replaceAll(/[\s_-]/g, '') !== 'allowedproviders') continue
        yield { at: { file: placeOf(value).file, span: keySpan }, args: { name, key }, variant: 'misspelt' }
      }
    }
  },

  text: {
    en: {
      title: 'The default identity provider may log users on too',
      message: '"allowedproviders" of {name} lists sap.default beside another provider.',
      why: 'Users of SAP’s public default provider can log on where only those of the company should, past its rules for passwords and second factors.',
      fix: 'Remove "sap.default" from "allowedproviders".',
      variants: {
        misspelt: {
          title: 'A misspelt key restricts no identity provider',
          message: '"{key}" of {name} is not "allowedproviders", so it has no effect.',
          why: 'Every identity provider that the subaccount trusts can log users on, although one was chosen.',
          fix: 'Write the key "allowedproviders".',
        },
      },
    },
    fr: {
      title: 'Le fournisseur d’identité par défaut peut aussi connecter des utilisateurs',
      message: '« allowedproviders » de {name} contient sap.default à côté d’un autre fournisseur.',
      why: 'Les utilisateurs du fournisseur public par défaut de SAP peuvent se connecter là où seuls ceux de l’entreprise le devraient, sans ses règles de mot de passe et de second facteur.',
      fix: 'Supprimez « sap.default » de « allowedproviders ».',
      variants: {
        misspelt: {
          title: 'Une clé mal écrite ne restreint aucun fournisseur d’identité',
          message: '« {key} » de {name} n’est pas « allowedproviders » et reste sans effet.',
          why: 'Tout fournisseur d’identité auquel le sous-compte fait confiance peut connecter des utilisateurs, bien qu’un seul ait été choisi.',
          fix: 'Écrivez la clé « allowedproviders ».',
        },
      },
    },
  },
})
