import { isTrue } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Ways to log on with rights that are not the user's own. */
const TECHNICAL =
  /^(?:BasicAuthentication|OAuth2ClientCredentials|OAuth2Password|ClientCertificateAuthentication|OAuth2TechnicalUserPropagation|SAPAssertionSSO)$/i

/** A destination with technical rights that a route may name at run time.
 *  Facts: @sap/approuter 23.0.0 README, "Dynamic destinations" (`HTML5.DynamicDestination`). */
export const destinationDynamic: Rule = defineRule({
  id: 'btp/destination-dynamic',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [610],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'deployment',

  *check({ destinations }) {
    for (const { kind, name, property } of destinations) {
      const dynamic = property('HTML5.DynamicDestination')
      const authentication = property('Authentication')?.text ?? ''
      if (kind !== 'service' || dynamic === undefined || !isTrue(dynamic.text) || !TECHNICAL.test(authentication)) continue
      yield { at: dynamic.place, args: { name, authentication } }
    }
  },

  text: {
    en: {
      title: 'The caller may choose a destination with technical rights',
      message: 'Destination {name} has "HTML5.DynamicDestination" and logs on with {authentication}, not as the user.',
      why: 'A route with a dynamic destination takes its name out of the URL: any user who may use the app then calls the backend of {name} with the rights of its technical user.',
      fix: 'Remove "HTML5.DynamicDestination" from {name} and name it in a route of its own, or let users act as themselves (PrincipalPropagation, OAuth2UserTokenExchange).',
    },
    fr: {
      title: 'L’appelant peut choisir une destination aux droits techniques',
      message:
        'La destination {name} porte « HTML5.DynamicDestination » et se connecte avec {authentication}, non au nom de l’utilisateur.',
      why: 'Une route à destination dynamique prend son nom dans l’URL : tout utilisateur de l’application appelle alors le serveur de {name} avec les droits de son utilisateur technique.',
      fix: 'Supprimez « HTML5.DynamicDestination » de {name} et nommez-la dans une route à part, ou laissez chacun agir en son nom (PrincipalPropagation, OAuth2UserTokenExchange).',
    },
  },
})
