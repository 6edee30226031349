import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isForProduction, keyIn, remoteCredentials } from '../../model/cap/index.ts'

/** A remote service that production calls with one user's name and password, kept in the configuration. The password itself is the business of
 *  the rules on secrets. Facts: capire, "Consuming Services" (credentials in the configuration are for tests); @sap/cds 9.9.3, remote/Service.js. */
export const remoteBasicAuthProduction: Rule = defineRule({
  id: 'cap/remote-basic-auth-production',
  severity: 'LOW',
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
      const user = value('username') ?? value('user')
      const [name, setting] = kind === undefined ? ['username', user] : ['authentication', kind]
      if (setting === undefined || stringOf(setting.node) === undefined || !isForProduction(root, setting)) continue
      const args = { service, key: keyIn(setting, 'requires', service, 'credentials', name), file: setting.place.file }
      yield { at: setting.place, args }
    }
  },

  text: {
    en: {
      title: 'A remote service is called with a fixed user',
      message: '{service} is called with basic authentication in production: {key} in {file}.',
      why: 'Every call has the rights of that one user, whoever asks: the other side can’t tell who did what, and a leaked password has all its rights.',
      fix: 'Name a destination instead, "credentials": { "destination": "…" }, with OAuth2UserTokenExchange, PrincipalPropagation or a client certificate.',
    },
    fr: {
      title: 'Un service distant est appelé avec un utilisateur fixe',
      message: '{service} est appelé en production par authentification basique : {key} dans {file}.',
      why: 'Chaque appel a les droits de ce seul utilisateur, quel que soit le demandeur : l’autre côté ne sait pas qui a fait quoi, et un mot de passe divulgué donne tous ses droits.',
      fix: 'Nommez plutôt une destination, « "credentials": { "destination": "…" } », avec OAuth2UserTokenExchange, PrincipalPropagation ou un certificat client.',
    },
  },
})
