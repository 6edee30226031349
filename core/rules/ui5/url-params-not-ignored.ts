import { settingOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A page of its own that lets its address configure UI5; one finding per app.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters": `ignore-url-params` is false by default.
 */
export const urlParamsNotIgnored: Rule = defineRule({
  id: 'ui5/url-params-not-ignored',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [472],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/configuration-options-and-url-parameters-91f2d03.md',
  on: 'ui5-app',

  *check(app) {
    if (app.served === 'host' || app.isLibrary) return
    for (const { file, test, bootstrap } of app.pages) {
      const setting = settingOf(bootstrap, 'ignoreurlparams')
      // made at run time, or an attribute without a value: nobody can tell
      if (test || (setting !== undefined && setting.value !== 'false')) continue
      yield { at: bootstrap.at, args: { page: file }, sameAs: app.root }
    }
  },

  text: {
    en: {
      title: 'The address of the page configures UI5',
      message: '{page} does not set ignore-url-params, whose default is false.',
      why: 'A prepared link changes how UI5 starts: debug sources, another theme or language, tools of support; it widens what other faults allow.',
      fix: 'Set data-sap-ui-ignore-url-params="true" in the bootstrap.',
    },
    fr: {
      title: 'L’adresse de la page configure UI5',
      message: '{page} ne règle pas ignore-url-params, dont la valeur par défaut est false.',
      why: 'Un lien préparé change la façon dont UI5 démarre : sources de débogage, autre thème ou langue, outils de support ; il élargit ce que d’autres défauts permettent.',
      fix: 'Indiquez data-sap-ui-ignore-url-params="true" dans l’amorçage.',
    },
  },
})
