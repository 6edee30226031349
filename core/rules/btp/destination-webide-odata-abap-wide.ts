import { isForTesting, isTrue } from '../../model/deployment/index.ts'
import { quoteValue } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/**
 * A deployed destination that development tools may use.
 * Facts: SAP Business Application Studio, "Connecting to External Systems" (`WebIDEEnabled`, `WebIDEUsage`).
 * Impact: developers call the backend with the credentials of the destination.
 */
export const destinationWebideOdataAbapWide: Rule = defineRule({
  id: 'btp/destination-webide-odata-abap-wide',
  impact: 'data',
  // developers of the subaccount; what the destination opens is not in the project
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [732],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/20-getting-started/creating-a-destination-to-the-abap-system-for-sap-business-application-studio-e597948.md',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      if (kind !== 'service') continue
      const enabled = property('WebIDEEnabled')
      const usage = property('WebIDEUsage')
      const found = enabled !== undefined && isTrue(enabled.text) ? enabled : enabled === undefined ? usage : undefined
      if (found === undefined || found.text.trim() === '' || isForTesting(found.place.file)) continue
      const args = { name, key: found.key, value: quoteValue(found.text), policy: policyOf(destination) }
      yield { at: found.place, args, ...(enabled === undefined && { variant: 'usage' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Destination exposed to development tools',
      message: 'Destination {name} is deployed with "{key}": {value}.',
      why: 'Every developer in the subaccount can call the backend of this destination from SAP Business Application Studio, with the authentication of the destination but without the application’s checks.',
      fix: 'Remove "WebIDEEnabled" and "WebIDEUsage" from destination {name}{policy}. For development, create a separate destination with "WebIDEEnabled": "true" and "WebIDEUsage" in the development subaccount.',
      variants: {
        usage: {
          title: 'Destination prepared for development tools',
          message: 'Destination {name} is deployed with "{key}": {value}, but without "WebIDEEnabled".',
          why: 'Once someone adds "WebIDEEnabled": "true", every developer in the subaccount can call the backend from SAP Business Application Studio, with the authentication of the destination but without the application’s checks.',
          fix: 'Remove "WebIDEUsage" from destination {name}{policy}. For development, create a separate destination with "WebIDEEnabled": "true" and "WebIDEUsage" in the development subaccount.',
        },
      },
    },
    fr: {
      title: 'Destination exposée aux outils de développement',
      message: 'La destination {name} est déployée avec "{key}": {value}.',
      why: 'Tout développeur du sous-compte peut appeler le backend de cette destination depuis SAP Business Application Studio, avec l’authentification de la destination mais sans les contrôles de l’application.',
      fix: 'Supprimez "WebIDEEnabled" et "WebIDEUsage" de la destination {name}{policy}. Pour développer, créez une destination distincte avec "WebIDEEnabled": "true" et "WebIDEUsage" dans le sous-compte de développement.',
      variants: {
        usage: {
          title: 'Destination préparée pour les outils de développement',
          message: 'La destination {name} est déployée avec "{key}": {value}, mais sans "WebIDEEnabled".',
          why: 'Dès que quelqu’un ajoute "WebIDEEnabled": "true", tout développeur du sous-compte peut appeler le backend depuis SAP Business Application Studio, avec l’authentification de la destination mais sans les contrôles de l’application.',
          fix: 'Supprimez "WebIDEUsage" de la destination {name}{policy}. Pour développer, créez une destination distincte avec "WebIDEEnabled": "true" et "WebIDEUsage" dans le sous-compte de développement.',
        },
      },
    },
  }),
})
