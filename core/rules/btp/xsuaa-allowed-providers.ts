import { textItems } from '../../model/deployment/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const UNRESTRICTED = {
  en: 'Users of every identity provider that the subaccount trusts can log in, although the descriptor is supposed to restrict them: an attacker needs only an account of any of these providers and a role for it.',
  fr: 'Les utilisateurs de tout fournisseur approuvé par le sous-compte peuvent se connecter, bien que le descripteur vise à limiter les fournisseurs autorisés : il suffit à un attaquant d’avoir, chez l’un d’eux, un compte doté d’un rôle.',
}

/**
 * A list of identity providers that does not restrict what it should.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `oauth2-configuration`, `allowedproviders`.
 * Impact: nothing by itself, an account of another trusted provider also needs a role.
 */
export const xsuaaAllowedProviders: Rule = defineRule({
  id: 'btp/xsuaa-allowed-providers',
  impact: 'defence',
  reach: 'user',
  // which providers the subaccount trusts is not in the project
  evidence: 'assumed',
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
        yield {
          at: { file: placeOf(value).file, span: keySpan },
          args: { name, key },
          variant: key.trim() === 'allowedproviders' ? 'blank' : 'misspelt',
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Default identity provider not excluded',
      message: '"allowedproviders" of {name} lists "sap.default" in addition to another provider.',
      why: 'Accounts of the default provider can also log in, without the password rules and the multi-factor authentication of your own provider: an attacker needs only such an account with a role.',
      fix: 'Remove "sap.default" from "allowedproviders" of {name}.',
      variants: {
        misspelt: {
          title: 'Identity providers not restricted due to a misspelled key',
          message: '"{key}" in {name} differs from the key "allowedproviders", so it does not restrict the identity providers.',
          why: UNRESTRICTED.en,
          fix: 'Rename the key "{key}" to "allowedproviders".',
        },
        blank: {
          title: 'Identity providers not restricted due to a space in the key',
          message: 'The key "{key}" in {name} has a leading or trailing space, so it does not restrict the identity providers.',
          why: UNRESTRICTED.en,
          fix: 'Remove the space from the key: "allowedproviders".',
        },
      },
    },
    fr: {
      title: 'Fournisseur d’identité par défaut non exclu',
      message: '"allowedproviders" dans {name} contient "sap.default" en plus d’un autre fournisseur.',
      why: 'Les comptes du fournisseur par défaut peuvent aussi se connecter, sans les règles de mot de passe ni l’authentification multifacteur de votre fournisseur : un attaquant qui dispose d’un tel compte, doté d’un rôle, a accès à l’application.',
      fix: 'Supprimez "sap.default" de la liste "allowedproviders" dans {name}.',
      variants: {
        misspelt: {
          title: 'Fournisseurs d’identité non restreints à cause d’une clé mal orthographiée',
          message:
            '"{key}" dans {name} diffère de la clé "allowedproviders" et ne restreint donc pas les fournisseurs d’identité.',
          why: UNRESTRICTED.fr,
          fix: 'Renommez la clé "{key}" en "allowedproviders".',
        },
        blank: {
          title: 'Fournisseurs d’identité non restreints à cause d’une espace dans la clé',
          message:
            'La clé "{key}" dans {name} commence ou finit par une espace et ne restreint donc pas les fournisseurs d’identité.',
          why: UNRESTRICTED.fr,
          fix: 'Supprimez l’espace de la clé : "allowedproviders".',
        },
      },
    },
  }),
})
