import { isSet, placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isSetByCommand, unsetCommand } from './_settings.ts'

/** A login whose identity provider is chosen by a parameter of the URL.
 *  Facts: @sap/approuter 23.0.0 README, dynamicIdentityProvider: the query parameter sap_idp wins over the one that is configured.
 *  Impact: nothing by itself, all identity providers are trusted ones. */
export const dynamicIdentityProvider: Rule = defineRule({
  id: 'approuter/dynamic-identity-provider',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#dynamic-identity-provider-configuration',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      const node = at(route.node, 'dynamicIdentityProvider')
      if (node !== undefined && booleanOf(node) === true && route.authenticates)
        yield {
          at: placeOf(approuter.file, node),
          args: { setting: 'dynamicIdentityProvider', unset: '' },
          groupKey: `${route.source} ${route.target.name}`,
        }
    }
    for (const setting of approuter.environment.settings('DYNAMIC_IDENTITY_PROVIDER')) {
      if (!isSet(setting, true)) continue
      yield {
        at: setting.place,
        args: { setting: setting.name, unset: unsetCommand(setting) },
        ...(isSetByCommand(setting) && { variant: 'command' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Identity provider chosen by a URL parameter',
      message: '{setting} is true: the sap_idp query parameter overrides the configured identity provider.',
      why: 'A link can send users to any identity provider that the subaccount trusts, including one with weaker login rules.',
      fix: 'Remove {setting}. If users need a specific provider, set "identityProvider" on the route in xs-app.json.',
      variants: {
        command: {
          fix: 'Remove this command{unset}. If users need a specific provider, set "identityProvider" on the route in xs-app.json.',
        },
      },
    },
    fr: {
      title: 'Fournisseur d’identité choisi par un paramètre d’URL',
      message: '{setting} vaut true : le paramètre d’URL sap_idp remplace le fournisseur d’identité configuré.',
      why: 'Un lien peut diriger les utilisateurs vers n’importe quel fournisseur d’identité approuvé par le sous-compte, y compris un fournisseur aux règles de connexion moins strictes.',
      fix: 'Supprimez {setting}. Si un fournisseur précis est nécessaire, définissez "identityProvider" sur la route dans xs-app.json.',
      variants: {
        command: {
          fix: 'Supprimez cette commande{unset}. Si un fournisseur précis est nécessaire, définissez "identityProvider" sur la route dans xs-app.json.',
        },
      },
    },
  }),
})
