import { isInternal, isLoopback, isPublicByNature } from '../../model/deployment/index.ts'
import { readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** OData services and BTP applications: backends of the project, not any page of the web. */
const BACKEND = /\/odata\/|\/sap\/opu\/|\.svc(?:\/|$)|\/sap\/bc\//iu
const APPLICATION = /\.cfapps\.|\.hana\.ondemand\.com$|\.s4hana\.|\.kyma\./u

/** A backend that an app asks by its own host. Facts: SAP BTP, "Application Router": destinations carry login, token exchange and CSRF protection. */
export const absoluteServiceUrl: Rule = defineRule({
  id: 'ui5/absolute-service-url',
  severity: 'LOW',
  confidence: 'high',
  cwe: [547],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/variant-for-bootstrapping-from-content-delivery-network-2d3eb2f.md',
  extracts: [scriptRequests],
  on: 'ui5-app',

  *check(app) {
    for (const { address, at } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      // over plain http ui5/odata-http-url says more
      if (remote === undefined || remote.scheme === 'http') continue
      const { host, path } = remote
      if (isLoopback(host) || isPublicByNature(host)) continue
      if (!BACKEND.test(path) && !APPLICATION.test(host) && !isInternal(host)) continue
      yield { at, args: { host }, sameAs: address }
    }
  },

  text: {
    en: {
      title: 'The host of a backend is written into the app',
      message: 'The app asks {host} directly.',
      why: 'The request goes past approuter and destination: login, CSRF protection and logging there do not apply, the backend must be open to other origins, and a test system ends up in production.',
      fix: 'Write a path of the own server, "uri": "odata/v4/catalog/", and let a route with a destination lead to the backend.',
    },
    fr: {
      title: 'L’hôte d’un backend est écrit dans l’application',
      message: 'L’application interroge directement {host}.',
      why: 'La requête contourne approuter et destination : connexion, protection CSRF et journalisation n’y jouent pas, le backend doit être ouvert à d’autres origines, et un système de test finit en production.',
      fix: 'Écrivez un chemin du propre serveur, "uri": "odata/v4/catalog/", et laissez une route avec une destination mener au backend.',
    },
  },
})
