import { subset, validRange } from 'semver'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * Data of a client read by a deserializer that can run code.
 * Facts: documentation of node-serialize, serialize-to-js, funcster, cryo; Node.js 24, v8.deserialize ("untrusted data").
 * Severity: runs code on the server for any caller of the handler, HIGH.
 */
export const unsafeDeserialization: Rule = defineRule({
  id: 'cap/unsafe-deserialization',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [502],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
  on: 'flow',

  *check(hit, project) {
    if (hit.detail === 'js-yaml' && !hasOldYaml(hit.at.file, project)) return
    yield {
      ...gradeHit(hit),
      args: { part: hit.quotedPart, sink: hit.sink },
      ...(hit.origin === 'stored' && { variant: 'stored' }),
    }
  },

  text: {
    en: {
      title: 'Unsafe deserialization of request data',
      message: '{part} from the request is deserialized by {sink}, which can run code contained in it.',
      why: 'An attacker can send a crafted object that runs code on the server as soon as it is deserialized.',
      fix: 'Send plain JSON, read it with JSON.parse, and validate it with a schema before it is used.',
      variants: {
        stored: {
          title: 'Unsafe deserialization of stored or remote data',
          message:
            '{part} contains data written by clients or another system, and is deserialized by {sink}, which can run code contained in it.',
        },
      },
    },
    fr: {
      title: 'Désérialisation non sûre de données de la requête',
      message: '{part}, reçu dans la requête, est désérialisé par {sink}, qui peut exécuter le code qu’il contient.',
      why: 'Un attaquant peut envoyer un objet forgé qui exécute du code sur le serveur dès sa désérialisation.',
      fix: 'Échangez du JSON simple et lisez-le avec JSON.parse ; validez-le par un schéma avant de l’utiliser.',
      variants: {
        stored: {
          title: 'Désérialisation non sûre de données stockées ou distantes',
          message:
            '{part} contient des données écrites par des clients ou un autre système et est désérialisé par {sink}, qui peut exécuter le code qu’elles contiennent.',
        },
      },
    },
  },
})

/** The nearest package.json that names js-yaml allows versions below 4 alone: `load` makes functions of them. Fact: js-yaml, changelog of 4.0.0. */
function hasOldYaml(file: string, { npm }: Project): boolean {
  const named = npm.packages.flatMap(({ folder, dependencies }) => {
    const range = dependencies.find(({ name }) => name === 'js-yaml')?.range
    const isAround = folder === '' || file.startsWith(`${folder}/`)
    return isAround && range !== undefined ? [{ folder, range }] : []
  })
  const [nearest] = named.sort((a, b) => b.folder.length - a.folder.length)
  return nearest !== undefined && validRange(nearest.range) !== null && subset(nearest.range, '<4.0.0')
}
