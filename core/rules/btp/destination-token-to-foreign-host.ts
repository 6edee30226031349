import { isIn, isInternal, isLoopback, isOpen, isSapHost, isTrue, ownDomains, readUrl } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A destination that hands the user's token to somebody else.
 *  Facts: @sap/approuter 23.0.0 README, "Destinations" (`HTML5.ForwardAuthToken`: the OAuth token is sent to the destination).
 *  What an approuter's environment sends in the clear is the business of approuter/destination-env-insecure. */
export const destinationTokenToForeignHost: Rule = defineRule({
  id: 'btp/destination-token-to-foreign-host',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [201],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'deployment',

  *check(deployment) {
    const own = ownDomains(deployment)
    for (const { kind, name, isLocal, property } of deployment.destinations) {
      const forward = property('HTML5.ForwardAuthToken') ?? property('forwardAuthToken')
      if (isLocal || forward === undefined || !isTrue(forward.text)) continue
      // what goes through the Cloud Connector ends in the customer's own network
      if (property('ProxyType')?.text.toLowerCase() === 'onpremise') continue
      const url = readUrl(property('URL')?.text ?? '')
      if (url === undefined || isOpen(url.host) || isLoopback(url.host) || isInternal(url.host)) continue
      if (kind === 'approuter' && url.scheme === 'http') continue
      const args = { name, key: forward.key, host: url.host }
      if (!isSapHost(url.host) && !isIn(own, url.host)) yield { at: forward.place, args }
      else if (url.scheme === 'http') yield { at: forward.place, args, variant: 'http' }
    }
  },

  text: {
    en: {
      title: 'The user’s token goes to a foreign host',
      message: 'Destination {name} sends the token of each user to {host}, which belongs neither to this project nor to SAP.',
      why: 'Whoever runs {host} (or reads its logs) has valid tokens of your users and can call your services with all their rights.',
      fix: 'Remove "{key}" from {name} and choose an authentication that fits the host, as OAuth2ClientCredentials.',
      variants: {
        http: {
          title: 'The user’s token travels without encryption',
          message: 'Destination {name} sends the token of each user to {host} by plain HTTP.',
          why: 'Whoever listens on the way has valid tokens of your users and can call your services with all their rights.',
          fix: 'Write https:// in the URL of {name}.',
        },
      },
    },
    fr: {
      title: 'Le jeton de l’utilisateur part vers un hôte étranger',
      message: 'La destination {name} envoie le jeton de chaque utilisateur à {host}, qui n’appartient ni à ce projet ni à SAP.',
      why: 'Quiconque exploite {host} (ou lit ses journaux) détient des jetons valides de vos utilisateurs et peut appeler vos services avec tous leurs droits.',
      fix: 'Supprimez « {key} » de {name} et choisissez une authentification adaptée à l’hôte, comme OAuth2ClientCredentials.',
      variants: {
        http: {
          title: 'Le jeton de l’utilisateur circule sans chiffrement',
          message: 'La destination {name} envoie le jeton de chaque utilisateur à {host} en HTTP simple.',
          why: 'Quiconque écoute le trafic détient des jetons valides de vos utilisateurs et peut appeler vos services avec tous leurs droits.',
          fix: 'Écrivez https:// dans l’URL de {name}.',
        },
      },
    },
  },
})
