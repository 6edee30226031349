import { placeOf } from '../../model/approuter/index.ts'
import { at, booleanOf, itemsOf, stringOf } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The list of all plugins, told to whoever asks, and plugins whose routes stand before all others.
 *  Facts: @sap/approuter 23.0.0 README, "pluginMetadataEndpoint" and "plugins"; lib/utils/configuration-utils.js: plugins are tried before the routes. */
export const pluginMetadataExposed: Rule = defineRule({
  id: 'approuter/plugin-metadata-exposed',
  severity: 'LOW',
  confidence: 'high',
  cwe: [200],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#pluginmetadataendpoint-property',
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
          yield { at: setting.placeOf(type), args, severity: gradeSetting(setting, 'MEDIUM'), variant: 'public', key: name }
        else if (protection !== undefined && booleanOf(protection) === false)
          yield { at: setting.placeOf(protection), args, variant: 'csrf', key: name }
      }
    }
  },

  text: {
    en: {
      title: 'The list of plugins can be read',
      message: '"pluginMetadataEndpoint" tells all plugins at {endpoint}.',
      why: 'Names, sources and targets of plugins tell an attacker where to look next.',
      fix: 'Remove "pluginMetadataEndpoint" unless something needs it.',
      variants: {
        public: {
          title: 'A plugin is open to anybody',
          message: 'Plugin {endpoint} has "authenticationType": "none", and stands before all routes.',
          why: 'Whoever reaches the approuter reaches the destination of the plugin without a login.',
          fix: 'Write "authenticationType": "xsuaa" in the plugin.',
        },
        csrf: {
          title: 'A plugin asks for no CSRF token',
          message: 'Plugin {endpoint} has "csrfProtection": false.',
          why: 'A page of somebody else sends requests to the plugin in the name of the user.',
          fix: 'Remove "csrfProtection": false from the plugin.',
        },
      },
    },
    fr: {
      title: 'La liste des plugins peut être lue',
      message: '« pluginMetadataEndpoint » donne tous les plugins à l’adresse {endpoint}.',
      why: 'Les noms, sources et cibles des plugins indiquent à un attaquant où chercher ensuite.',
      fix: 'Supprimez « pluginMetadataEndpoint » si rien n’en a besoin.',
      variants: {
        public: {
          title: 'Un plugin est ouvert à tous',
          message: 'Le plugin {endpoint} a « "authenticationType": "none" » et passe avant toutes les routes.',
          why: 'Quiconque atteint l’approuter atteint la destination du plugin sans se connecter.',
          fix: 'Écrivez « "authenticationType": "xsuaa" » dans le plugin.',
        },
        csrf: {
          title: 'Un plugin n’exige pas de jeton CSRF',
          message: 'Le plugin {endpoint} a « "csrfProtection": false ».',
          why: 'La page d’un tiers envoie des requêtes au plugin au nom de l’utilisateur.',
          fix: 'Supprimez « "csrfProtection": false » du plugin.',
        },
      },
    },
  },
})
