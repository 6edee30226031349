import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { domainOf, isInternal, isIn, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import { findTarget, isPackageNetwork, isUi5Network, readRemote } from '../../model/ui5/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Hosts at which an app logs its users in, `https://api.shop.example/auth/start`, or which it keeps a connection to, `wss://chat.shop.example`. */
const loginHosts: Extract<string> = defineExtract({
  name: 'ui5-login-hosts',
  keywords: ['https://', 'wss://'],
  isFor: isOfUi5App,
  *collectText(text) {
    for (const [, host] of text.matchAll(LOGIN_ADDRESS)) if (host !== undefined) yield host.toLowerCase()
  },
})

const LOGIN_ADDRESS =
  /["'`](?:wss:\/\/|https:\/\/(?=[\w.:-]{4,100}\/(?:[\w.-]{1,40}\/){0,4}(?:auth|oauth2?|log-?in|sign-?in|sso|sessions?|tokens?)\b))([\w-]{1,63}(?:\.[\w-]{1,63}){1,6})/gi

/** Paths under which an ABAP system serves UI5: the company's own. */
const ABAP_PATH = /^\/sap\/(?:public\/|bc\/)/u

/**
 * UI5 itself loaded from a host that belongs neither to SAP nor to the project.
 * Facts: documentation of SAPUI5, "Variant for Bootstrapping from Content Delivery Network".
 * Impact: whoever gets hold of that host runs code in the session of the user; that it is not trustworthy is not shown. Several hosts of one
 * domain, each with UI5 for its page or one with the login of the app, are those of the operator: only their administrators can start it.
 */
export const bootstrapForeignHost: Rule = defineRule({
  id: 'ui5/bootstrap-foreign-host',
  impact: 'session',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  on: 'ui5-app',
  extracts: [loginHosts],

  *check(app, project) {
    const hosts = new Set([
      ...app.pages.flatMap(({ bootstrap }) => (bootstrap.src === undefined ? [] : (readRemote(bootstrap.src.value)?.host ?? []))),
      ...app.scripts.get(loginHosts).map(({ value }) => value),
    ])
    for (const { file, test, bootstrap } of app.pages) {
      const address = test || bootstrap.src === undefined ? undefined : readRemote(bootstrap.src.value)
      // plain HTTP is a fault of its own
      if (address === undefined || bootstrap.src === undefined || address.scheme === 'http') continue
      const { host, path } = address
      if (isUi5Network(host) || isSapHost(host) || isLoopback(host) || isInternal(host) || ABAP_PATH.test(path)) continue
      if (isIn(ownDomains(project.deployment), host)) continue
      const written = app.versions.find(({ kind, at }) => kind === 'bootstrap' && at.file === file)?.version
      const version = written ?? findTarget('1.0.0', project.catalogue, project.date)
      yield {
        at: bootstrap.src.at,
        args: { page: file, host, version },
        ...(isOfOperator(host, hosts) && { reach: 'privileged' as const }),
        // a company may have a network of its own
        confidence: isPackageNetwork(host) ? 'high' : 'medium',
        // hosts of one domain are one decision
        groupKey: domainOf(host),
      }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 loaded from a third-party host',
      message: '{page} loads UI5 from {host}, which is neither an SAP host nor one of this project’s domains.',
      why: 'An attacker who controls that host, or the files that it serves, can run code in the session of every user who opens this page.',
      fix: 'Load UI5 in {page} from the app’s own server, src="resources/sap-ui-core.js" (deployed with ui5 build --all), or from SAP: https://sdk.openui5.org/{version}/resources/sap-ui-core.js (SAPUI5: the same path under https://ui5.sap.com).',
    },
    fr: {
      title: 'UI5 chargé depuis un hôte tiers',
      message: '{page} charge UI5 depuis {host}, qui n’est ni un hôte de SAP ni un domaine de ce projet.',
      why: 'Un attaquant qui contrôle cet hôte, ou les fichiers qu’il distribue, peut exécuter du code dans la session de chaque utilisateur qui ouvre cette page.',
      fix: 'Chargez UI5 dans {page} depuis le serveur de l’application, src="resources/sap-ui-core.js" (déployé avec ui5 build --all), ou depuis SAP : https://sdk.openui5.org/{version}/resources/sap-ui-core.js (pour SAPUI5, le même chemin sous https://ui5.sap.com).',
    },
  }),
})

/** Whether pages of the app load UI5 from other hosts of the domain as well, or the app logs users in there. */
function isOfOperator(host: string, hosts: ReadonlySet<string>): boolean {
  return !isPackageNetwork(host) && [...hosts].some((other) => other !== host && domainOf(other) === domainOf(host))
}
