import { findTarget, isUi5Network, readRemote } from '../../model/ui5/index.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const NIGHTLY = /\/nightly\/|^\/snapshot\//iu
const VERSION = /\/\d{1,3}\.\d{1,4}(?:[./-]|$)/u

const NIGHTLY_TEXT: Localized<Pick<RuleText, 'title' | 'message' | 'why'>> = {
  en: {
    title: 'UI5 nightly build loaded by a page of the app',
    message: '{page} loads a nightly build of UI5 from {host}.',
    why: 'A nightly build is unreleased code without maintenance: it changes every night, and no advisories are published for its vulnerabilities.',
  },
  fr: {
    title: 'Version de développement quotidienne d’UI5 chargée par l’application',
    message: '{page} charge une version de développement quotidienne (nightly) d’UI5 depuis {host}.',
    why: 'Une version nightly est du code non publié et sans maintenance : elle change chaque nuit, et ses vulnérabilités ne font l’objet d’aucun avis de sécurité.',
  },
}

/**
 * A productive page that loads the version of UI5 that SAP’s content delivery network serves by default on that day.
 * Facts: documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery Network": the default version is not for productive use.
 * Impact: no attacker gains anything by it; a version is a choice that somebody should have made.
 */
export const bootstrapDefaultVersion: Rule = defineRule({
  id: 'ui5/bootstrap-default-version',
  impact: 'hygiene',
  // a nightly build is code without maintenance
  grades: { nightly: { circumstance: 'unfixed' } },
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  on: 'ui5-app',

  *check(app, project) {
    for (const { file, test, bootstrap } of app.pages) {
      const address = test || bootstrap.src === undefined ? undefined : readRemote(bootstrap.src.value)
      if (address === undefined || bootstrap.src === undefined || !isUi5Network(address.host)) continue
      const nightly = NIGHTLY.test(address.path) || address.host.includes('nightly')
      if (!nightly && VERSION.test(address.path)) continue
      const network = address.host.includes('nightly') ? 'sdk.openui5.org' : address.host
      // with its patch: without one, only pages that start asynchronously load, and the code still changes
      const target = findTarget('1.0.0', project.catalogue, project.date)
      yield {
        at: bootstrap.src.at,
        args: { page: file, host: address.host, address: `https://${network}/${target}/resources/sap-ui-core.js` },
        ...(nightly && { variant: 'nightly' }),
        // a launchpad runs the app in production; the page is for development then
        ...(app.served === 'host' && { confidence: 'medium' }),
        groupKey: `${app.served === 'host' ? 'host' : 'page'} ${nightly ? 'nightly' : 'default'}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 loaded without a version',
      message:
        '{page} loads UI5 from {host} without a version, so it gets the default version, which changes with each new UI5 release.',
      why: 'The app runs UI5 code that you have neither tested nor approved, and you cannot hold back a UI5 version that breaks the app or introduces a vulnerability.',
      fix: 'Use a version with long-term maintenance in the src URL of the bootstrap script in {page}: src="{address}".',
      variants: {
        nightly: NIGHTLY_TEXT.en,
      },
    },
    fr: {
      title: 'UI5 chargé sans numéro de version',
      message:
        '{page} charge UI5 depuis {host} sans numéro de version et reçoit donc la version par défaut, qui change à chaque nouvelle version d’UI5.',
      why: 'L’application exécute du code d’UI5 que vous n’avez ni testé ni validé, et vous ne pouvez pas écarter une version d’UI5 défectueuse ou vulnérable.',
      fix: 'Indiquez une version à maintenance longue durée dans l’URL src du script d’amorçage de {page} : src="{address}".',
      variants: {
        nightly: NIGHTLY_TEXT.fr,
      },
    },
  }),
})
