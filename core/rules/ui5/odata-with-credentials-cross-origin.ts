import { isLoopback } from '../../model/deployment/index.ts'
import { readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Requests to another origin that carry the cookies of that origin. Facts: Fetch standard, "credentials"; API of sap.ui.model.odata.v2.ODataModel, `withCredentials`. */
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
      title: 'Cookies are sent to another origin',
      message: 'Requests to {host} carry the cookies of that host.',
      why: 'That host must allow credentials for foreign origins: once its list of origins is too wide, any page reads the data in the session of your user.',
      fix: 'Let the own server lead to {host} by a route with a destination, and remove the setting.',
    },
    fr: {
      title: 'Des cookies sont envoyés à une autre origine',
      message: 'Les requêtes à {host} emportent les cookies de cet hôte.',
      why: 'Cet hôte doit autoriser les identifiants pour des origines étrangères : dès que sa liste d’origines est trop large, n’importe quelle page lit les données dans la session de votre utilisateur.',
      fix: 'Laissez le propre serveur mener à {host} par une route avec une destination, et supprimez le réglage.',
    },
  },
})
