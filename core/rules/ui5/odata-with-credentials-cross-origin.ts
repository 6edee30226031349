import { isLoopback } from '../../model/deployment/index.ts'
import { readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Requests to another origin that carry its cookies.
 * Facts: Fetch standard, "credentials"; API of sap.ui.model.odata.v2.ODataModel, `withCredentials`.
 * Severity: a second fault is needed, a CORS policy of that host that is too broad; the app itself is no fault (LOW).
 */
export const odataWithCredentialsCrossOrigin: Rule = defineRule({
  id: 'ui5/odata-with-credentials-cross-origin',
  severity: 'LOW',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/model-instantiation-and-data-access-9613f1f.md',
  extracts: [scriptRequests],
  on: 'ui5-app',

  *check(app) {
    for (const { address, credentials } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      if (credentials === undefined || remote === undefined || isLoopback(remote.host)) continue
      yield { at: credentials, args: { host: remote.host } }
    }
  },

  text: {
    en: {
      title: 'Cross-origin requests with credentials',
      message: 'Requests to {host} are sent cross-origin with cookies (withCredentials or credentials: "include").',
      why: 'That host has to allow credentials for other origins (CORS): if its list of origins is too broad, a malicious site can read the data with the session of the user.',
      fix: 'Remove the setting and call {host} through your own server: a relative "uri" in manifest.json and a route with a destination in xs-app.json.',
    },
    fr: {
      title: 'Requêtes intersites avec cookies d’authentification',
      message:
        'Les requêtes vers {host} partent vers une autre origine avec des cookies (withCredentials ou credentials: "include").',
      why: 'Cet hôte doit autoriser les cookies pour d’autres origines (CORS) : si sa liste d’origines est trop large, un site malveillant peut lire les données avec la session de l’utilisateur.',
      fix: 'Supprimez le réglage et appelez {host} par votre propre serveur : un "uri" relatif dans manifest.json et une route avec une destination dans xs-app.json.',
    },
  },
})
