import { isIn, isInternal, isLoopback, isOpen, isSapHost, isTrue, ownDomains, readUrl } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/**
 * A destination that forwards the user's token to a host of a third party, or without encryption.
 * Facts: @sap/approuter 23.0.0 README, "Optional additional properties" (`HTML5.ForwardAuthToken`: the OAuth token is sent to the
 * destination).
 * Impact: each call discloses a valid token, with which its reader becomes the user.
 */
export const destinationTokenToForeignHost: Rule = defineRule({
  id: 'btp/destination-token-to-foreign-host',
  impact: 'takeover',
  // who runs the host; without TLS whoever is on the network path
  reach: 'privileged',
  grades: { http: { reach: 'user' } },
  confidence: 'high',
  cwe: [201],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#optional-additional-properties',
  on: 'deployment',

  *check(deployment) {
    const own = ownDomains(deployment)
    for (const destination of deployment.destinations) {
      const { kind, name, isLocal, property } = destination
      const forward = property('HTML5.ForwardAuthToken') ?? property('forwardAuthToken')
      if (isLocal || forward === undefined || !isTrue(forward.text)) continue
      // the Cloud Connector ends in the customer's own network
      if (property('ProxyType')?.text.toLowerCase() === 'onpremise') continue
      const url = readUrl(property('URL')?.text ?? '')
      if (url === undefined || isOpen(url.host) || isLoopback(url.host) || isInternal(url.host)) continue
      // a rule on approuters reports unencrypted addresses of their environment
      if (kind === 'approuter' && url.scheme === 'http') continue
      const args = { name, key: forward.key, host: url.host, policy: policyOf(destination) }
      if (!isSapHost(url.host) && !isIn(own, url.host))
        yield { at: forward.place, args, ...(kind === 'approuter' && { variant: 'environment' }) }
      else if (url.scheme === 'http') yield { at: forward.place, args, variant: 'http' }
    }
  },

  text: () => ({
    en: {
      title: 'User token forwarded to a third-party host',
      message:
        '"{key}" of destination {name} sends each user’s token to the host {host}, which, by its name, belongs neither to this project nor to SAP.',
      why: 'The operator of {host}, or an attacker who compromises this host, can call your services with these tokens, on behalf of your users, until the tokens expire.',
      fix: 'Remove "{key}" from destination {name} and set "Authentication" to what {host} expects, for example "OAuth2ClientCredentials"{policy}.',
      variants: {
        environment: {
          fix: 'Remove "{key}" from destination {name}. If {host} requires authentication, define the destination in the destination service instead, for example with "Authentication": "OAuth2ClientCredentials".',
        },
        http: {
          title: 'User token forwarded over unencrypted HTTP',
          message: '"{key}" of destination {name} sends each user’s token to http://{host}.',
          why: 'An attacker on the network path can read the tokens and call your services on behalf of your users until the tokens expire.',
          fix: 'Change "http://" to "https://" in the URL of destination {name}{policy}.',
        },
      },
    },
    fr: {
      title: 'Jeton d’utilisateur transmis à un hôte tiers',
      message:
        '"{key}" de la destination {name} envoie le jeton de chaque utilisateur à l’hôte {host}, qui, d’après son nom, n’appartient ni à ce projet ni à SAP.',
      why: 'L’exploitant de l’hôte {host}, ou un attaquant qui compromet cet hôte, peut appeler vos services avec ces jetons, au nom de vos utilisateurs, jusqu’à l’expiration des jetons.',
      fix: 'Supprimez "{key}" de la destination {name} et donnez à "Authentication" la valeur qu’attend {host}, par exemple "OAuth2ClientCredentials"{policy}.',
      variants: {
        environment: {
          fix: 'Supprimez "{key}" de la destination {name}. Si {host} exige une authentification, définissez plutôt la destination dans le service de destinations, par exemple avec "Authentication": "OAuth2ClientCredentials".',
        },
        http: {
          title: 'Jeton d’utilisateur transmis en HTTP non chiffré',
          message: '"{key}" de la destination {name} envoie le jeton de chaque utilisateur à http://{host}.',
          why: 'Un attaquant placé sur le réseau peut lire les jetons et appeler vos services au nom de vos utilisateurs jusqu’à l’expiration des jetons.',
          fix: 'Remplacez "http://" par "https://" dans l’URL de la destination {name}{policy}.',
        },
      },
    },
  }),
})
