import { settingOf, spelledAs } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A standalone page whose URL parameters can configure UI5; one finding per app.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters": `ignore-url-params` is false by default. Names with hyphens have no effect
 * before 1.120 (core/model/ui5/pages.ts); `data-sap-ui-ignoreUrlParams` works in all lines.
 * Impact: the default of UI5; a link sets what the parameters allow.
 */
export const urlParamsNotIgnored: Rule = defineRule({
  id: 'ui5/url-params-not-ignored',
  impact: 'defence',
  confidence: 'medium',
  cwe: [472],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/configuration-options-and-url-parameters-91f2d03.md',
  on: 'ui5-app',

  *check(app) {
    if (app.served === 'host' || app.isLibrary) return
    for (const { file, test, bootstrap } of app.pages) {
      const setting = settingOf(bootstrap, 'ignoreurlparams')
      // made at run time, or an attribute without a value: its value is not known
      if (test || (setting !== undefined && setting.value !== 'false')) continue
      const isIgnored = bootstrap.ignored.some(({ name }) => name === 'ignoreurlparams')
      const variant = setting !== undefined ? 'off' : isIgnored ? 'hyphenated' : undefined
      yield {
        at: bootstrap.at,
        args: { page: file, setting: spelledAs('ignoreUrlParams', setting) },
        variant,
        groupKey: app.root,
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 configurable through URL parameters',
      message: '{page} does not set ignore-url-params, whose default is false: sap-ui-* parameters of its URL configure UI5.',
      why: 'An attacker can send a crafted link that starts the app with settings of their choice, such as debug sources, support tools, another theme or another language.',
      fix: 'Set data-sap-ui-ignore-url-params="true" (data-sap-ui-ignoreUrlParams="true" before UI5 1.120) on the bootstrap script in {page}.',
      variants: {
        off: {
          message: '{page} sets {setting} to false: sap-ui-* parameters of its URL configure UI5.',
          fix: 'Instead of this setting, write data-sap-ui-ignore-url-params="true" (data-sap-ui-ignoreUrlParams="true" before UI5 1.120) on the bootstrap script in {page}.',
        },
        hyphenated: {
          message:
            '{page} sets data-sap-ui-ignore-url-params, but UI5 before 1.120 ignores this spelling: sap-ui-* parameters of its URL configure UI5.',
          fix: 'Set data-sap-ui-ignoreUrlParams="true" on the bootstrap script in {page}.',
        },
      },
    },
    fr: {
      title: 'UI5 configurable par des paramètres d’URL',
      message:
        '{page} ne définit pas ignore-url-params, dont la valeur par défaut est false : les paramètres sap-ui-* de son URL configurent UI5.',
      why: 'Un attaquant peut envoyer un lien forgé qui démarre l’application avec les réglages qu’il choisit, par exemple les sources de débogage, les outils de support, un autre thème ou une autre langue.',
      fix: 'Indiquez data-sap-ui-ignore-url-params="true" (data-sap-ui-ignoreUrlParams="true" avant UI5 1.120) sur le script d’amorçage de {page}.',
      variants: {
        off: {
          message: '{page} donne à {setting} la valeur false : les paramètres sap-ui-* de son URL configurent UI5.',
          fix: 'Remplacez ce réglage par data-sap-ui-ignore-url-params="true" (data-sap-ui-ignoreUrlParams="true" avant UI5 1.120) sur le script d’amorçage de {page}.',
        },
        hyphenated: {
          message:
            '{page} indique data-sap-ui-ignore-url-params, mais UI5 ignore cette graphie avant la version 1.120 : les paramètres sap-ui-* de son URL configurent UI5.',
          fix: 'Indiquez data-sap-ui-ignoreUrlParams="true" sur le script d’amorçage de {page}.',
        },
      },
    },
  }),
})
