import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * A path of the server's file system that a client chooses.
 * Facts: Node.js 24, "fs" and "path" (join and resolve follow `..`); @sap/cds 9.9.3, lib/utils/cds-utils.js (read, write and the like resolve below cds.root).
 * Severity: a direct fault that any caller of the handler can use, HIGH.
 */
export const pathTraversal: Rule = defineRule({
  id: 'cap/path-traversal',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [22],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Path_Traversal',
  yieldsTo: ['cap/zip-slip'],
  on: 'flow',

  *check(hit) {
    yield { ...gradeHit(hit), args: { part: hit.quotedPart, sink: hit.sink } }
  },

  text: {
    en: {
      title: 'Path traversal through request data',
      message: 'The path passed to {sink} contains {part} from the request.',
      why: 'With ../ in that value, an attacker can read or overwrite any file that the server process can access, such as credentials or its own code.',
      fix: 'Keep only the file name with path.basename(…), or compare the value with an allowlist of names before it is used.',
    },
    fr: {
      title: 'Traversée de chemin par des données de la requête',
      message: 'Le chemin transmis à {sink} contient {part}, reçu dans la requête.',
      why: 'Avec ../ dans cette valeur, un attaquant peut lire ou écraser tout fichier accessible au processus du serveur, par exemple des identifiants ou son propre code.',
      fix: 'Ne gardez que le nom du fichier avec path.basename(…), ou comparez la valeur à une liste de noms autorisés avant de l’utiliser.',
    },
  },
})
