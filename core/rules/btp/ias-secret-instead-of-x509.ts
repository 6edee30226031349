import { textOf } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A binding to the identity service with a client secret instead of a certificate.
 * Facts: @sap/approuter 23.0.0 README, IAS; capire, "Authentication" (`credential-type: X509_GENERATED`); the default is SECRET.
 * Impact: nothing by itself, the secret must leak first.
 */
export const iasSecretInsteadOfX509: Rule = defineRule({
  id: 'btp/ias-secret-instead-of-x509',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [522],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#ias-auth',
  on: 'deployment',

  *check({ applications, placeOf }) {
    for (const { name: app, bindings, resolve } of applications) {
      for (const { name, service, node } of bindings) {
        const required = at(node, 'name') ?? node
        // a binding through another service has no settings here
        if (service !== 'identity' || stringOf(required) !== name) continue
        const type = at(node, 'parameters', 'config', 'credential-type')
        const value = resolve(textOf(type) ?? 'SECRET')
        if (!/^SECRET$/i.test(value)) continue
        yield {
          at: placeOf(type ?? required),
          args: { app: app ?? '', name, value },
          ...(type === undefined && { variant: 'default' }),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Identity service binding with a client secret',
      message: 'Application {app} is bound to {name} with "credential-type": {value}.',
      why: 'An attacker with a leaked client secret can act as the application until the secret is rotated; a certificate expires, and its private key is never sent.',
      fix: 'Set "credential-type" to X509_GENERATED for the binding to {name}, in "requires" of {app}.',
      variants: {
        default: {
          message: 'Application {app} is bound to {name} without "credential-type": the default is {value}.',
          fix: 'Add to the entry {name} in "requires" of {app}: parameters: { config: { credential-type: X509_GENERATED } }.',
        },
      },
    },
    fr: {
      title: 'Liaison à IAS avec un secret client',
      message: 'L’application {app} est liée à l’instance {name} avec "credential-type": {value}.',
      why: 'Un attaquant muni d’un secret client divulgué peut agir au nom de l’application jusqu’au renouvellement de ce secret ; un certificat expire, et sa clé privée n’est jamais envoyée.',
      fix: 'Donnez à "credential-type" la valeur X509_GENERATED pour la liaison à {name}, dans "requires" de l’application {app}.',
      variants: {
        default: {
          message: 'L’application {app} est liée à l’instance {name} sans "credential-type" : la valeur par défaut est {value}.',
          fix: 'Ajoutez à l’entrée {name}, dans "requires" de l’application {app} : parameters: { config: { credential-type: X509_GENERATED } }.',
        },
      },
    },
  }),
})
