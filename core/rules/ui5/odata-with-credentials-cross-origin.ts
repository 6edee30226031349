import { isLoopback } from '../../model/deployment/index.ts'
import { givenAddresses, readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Requests to another origin that carry its cookies.
 * Facts: Fetch standard, "credentials"; API of sap.ui.model.odata.v2.ODataModel, `withCredentials`.
 * Impact: a second fault is needed, a CORS policy of that host that is too broad; the app itself is no fault.
 */
export const odataWithCredentialsCrossOrigin: Rule = defineRule({
  id: 'ui5/odata-with-credentials-cross-origin',
  impact: 'defence',
  confidence: 'high',
  cwe: [942],
  since: '0.1.0',
  docs: 'https://developer.mozilla.org/docs/Web/HTTP/Guides/CORS#requests_with_credentials',
  extracts: [givenAddresses, scriptRequests],
  on: 'ui5-app',

  *check(app) {
    for (const { address, credentials, isFetch, isOfScript, isOfCard, isGiven } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      if (credentials === undefined || remote === undefined || isLoopback(remote.host)) continue
      const args = { host: remote.host, setting: isFetch === true ? 'credentials: "include"' : 'withCredentials: true' }
      const variant = isOfCard ? 'card' : isOfScript ? 'script' : undefined
      // what one place of the app decides is one matter for all that ask there
      const groupKey = isGiven ? `${app.root} given ${remote.host}` : undefined
      yield {
        at: credentials,
        args,
        ...(variant !== undefined && { variant }),
        ...(groupKey !== undefined && { groupKey }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Cross-origin requests with credentials',
      message: 'Requests to {host} are sent cross-origin with cookies ({setting}).',
      why: 'That host has to allow credentials for other origins (CORS): if its list of origins is too broad, a malicious site can read the data with the user’s session.',
      fix: 'Remove withCredentials and call {host} through your own server: use a relative "uri" in manifest.json and a route with a destination in xs-app.json.',
      variants: {
        script: {
          fix: 'Remove {setting} and call {host} through your own server: use a relative URL, and a route with a destination in xs-app.json.',
        },
        card: {
          fix: 'Remove withCredentials and call {host} through a destination: declare it in sap.card.configuration.destinations without "defaultUrl", and begin "url" with {{destinations.<name>}}.',
        },
      },
    },
    fr: {
      title: 'Cookies d’authentification envoyés à une autre origine',
      message: 'Les requêtes vers {host}, une autre origine, sont envoyées avec des cookies ({setting}).',
      why: 'Cet hôte doit autoriser les cookies pour d’autres origines (CORS) : si sa liste d’origines est trop large, un site malveillant peut lire les données avec la session de l’utilisateur.',
      fix: 'Supprimez withCredentials et appelez {host} par votre propre serveur : utilisez un "uri" relatif dans manifest.json et une route avec une destination dans xs-app.json.',
      variants: {
        script: {
          fix: 'Supprimez {setting} et appelez {host} par votre propre serveur : utilisez une URL relative et une route avec une destination dans xs-app.json.',
        },
        card: {
          fix: 'Supprimez withCredentials et appelez {host} par une destination : déclarez-la dans sap.card.configuration.destinations sans "defaultUrl", et commencez "url" par {{destinations.<nom>}}.',
        },
      },
    },
  }),
})
