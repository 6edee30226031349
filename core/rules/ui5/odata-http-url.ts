import { isLoopback, isPublicByNature } from '../../model/deployment/index.ts'
import { readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A service that a productive app calls over plain HTTP.
 * Facts: documentation of SAPUI5, "Transport Security"; sap/ui/core/Component (@openui5/sap.ui.core 1.120.0) resolves the URI of a data source
 * against the component that declares it.
 * Severity: takes an attacker on the network path (MEDIUM).
 */
export const odataHttpUrl: Rule = defineRule({
  id: 'ui5/odata-http-url',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [319],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/transport-security-91f3e60.md',
  extracts: [scriptRequests],
  on: 'ui5-app',

  *check(app) {
    for (const { address, at } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      if (remote?.scheme !== 'http' || isLoopback(remote.host) || isPublicByNature(remote.host)) continue
      const path = remote.path.split(/[?#]/u, 1)[0]?.replace(/^\/+/u, '') || 'backend/'
      yield { at, args: { host: remote.host, path }, sameAs: address }
    }
  },

  text: {
    en: {
      title: 'Backend called over unencrypted HTTP',
      message: 'The app calls {host} over plain HTTP.',
      why: 'An attacker on the network path reads and changes the data and the credentials or session cookies sent with it.',
      fix: 'Write "uri": "{path}" in manifest.json (no leading slash: UI5 resolves it against the component, in a launchpad too) and route it to a destination with https:// in xs-app.json; at least write https:// instead of http://.',
    },
    fr: {
      title: 'Backend appelé en HTTP non chiffré',
      message: 'L’application appelle {host} en HTTP sans chiffrement.',
      why: 'Un attaquant placé sur le réseau lit et modifie les données, ainsi que les identifiants ou cookies de session qui les accompagnent.',
      fix: 'Écrivez "uri": "{path}" dans manifest.json (sans barre initiale : UI5 le résout par rapport au composant, y compris dans un launchpad) et routez-le vers une destination en https:// dans xs-app.json ; à défaut, écrivez https:// au lieu de http://.',
    },
  },
})
