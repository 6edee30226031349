import { isUi5Network, readRemote } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const NIGHTLY = /\/nightly\/|^\/snapshot\//iu
const VERSION = /\/\d{1,3}\.\d{1,4}(?:[./-]|$)/u

/**
 * A productive page that boots whatever UI5 version SAP's network serves by default on that day.
 * Facts: documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery Network": the default version is not for productive use.
 */
export const bootstrapDefaultVersion: Rule = defineRule({
  id: 'ui5/bootstrap-default-version',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  on: 'ui5-app',

  *check(app) {
    for (const { file, test, bootstrap } of app.pages) {
      const address = test || bootstrap.src === undefined ? undefined : readRemote(bootstrap.src.value)
      if (address === undefined || bootstrap.src === undefined || !isUi5Network(address.host)) continue
      const nightly = NIGHTLY.test(address.path) || address.host.includes('nightly')
      if (!nightly && VERSION.test(address.path)) continue
      yield {
        at: bootstrap.src.at,
        args: { page: file, host: address.host },
        variant: nightly ? 'nightly' : undefined,
        // a launchpad runs the app in production; the page is for development then
        ...(app.served === 'host' && { severity: 'LOW', confidence: 'medium' }),
        sameAs: `${app.served === 'host' ? 'host' : 'page'} ${nightly ? 'nightly' : 'default'}`,
      }
    }
  },

  text: {
    en: {
      title: 'The page boots whatever UI5 version is newest',
      message: '{page} loads UI5 from {host} without a version.',
      why: 'The code of the app changes without anybody having tested or released it, and a controlled reaction to a faulty UI5 version is not possible.',
      fix: 'Name a line with long-term maintenance in the address: https://{host}/1.136/resources/sap-ui-core.js.',
      variants: {
        nightly: {
          title: 'The page boots a nightly build of UI5',
          message: '{page} loads a nightly build of UI5 from {host}.',
          why: 'Nobody has released this code: it changes every night, and no maintenance covers it.',
        },
      },
    },
    fr: {
      title: 'La page démarre avec la version d’UI5 la plus récente, quelle qu’elle soit',
      message: '{page} charge UI5 de {host} sans version.',
      why: 'Le code de l’application change sans que personne l’ait testé ni libéré, et il est impossible de réagir de façon maîtrisée à une version d’UI5 défectueuse.',
      fix: 'Nommez dans l’adresse une ligne à maintenance longue durée : https://{host}/1.136/resources/sap-ui-core.js.',
      variants: {
        nightly: {
          title: 'La page démarre avec une compilation nocturne d’UI5',
          message: '{page} charge une compilation nocturne d’UI5 de {host}.',
          why: 'Personne n’a libéré ce code : il change chaque nuit, et aucune maintenance ne le couvre.',
        },
      },
    },
  },
})
