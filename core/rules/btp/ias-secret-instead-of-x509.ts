import { textOf } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A binding to the identity service with a password instead of a certificate.
 *  Facts: @sap/approuter 23.0.0 README, IAS; capire, "Authentication" (`credential-type: X509_GENERATED`); without one it is SECRET. */
export const iasSecretInsteadOfX509: Rule = defineRule({
  id: 'btp/ias-secret-instead-of-x509',
  severity: 'LOW',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'deployment',

  *check({ applications, placeOf }) {
    for (const { name: app, bindings, resolve } of applications) {
      for (const { name, service, node } of bindings) {
        const required = at(node, 'name') ?? node
        // what it is bound to through another service has no settings here
        if (service !== 'identity' || stringOf(required) !== name) continue
        const type = at(node, 'parameters', 'config', 'credential-type')
        const value = resolve(textOf(type) ?? 'SECRET')
        if (!/^SECRET$/i.test(value)) continue
        yield { at: placeOf(type ?? required), args: { app: app ?? '', name, value } }
      }
    }
  },

  text: {
    en: {
      title: 'The identity service is bound with a secret',
      message: '{app} is bound to {name} with "credential-type": {value}.',
      why: 'A secret in an environment or a log is enough to act as the application until somebody binds it anew; a certificate ends by itself, and its key is never sent.',
      fix: 'Write in this requirement: parameters: { config: { credential-type: X509_GENERATED } }.',
    },
    fr: {
      title: 'Le service d’identité est lié par un secret',
      message: '{app} est lié à {name} avec « credential-type » : {value}.',
      why: 'Un secret dans un environnement ou un journal suffit pour agir au nom de l’application jusqu’à une nouvelle liaison ; un certificat expire de lui-même et sa clé n’est jamais envoyée.',
      fix: 'Écrivez dans cette exigence : parameters: { config: { credential-type: X509_GENERATED } }.',
    },
  },
})
