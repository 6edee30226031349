import { isInternal, isIn, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import { isPackageNetwork, isUi5Network, readRemote } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Paths under which an ABAP system serves UI5: the company's own. */
const ABAP_PATH = /^\/sap\/(?:public\/|bc\/)/u

/**
 * UI5 itself from a host that neither SAP nor the project answers for.
 * Facts: documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery Network".
 */
export const bootstrapForeignHost: Rule = defineRule({
  id: 'ui5/bootstrap-foreign-host',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  on: 'ui5-app',

  *check(app, project) {
    for (const { file, test, bootstrap } of app.pages) {
      const address = test || bootstrap.src === undefined ? undefined : readRemote(bootstrap.src.value)
      // over plain http ui5/bootstrap-http says more
      if (address === undefined || bootstrap.src === undefined || address.scheme === 'http') continue
      const { host, path } = address
      if (isUi5Network(host) || isSapHost(host) || isLoopback(host) || isInternal(host) || ABAP_PATH.test(path)) continue
      if (isIn(ownDomains(project.deployment), host)) continue
      yield {
        at: bootstrap.src.at,
        args: { page: file, host },
        // a company may have a network of its own
        confidence: isPackageNetwork(host) ? 'high' : 'medium',
        sameAs: host,
      }
    }
  },

  text: {
    en: {
      title: 'UI5 is loaded from a foreign host',
      message: '{page} loads UI5 from {host}.',
      why: 'Whoever controls that host, or gets hold of it, runs any code in every session of this app.',
      fix: 'Load UI5 from https://ui5.sap.com/<version>/resources/sap-ui-core.js (OpenUI5: https://sdk.openui5.org), or from the server of the app itself.',
    },
    fr: {
      title: 'UI5 est chargé d’un hôte étranger',
      message: '{page} charge UI5 de {host}.',
      why: 'Quiconque contrôle cet hôte, ou s’en empare, exécute n’importe quel code dans chaque session de cette application.',
      fix: 'Chargez UI5 de https://ui5.sap.com/<version>/resources/sap-ui-core.js (OpenUI5 : https://sdk.openui5.org), ou du serveur de l’application elle-même.',
    },
  },
})
