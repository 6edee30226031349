import { isTrue } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { policyOf } from './_kept-destinations.ts'

/** Authentication types whose rights are not the user's own. */
const TECHNICAL =
  /^(?:BasicAuthentication|OAuth2ClientCredentials|OAuth2Password|ClientCertificateAuthentication|OAuth2TechnicalUserPropagation|SAPAssertionSSO)$/i

/**
 * A destination with technical rights that a route may select at run time.
 * Facts: @sap/approuter 23.0.0 README, "Optional additional properties" (`HTML5.DynamicDestination`).
 * Impact: any user of the app calls the backend with technical rights.
 */
export const destinationDynamic: Rule = defineRule({
  id: 'btp/destination-dynamic',
  impact: 'data',
  reach: 'user',
  // that a route selects it at run time, and what it opens
  evidence: 'assumed',
  confidence: 'high',
  cwe: [610],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#optional-additional-properties',
  on: 'deployment',

  *check({ destinations }) {
    for (const destination of destinations) {
      const { kind, name, property } = destination
      const dynamic = property('HTML5.DynamicDestination')
      const authentication = property('Authentication')?.text ?? ''
      if (kind !== 'service' || dynamic === undefined || !isTrue(dynamic.text) || !TECHNICAL.test(authentication)) continue
      const instead =
        property('ProxyType')?.text.toLowerCase() === 'onpremise' ? 'PrincipalPropagation' : 'OAuth2UserTokenExchange'
      yield { at: dynamic.place, args: { name, authentication, instead, policy: policyOf(destination) } }
    }
  },

  text: () => ({
    en: {
      title: 'Dynamic destination with a technical user',
      message: 'Destination {name} sets "HTML5.DynamicDestination" and logs on with {authentication}, not as the logged-on user.',
      why: 'If a route has a dynamic destination, the name of the destination comes from the URL: any user of the app can call the backend of {name} with the permissions of its technical user.',
      fix: 'Remove "HTML5.DynamicDestination" from destination {name} and set "destination": "{name}" in a separate route in xs-app.json; or set "Authentication" to "{instead}"{policy}.',
    },
    fr: {
      title: 'Destination dynamique avec un compte technique',
      message:
        'La destination {name} définit "HTML5.DynamicDestination" et se connecte avec {authentication}, et non au nom de l’utilisateur connecté.',
      why: 'Si une route a une destination dynamique, le nom de celle-ci vient de l’URL : tout utilisateur de l’application peut appeler le backend de la destination {name} avec les droits du compte technique.',
      fix: 'Supprimez "HTML5.DynamicDestination" de la destination {name} et définissez "destination": "{name}" dans une route dédiée de xs-app.json. Vous pouvez aussi donner à "Authentication" la valeur "{instead}"{policy}.',
    },
  }),
})
