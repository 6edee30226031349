import { isLoopback, isPublicByNature } from '../../model/deployment/index.ts'
import { readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A service that a productive app asks without encryption. Facts: documentation of SAPUI5, "Transport Security". */
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
      yield { at, args: { host: remote.host }, sameAs: address }
    }
  },

  text: {
    en: {
      title: 'Data is fetched over plain http',
      message: 'The app asks {host} without encryption.',
      why: 'Whoever sits on the network between user and server reads and changes the data, and the credentials that go with it.',
      fix: 'Use https://, or better a path of the own server, which a route leads to the backend: "uri": "/sap/opu/odata/…".',
    },
    fr: {
      title: 'Des données sont lues par http sans chiffrement',
      message: 'L’application interroge {host} sans chiffrement.',
      why: 'Quiconque se trouve sur le réseau entre l’utilisateur et le serveur lit et modifie les données, et les identifiants qui les accompagnent.',
      fix: 'Prenez https://, ou mieux un chemin du propre serveur, qu’une route mène au backend : "uri": "/sap/opu/odata/…".',
    },
  },
})
