import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_NAME =
  /(?:^|[-_.])(?:pw|pwd|pass|password|passwd|passphrase|secret|client-?secret|api-?key|access-?key|private-?key|auth-?token|access-?token)$/i

/**
 * A parameter for a secret that the deployer may print. Its value comes from an extension; a literal one is reported by the rules on secrets.
 * Facts: SAP BTP, "Metadata for Properties and Parameters" (`sensitive`: masked in logs and in the cockpit).
 * Impact: a reader of the log has the secret.
 */
export const secretPropertyNotSensitive: Rule = defineRule({
  id: 'btp/secret-property-not-sensitive',
  impact: 'takeover',
  // who may read the log of a deployment, where an extension gives a value
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [532],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/metadata-for-properties-and-parameters-fca2ced.md',
  on: 'deployment',

  *check({ mtas, placeOf }) {
    for (const { tree } of mtas) {
      for (const node of [tree, ...itemsOf(at(tree, 'modules')), ...itemsOf(at(tree, 'resources'))]) {
        for (const { key, keySpan, value } of membersOf(at(node, 'parameters'))) {
          if (!SECRET_NAME.test(key) || !isToBeFilledIn(textOf(value), value.kind)) continue
          if (isTrue(textOf(at(node, 'parameters-metadata', key, 'sensitive')))) continue
          yield { at: { file: placeOf(value).file, span: keySpan }, args: { key } }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Secret MTA parameter not marked as sensitive',
      message: 'Parameter {key} has no metadata with "sensitive: true".',
      why: 'The deployer can write the parameter’s value to its log: an attacker who can read the deployment or pipeline log obtains the secret.',
      fix: 'Add next to "parameters": parameters-metadata: { {key}: { sensitive: true } }.',
    },
    fr: {
      title: 'Paramètre MTA secret non marqué comme sensible',
      message: 'Le paramètre {key} n’a pas de métadonnée "sensitive: true".',
      why: 'L’outil de déploiement peut écrire la valeur du paramètre dans son journal : un attaquant qui peut lire le journal du déploiement ou du pipeline obtient le secret.',
      fix: 'Ajoutez à côté de "parameters" : parameters-metadata: { {key}: { sensitive: true } }.',
    },
  }),
})

/** Empty, or a placeholder. */
function isToBeFilledIn(text: string | undefined, kind: string): boolean {
  return kind === 'null' || (text !== undefined && /^\s{0,10}$|^<[^<>]{0,100}>$|^(?:xxx+|changeme|todo|tbd|\.\.\.)$/i.test(text))
}
