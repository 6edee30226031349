import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'
import { getsVersionsWithin } from './_package-versions.ts'
import { wordPart } from './_matches.ts'

/**
 * Data of a client read by a deserializer that can run code, or by an XML parser that expands external entities.
 * Facts: documentation of node-serialize, serialize-to-js, funcster, cryo; Node.js 24, "v8.deserialize" (structured clone algorithm);
 * libxmljs2, "parseXml" (noent); OWASP, "XML External Entity Prevention".
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
    // js-yaml, changelog of 4.0.0: `load` makes functions before
    if (hit.detail === 'js-yaml' && !getsVersionsWithin(hit.at.file, 'js-yaml', '<4.0.0', project.npm)) return
    const variant = variantOf(hit)
    yield {
      ...gradeHit(hit),
      args: { part: hit.origin === 'stored' ? wordPart(hit.quotedPart) : hit.quotedPart, sink: hit.quotedSink },
      ...(variant !== undefined && { variant }),
    }
  },

  text: {
    en: {
      title: 'Unsafe deserialization of request data',
      message: '{sink} deserializes {part} from the request and can run code contained in it.',
      why: 'An attacker can send a crafted object that runs code on the server when it is deserialized or used.',
      fix: 'Exchange plain JSON instead: read it with JSON.parse, and validate it with a schema before you use it.',
      variants: {
        entities: {
          title: 'XML external entity (XXE) injection',
          message: '{sink} expands the entities in {part} (noent: true), including external ones.',
          why: 'An attacker who sends XML with an external entity can read files on the server, or make the server call internal addresses.',
          fix: 'Remove noent: true from the options of {sink}: entities are then no longer expanded.',
        },
        binary: {
          message: '{sink} deserializes {part} from the request, although it is not designed for untrusted data.',
          why: 'An attacker can send crafted data that crashes the process, exploits a memory error in the engine, or creates objects of an unexpected type.',
        },
        yaml: {
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
      message: '{sink} désérialise {part}, reçu dans la requête, et peut exécuter le code qu’il contient.',
      why: 'Un attaquant peut envoyer un objet forgé qui exécute du code sur le serveur lors de sa désérialisation ou de son utilisation.',
      fix: 'Échangez plutôt du JSON : lisez-le avec JSON.parse, et validez-le à l’aide d’un schéma avant de l’utiliser.',
      variants: {
        entities: {
          title: 'Injection d’entités externes XML (XXE)',
          message: '{sink} remplace les entités de {part} par leur contenu (noent: true), y compris les entités externes.',
          why: 'Un attaquant qui envoie du XML avec une entité externe peut lire des fichiers du serveur, ou lui faire appeler des adresses internes.',
          fix: 'Supprimez noent: true des options de {sink} : les entités ne sont alors plus remplacées.',
        },
        binary: {
          message:
            '{sink} désérialise {part}, reçu dans la requête, alors que cette fonction n’est pas conçue pour des données non fiables.',
          why: 'Un attaquant peut envoyer des données forgées qui font planter le processus, exploitent une erreur de mémoire du moteur ou créent des objets d’un type inattendu.',
        },
        yaml: {
          fix: 'Passez à la version 4 ou plus récente de js-yaml, dont {sink} ne crée pas de fonctions (avec la version 3, appelez plutôt safeLoad), et validez le résultat à l’aide d’un schéma.',
        },
        stored: {
          title: 'Désérialisation non sécurisée de données stockées ou distantes',
          message:
            '{sink} désérialise {part}, qui contient des données écrites par des clients ou un autre système, et peut exécuter le code qui s’y trouve.',
        },
      },
    },
  },
})

function variantOf({ detail, origin }: FlowHit): string | undefined {
  if (detail === 'entities' || detail === 'binary') return detail
  if (origin === 'stored') return 'stored'
  return detail === 'js-yaml' ? 'yaml' : undefined
}
