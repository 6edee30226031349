import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isForProduction, keyIn, remoteCredentials } from '../../model/cap/index.ts'

/**
 * A remote service that production calls as one technical user with basic authentication from the configuration. Rules on secrets report
 * the password itself. Facts: capire, "Consuming Services" (credentials in the configuration are for tests); @sap/cds 9.9.3, remote/Service.js.
 * Impact: it takes a leaked password.
 */
export const remoteBasicAuthProduction: Rule = defineRule({
  id: 'cap/remote-basic-auth-production',
  impact: 'defence',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/remote-authentication',
  on: 'cap-root',

  *check(root) {
    for (const { service, kind: protocol, value } of remoteCredentials(root)) {
      // queues and brokers have users of their own
      if (value('url') === undefined && !/^(?:odata|rest|hcql|graphql)/.test(protocol)) continue
      const kind = value('authentication')
      const named = stringOf(kind?.node)
      if (named !== undefined && !/^Basic(?:Authentication)?$/i.test(named)) continue
      // CAP sends no other name of a user
      const [name, setting] = kind === undefined ? ['username', value('username')] : ['authentication', kind]
      if (setting === undefined || stringOf(setting.node) === undefined || !isForProduction(root, setting)) continue
      const args = { service, key: keyIn(setting, 'requires', service, 'credentials', name), file: setting.place.file }
      yield { at: setting.place, args }
    }
  },

  text: () => ({
    en: {
      title: 'Basic authentication for a remote service',
      message: 'In production, the service {service} is called with basic authentication, configured by {key} in {file}.',
      why: 'All calls run as one technical user: the remote system cannot tell users apart, and an attacker with the password has all of that user’s permissions.',
      fix: 'Replace the {service} credentials in {file} with "credentials": { "destination": "<name>" } and bind the Destination service. In that destination, use OAuth2SAMLBearerAssertion (on premise: PrincipalPropagation) or OAuth2ClientCredentials.',
    },
    fr: {
      title: 'Authentification basique vers un service distant',
      message:
        'En production, le service {service} est appelé avec une authentification basique, configurée par {key} dans {file}.',
      why: 'Tous les appels utilisent le même compte technique : le système distant ne peut pas distinguer les utilisateurs, et un attaquant qui connaît le mot de passe obtient tous les droits de ce compte.',
      fix: 'Remplacez les identifiants de {service} dans {file} par "credentials": { "destination": "<nom>" }, et liez une instance du service Destination. Dans cette destination, utilisez OAuth2SAMLBearerAssertion (sur site : PrincipalPropagation) ou OAuth2ClientCredentials.',
    },
  }),
})
