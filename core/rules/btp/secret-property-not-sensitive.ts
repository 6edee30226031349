import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECRET_NAME =
  /(?:^|[-_.])(?:pw|pwd|pass|password|passwd|passphrase|secret|client-?secret|api-?key|access-?key|private-?key|auth-?token|access-?token)$/i

/** A parameter for a secret that the deployer may print. Who fills it in does so in an extension; a literal is a finding of the rules on secrets.
 *  Facts: SAP BTP, "Metadata for Properties and Parameters" (`sensitive`: masked in logs and in the cockpit). */
export const secretPropertyNotSensitive: Rule = defineRule({
  id: 'btp/secret-property-not-sensitive',
  severity: 'LOW',
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

  text: {
    en: {
      title: 'A secret parameter is shown in deployment logs',
      message: 'Parameter {key} has no metadata that says "sensitive: true".',
      why: 'The deployer prints its value: whoever may read the log of a pipeline or of the deployment has it.',
      fix: 'Write beside "parameters": parameters-metadata: { {key}: { sensitive: true } }.',
    },
    fr: {
      title: 'Un paramètre secret apparaît dans les journaux de déploiement',
      message: 'Le paramètre {key} n’a pas de métadonnée indiquant « sensitive: true ».',
      why: 'Le déploiement imprime sa valeur : qui peut lire le journal d’un pipeline ou du déploiement la connaît.',
      fix: 'Écrivez à côté de « parameters » : parameters-metadata: { {key}: { sensitive: true } }.',
    },
  },
})

/** Empty, or what stands for "put yours here". */
function isToBeFilledIn(text: string | undefined, kind: string): boolean {
  return kind === 'null' || (text !== undefined && /^\s{0,10}$|^<[^<>]{0,100}>$|^(?:xxx+|changeme|todo|tbd|\.\.\.)$/i.test(text))
}
