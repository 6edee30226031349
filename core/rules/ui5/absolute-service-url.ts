import { isInternal, isLoopback, isPublicByNature } from '../../model/deployment/index.ts'
import { givenAddresses, resourcePathOf, readRemote, scriptRequests, serviceAddressesOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** OData services and BTP applications: backends of the project, not any page of the web. */
const BACKEND = /\/odata\/|\/sap\/opu\/|\.svc(?:\/|$)|\/sap\/bc\//iu
const APPLICATION = /\.cfapps\.|\.hana\.ondemand\.com$|\.s4hana\.|\.kyma\./u

/** The path without leading slash and query: UI5 resolves it against the component. */
function toRelative(path: string): string {
  return path.split(/[?#]/u, 1)[0]?.replace(/^\/+/u, '') || 'backend/'
}

/**
 * A backend that the app calls by its absolute URL.
 * Facts: SAP BTP, "Application Router": destinations add authentication, token exchange and CSRF protection; sap/ui/core/Component
 * (@openui5/sap.ui.core 1.120.0) resolves the URI of a data source against the component that declares it.
 * Facts on cards: card explorer of SAPUI5, "Destinations".
 * Impact: the backend still authenticates its callers; what the approuter adds is missing.
 */
export const absoluteServiceUrl: Rule = defineRule({
  id: 'ui5/absolute-service-url',
  impact: 'defence',
  confidence: 'high',
  cwe: [547],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  extracts: [givenAddresses, scriptRequests],
  yieldsTo: ['ui5/odata-http-url'],
  on: 'ui5-app',

  *check(app) {
    for (const { address, at, isOfCard, isGiven } of serviceAddressesOf(app)) {
      const remote = readRemote(address)
      if (remote === undefined) continue
      const { host, path } = remote
      if (isLoopback(host) || isPublicByNature(host)) continue
      if (!BACKEND.test(path) && !APPLICATION.test(host) && !isInternal(host)) continue
      const relative = toRelative(path)
      const args = { host, path: relative, module: resourcePathOf(app, relative) }
      const variant = isOfCard ? 'card' : at.file === app.manifest?.file ? undefined : 'script'
      yield { at, args, groupKey: isGiven ? `given ${host}` : address, ...(variant !== undefined && { variant }) }
    }
  },

  text: () => ({
    en: {
      title: 'Hard-coded backend host in a UI5 app',
      message: 'The app calls {host} through an absolute URL instead of a path on its own server.',
      why: 'The calls do not pass through an approuter route: its authentication and CSRF protection do not apply, and the backend has to allow cross-origin requests.',
      fix: 'Set "uri": "{path}" in manifest.json (no leading slash: UI5 resolves the URI relative to the component, even in a launchpad); in xs-app.json, route that path to a destination for {host}.',
      variants: {
        script: {
          fix: 'Build the URL with sap.ui.require.toUrl("{module}"), which gives a path within the app; in xs-app.json, route that path to a destination for {host}.',
        },
        card: {
          fix: 'Add "backend": { "name": "<destination>" } without "defaultUrl" to sap.card.configuration.destinations, with the name of the destination for {host}. Then set "url": "{{destinations.backend}}/{path}" in the request of the card.',
        },
      },
    },
    fr: {
      title: 'Hôte du backend codé en dur dans une application UI5',
      message: 'L’application appelle {host} par une URL absolue au lieu d’un chemin de son propre serveur.',
      why: 'Les appels ne passent pas par l’approuter : son authentification et sa protection CSRF ne s’appliquent pas, et le backend doit autoriser les requêtes d’autres origines.',
      fix: 'Définissez "uri": "{path}" dans manifest.json (sans barre initiale : UI5 résout l’URI par rapport au composant, y compris dans un launchpad) ; dans xs-app.json, ajoutez une route de ce chemin vers une destination pour {host}.',
      variants: {
        script: {
          fix: 'Construisez l’URL avec sap.ui.require.toUrl("{module}"), qui donne un chemin dans l’application ; dans xs-app.json, ajoutez une route de ce chemin vers une destination pour {host}.',
        },
        card: {
          fix: 'Ajoutez "backend": { "name": "<destination>" } (sans "defaultUrl") à sap.card.configuration.destinations, où <destination> est le nom de la destination pour {host}. Définissez ensuite "url": "{{destinations.backend}}/{path}" dans la requête de la carte.',
        },
      },
    },
  }),
})
