import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf, itemsOf, stringOf } from '../../parse/data.ts'
import { usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const PLUGINS = 'https://www.npmjs.com/package/@sap/approuter#plugins-configuration'

/** The public list of all plugins, and plugins, which come before all routes, without authentication or CSRF protection.
 *  Facts: @sap/approuter 23.0.0 README, "pluginMetadataEndpoint" and "plugins"; lib/utils/configuration-utils.js: plugins are tried before the routes.
 *  Impact: the list tells names and targets only; a public plugin opens its backend, and one without CSRF protection lets pages of other sites act with the
 *  session of their visitor. */
export const pluginMetadataExposed: Rule = defineRule({
  id: 'approuter/plugin-metadata-exposed',
  impact: 'defence',
  reach: 'anyone',
  grades: {
    // what the backend of a plugin holds is not in the project
    public: { impact: 'data', evidence: 'assumed' },
    // whether the browser sends the cookie along depends on its defaults
    csrf: { impact: 'session', evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#pluginmetadataendpoint-property',
  docsByVariant: { public: PLUGINS, csrf: PLUGINS },
  on: 'approuter',

  *check(approuter) {
    const endpoint = at(approuter.root, 'pluginMetadataEndpoint')
    if (endpoint?.kind === 'string') yield { at: placeOf(approuter.file, endpoint), args: { endpoint: stringOf(endpoint) ?? '' } }
    for (const setting of approuter.environment.settings('plugins')) {
      for (const plugin of itemsOf(setting.value)) {
        const [type, protection] = [at(plugin, 'authenticationType'), at(plugin, 'csrfProtection')]
        const name = stringOf(at(plugin, 'name')) ?? ''
        const args = { endpoint: name }
        if (type !== undefined && stringOf(type) === 'none')
          yield { at: setting.placeOf(type), args, ...usageOf(setting), variant: 'public', key: name }
        else if (protection !== undefined && booleanOf(protection) === false)
          yield { at: setting.placeOf(protection), args, ...usageOf(setting), variant: 'csrf', key: name }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Approuter plugin metadata exposed',
      message: '"pluginMetadataEndpoint" publishes the configuration of all plugins at {endpoint}.',
      why: 'Names, sources and targets of the plugins show an attacker which paths and backends to try next.',
      fix: 'Remove "pluginMetadataEndpoint" from xs-app.json.',
      variants: {
        public: {
          title: 'Missing authentication on an approuter plugin',
          message: 'Plugin {endpoint} sets "authenticationType": "none". Plugins take precedence over all routes.',
          why: 'Unauthenticated attackers can send requests to the plugin’s destination; the approuter adds the credentials stored in it, if any.',
          fix: 'Set "authenticationType": "xsuaa" (or "ias") on plugin {endpoint} in the approuter’s "plugins" environment variable.',
        },
        csrf: {
          title: 'CSRF protection disabled for an approuter plugin',
          message: 'Plugin {endpoint} sets "csrfProtection": false.',
          why: 'Unless SameSite (attribute or browser default) prevents it, browsers attach the session cookie to requests from other sites: a malicious page can then send requests to the plugin on behalf of a logged-in user.',
          fix: 'Remove "csrfProtection": false from plugin {endpoint} in the approuter’s "plugins" environment variable.',
        },
      },
    },
    fr: {
      title: 'Métadonnées des plugins de l’approuter exposées',
      message: '"pluginMetadataEndpoint" publie la configuration de tous les plugins à l’adresse {endpoint}.',
      why: 'Les noms, sources et cibles des plugins indiquent à un attaquant les chemins et les backends à essayer ensuite.',
      fix: 'Supprimez "pluginMetadataEndpoint" de xs-app.json.',
      variants: {
        public: {
          title: 'Absence d’authentification sur un plugin de l’approuter',
          message:
            'Le plugin {endpoint} définit "authenticationType": "none". Les plugins sont prioritaires sur toutes les routes.',
          why: 'Un attaquant non authentifié peut envoyer des requêtes à la destination du plugin ; l’approuter y joint les identifiants enregistrés dans cette destination, s’il y en a.',
          fix: 'Définissez "authenticationType": "xsuaa" (ou "ias") sur le plugin {endpoint} dans la variable d’environnement "plugins" de l’approuter.',
        },
        csrf: {
          title: 'Protection CSRF désactivée pour un plugin de l’approuter',
          message: 'Le plugin {endpoint} définit "csrfProtection": false.',
          why: 'Si le navigateur joint le cookie de session aux requêtes venant d’autres sites, ce que l’attribut SameSite ou sa valeur par défaut peut empêcher, une page malveillante peut envoyer des requêtes au plugin au nom d’un utilisateur connecté.',
          fix: 'Supprimez "csrfProtection": false du plugin {endpoint} dans la variable d’environnement "plugins" de l’approuter.',
        },
      },
    },
  }),
})
