import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { getsVersionsWithin } from '../../model/npm/index.ts'
import { wordPart } from './_matches.ts'

/**
 * Data of a client read by a deserializer that can run code, or by an XML parser that expands external entities.
 * Facts: documentation of node-serialize, serialize-to-js, funcster, cryo; Node.js 24, "v8.deserialize" (structured clone algorithm);
 * libxmljs2, "parseXml" (noent); OWASP, "XML External Entity Prevention".
 * Impact: runs code on the server; external entities read its files. How stored data got there is assumed.
 */
export const unsafeDeserialization: Rule = defineRule({
  id: 'cap/unsafe-deserialization',
  impact: 'takeover',
  grades: { entities: { impact: 'data' }, stored: { evidence: 'assumed' } },
  confidence: 'high',
  cwe: [502],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Deserialization_Cheat_Sheet.html',
  docsByVariant: { entities: 'https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html' },
  on: 'flow',

  *check(hit, project) {
    // js-yaml, changelog of 4.0.0: `load` makes functions before
    if (hit.detail === 'js-yaml' && !getsVersionsWithin(hit.at.file, 'js-yaml', '<4.0.0', project.npm)) return
    const variant = variantOf(hit)
    yield {
      ...gradeHit(hit),
      args: { part: hit.origin === 'stored' ? wordPart(hit.quotedPart) : hit.quotedPart, sink: hit.quotedSink },
      ...(variant !== undefined && { variant }),
    }
  },

  text: () => ({
    en: {
      title: 'Unsafe deserialization of request data',
      message: '{sink} deserializes request data ({part}) and can run code contained in that data.',
      why: 'An attacker can send a crafted object that runs code on the server when it is deserialized or used.',
      fix: 'Exchange plain JSON instead: read it with JSON.parse, and validate it with a schema before you use it.',
      variants: {
        entities: {
          title: 'XML external entity (XXE) injection',
          message: '{sink} expands the entities in {part} (noent: true), including external ones.',
          why: 'An attacker who sends XML with an external entity can read files on the server.',
          fix: 'Remove noent: true from the options of {sink}: external entities are then no longer expanded.',
        },
        binary: {
          message: '{sink} deserializes request data ({part}).',
          why: 'An attacker can send crafted data that creates objects of unexpected types or exploits a bug in the engine.',
        },
        yaml: {
          message: '{sink} of js-yaml 3 deserializes request data ({part}) and can create JavaScript functions from it.',
          why: 'An attacker can send YAML that contains functions: their code runs on the server when the application uses the result, for example converts it to a string.',
          fix: 'Upgrade js-yaml to version 4 or later, whose {sink} creates no functions (in version 3, call safeLoad instead), and validate the result with a schema.',
        },
        stored: {
          title: 'Unsafe deserialization of stored or remote data',
          message:
            '{sink} deserializes {part}, which contains data written by clients or another system, and can run code contained in it.',
        },
      },
    },
    fr: {
      title: 'Désérialisation non sécurisée de données de la requête',
      message: '{sink} désérialise des données de la requête ({part}) et peut exécuter le code qu’elles contiennent.',
      why: 'Un attaquant peut envoyer un objet forgé qui exécute du code sur le serveur lors de sa désérialisation ou de son utilisation.',
      fix: 'Échangez plutôt du JSON : lisez-le avec JSON.parse, et validez-le à l’aide d’un schéma avant de l’utiliser.',
      variants: {
        entities: {
          title: 'Injection d’entités externes XML (XXE)',
          message: '{sink} remplace les entités de {part} par leur contenu (noent: true), y compris les entités externes.',
          why: 'Un attaquant qui envoie du XML avec une entité externe peut lire des fichiers du serveur.',
          fix: 'Supprimez noent: true des options de {sink} : les entités externes ne sont alors plus remplacées.',
        },
        binary: {
          message: '{sink} désérialise des données de la requête ({part}).',
          why: 'Un attaquant peut envoyer des données forgées qui créent des objets de types inattendus ou exploitent un bogue du moteur.',
        },
        yaml: {
          message:
            '{sink} de js-yaml 3 désérialise des données de la requête ({part}) et peut créer des fonctions JavaScript à partir de celles-ci.',
          why: 'Un attaquant peut envoyer du YAML contenant des fonctions : leur code s’exécute sur le serveur lorsque l’application utilise le résultat, par exemple en le convertissant en chaîne.',
          fix: 'Passez js-yaml à la version 4 ou à une version plus récente, où {sink} ne crée pas de fonctions (avec la version 3, appelez plutôt safeLoad), et validez le résultat à l’aide d’un schéma.',
        },
        stored: {
          title: 'Désérialisation non sécurisée de données stockées ou distantes',
          message:
            '{sink} désérialise {part}, qui contient des données écrites par des clients ou un autre système, et peut exécuter le code qui s’y trouve.',
        },
      },
    },
  }),
})

function variantOf({ detail, origin }: FlowHit): string | undefined {
  if (detail === 'entities' || detail === 'binary') return detail
  if (origin === 'stored') return 'stored'
  return detail === 'js-yaml' ? 'yaml' : undefined
}
