import { providedIdentities, registrations } from './_callers/provided-identities.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An operation by which people register makes them users of an identity provider, with the address and the password that they send: nobody has proved that the address is theirs.
 * Facts: OWASP ASVS 5.0, 6.1 and 6.4 (enrolment, proof of control of an address); CWE-345, CWE-287; what each provider takes as proved: see the extract.
 * Impact: an attacker registers with the address of another person and then has that identity in every application that trusts the provider. Whether another place holds the
 * account back, such as a policy of the provider, is not in the project.
 */
export const identityWithoutProof: Rule = defineRule({
  id: 'cap/identity-without-proof',
  impact: 'takeover',
  evidence: 'assumed',
  inOpenRoute: 'assumed',
  confidence: 'medium',
  cwe: [287, 345],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  extracts: [providedIdentities, registrations],
  on: 'project',

  *check({ scripts, step }) {
    const provided = scripts.get(providedIdentities)
    if (provided.length === 0) return
    for (const { file, value } of scripts.get(registrations)) {
      step(provided.length)
      const { start, end, called } = value
      const made = provided.find(
        (one) => one.value.by === called || (one.file === file && one.value.start >= start && one.value.end <= end),
      )
      if (made === undefined) continue
      yield { at: { file, span: { start, end } }, args: { field: made.value.field }, groupKey: `${file} ${called}` }
    }
  },

  text: () => ({
    en: {
      title: 'Identity created without proof of the mail address',
      message:
        'This registration creates a user of the identity provider with the sent address and password, and its "{field}" makes the address count as proven.',
      why: 'An attacker registers with the address of another person, and then has that identity in every application that trusts the identity provider.',
      fix: 'Remove "{field}", or send a code or link to the address first and create the user only when it comes back. Or use the self-registration of the identity provider.',
    },
    fr: {
      title: 'Identité créée sans preuve de l’adresse électronique',
      message:
        'Cette inscription crée un utilisateur du fournisseur d’identité avec l’adresse et le mot de passe envoyés, et "{field}" fait passer l’adresse pour prouvée.',
      why: 'Un attaquant s’inscrit avec l’adresse d’une autre personne et possède ensuite cette identité dans toutes les applications qui font confiance au fournisseur d’identité.',
      fix: 'Retirez "{field}", ou envoyez d’abord un code ou un lien à l’adresse et ne créez l’utilisateur qu’à son retour. Ou utilisez l’auto-inscription du fournisseur d’identité.',
    },
  }),
})
