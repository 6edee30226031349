import { BINDING_SECRET, ENCODED_KEYWORDS, limitMatches, type CredentialFile } from '../../secrets/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const FOUND = { impact: 'takeover', evidence: 'shown', confidence: 'high' } as const

/** The client secret of one binding or service key of XSUAA. Its shape is like no other, so that it needs no name beside it.
 *  Impact: with the client ID and the address of the token service, whoever reads the project gets tokens of the application.
 *  Facts: SAP BTP documentation, "Service Instance Secrets": a binding secret is valid as long as the binding or service key exists. */
export const sapBindingSecret: Rule = defineRule({
  id: 'secrets/sap-binding-secret',
  impact: 'takeover',
  reach: 'anyone',
  usage: 'deployed',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/50-administration-and-ops/service-instance-secrets-5578ec4.md',
  keywords: [...BINDING_SECRET.keywords, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials) => limitMatches(findMatches(credentials)),

  text: () => ({
    en: {
      title: 'Hard-coded client secret of a service binding',
      message: '{name} contains the client secret of a service binding ({length} characters).',
      why: 'With this secret and the client ID, an attacker can request tokens on behalf of your application from anywhere, as long as the binding or service key exists.',
      fix: 'Delete the service key, or unbind, rebind and restage the application: the secret is then invalid. Read credentials from the binding at run time (VCAP_SERVICES, "cds bind"). Deleting the value here is not enough: the version history may still contain it.',
    },
    fr: {
      title: 'Secret client d’une liaison de service codé en dur',
      message: '{name} contient le secret client d’une liaison de service ({length} caractères).',
      why: 'Avec ce secret et l’identifiant client, un attaquant peut demander des jetons au nom de votre application, où qu’il se trouve, tant que la liaison ou la clé de service existe.',
      fix: 'Supprimez la clé de service, ou supprimez et recréez la liaison de l’application, puis exécutez "cf restage" : ce secret devient invalide. Lisez les identifiants dans la liaison à l’exécution (VCAP_SERVICES, "cds bind"). Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
    },
  }),
})

function* findMatches(credentials: CredentialFile): Generator<Match> {
  const { file } = credentials
  for (const { value, span } of credentials.tokens(BINDING_SECRET)) {
    yield {
      at: { file: file.path, span },
      secret: value,
      args: { name: quoteWord(credentials.nameAt(span.start)), length: String(value.length) },
      ...credentials.gradeAt(FOUND, 'login', span),
    }
  }
}
