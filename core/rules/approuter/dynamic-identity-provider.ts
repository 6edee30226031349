import { isSet, placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A login whose identity provider is named by the URL.
 *  Facts: @sap/approuter 23.0.0 README, dynamicIdentityProvider: the query parameter sap_idp wins over the one that is configured. */
export const dynamicIdentityProvider: Rule = defineRule({
  id: 'approuter/dynamic-identity-provider',
  severity: 'LOW',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      const node = at(route.node, 'dynamicIdentityProvider')
      if (node !== undefined && booleanOf(node) === true && route.authenticates)
        yield {
          at: placeOf(approuter.file, node),
          args: { setting: 'dynamicIdentityProvider' },
          sameAs: `${route.source} ${route.target.name}`,
        }
    }
    for (const setting of approuter.environment.settings('DYNAMIC_IDENTITY_PROVIDER')) {
      if (isSet(setting, true)) yield { at: setting.place, args: { setting: setting.name } }
    }
  },

  text: {
    en: {
      title: 'The URL names the identity provider',
      message: '{setting} is true: the parameter sap_idp chooses who authenticates.',
      why: 'A link decides by which of the trusted providers a user logs in: the weakest one counts.',
      fix: 'Remove {setting}, and name the provider with "identityProvider".',
    },
    fr: {
      title: 'L’URL désigne le fournisseur d’identité',
      message: '{setting} vaut true : le paramètre sap_idp choisit qui authentifie.',
      why: 'Un lien décide par lequel des fournisseurs approuvés un utilisateur se connecte : le plus faible compte.',
      fix: 'Supprimez {setting} et indiquez le fournisseur avec « identityProvider ».',
    },
  },
})
