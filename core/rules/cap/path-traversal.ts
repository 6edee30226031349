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
    const variant = effectOf(hit.sink)
    yield { ...gradeHit(hit), args: { part: hit.quotedPart, sink: hit.quotedSink }, ...(variant !== undefined && { variant }) }
  },

  text: {
    en: {
      title: 'Path traversal through request data',
      message: 'The path passed to {sink} contains {part} from the request.',
      why: 'With ../ or another path in that value, an attacker can read or overwrite any file that the server process can access, such as credentials or the application’s code.',
      fix: 'Keep only the file name with path.basename(…) and reject "..", or compare the value with an allowlist of names before it is used.',
      variants: {
        read: {
          why: 'With ../ or another path in that value, an attacker can read any file that the server process can access, such as credentials or the application’s code.',
        },
        list: {
          why: 'With ../ in that value, an attacker can find out which files and folders exist on the server, and choose the next target.',
        },
        write: {
          why: 'With ../ or another path in that value, an attacker can create or overwrite any file that the server process can write, such as the application’s code.',
        },
        remove: {
          why: 'With ../ or another path in that value, an attacker can delete any file or folder that the server process can write, such as the application’s data or code.',
        },
        move: {
          why: 'With ../ in that value, an attacker can copy or move files outside the intended folder, for example to read them in a public folder or to overwrite the application’s code.',
        },
        module: {
          title: 'Module loaded by a name from the request',
          message: '{part} from the request determines which module {sink} loads.',
          why: 'Loading a module executes it: with a name that leads elsewhere, for example through ../, an attacker can run any script on the server.',
          fix: 'Select the module from a constant list, for example new Map([["pdf", "./plugins/pdf.js"]]).get(name), and reject any other name.',
        },
      },
    },
    fr: {
      title: 'Traversée de chemin par des données de la requête',
      message: 'Le chemin transmis à {sink} contient {part}, reçu dans la requête.',
      why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut lire ou écraser tout fichier accessible au processus du serveur, par exemple des identifiants ou le code de l’application.',
      fix: 'Ne gardez que le nom du fichier avec path.basename(…) et rejetez "..", ou comparez la valeur à une liste de noms autorisés avant de l’utiliser.',
      variants: {
        read: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut lire tout fichier accessible au processus du serveur, par exemple des identifiants ou le code de l’application.',
        },
        list: {
          why: 'Avec ../ dans cette valeur, un attaquant peut découvrir quels fichiers et dossiers existent sur le serveur, et choisir sa prochaine cible.',
        },
        write: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut créer ou écraser tout fichier que le processus du serveur peut écrire, par exemple le code de l’application.',
        },
        remove: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut supprimer tout fichier ou dossier que le processus du serveur peut écrire, par exemple les données ou le code de l’application.',
        },
        move: {
          why: 'Avec ../ dans cette valeur, un attaquant peut copier ou déplacer des fichiers hors du dossier prévu, par exemple pour les lire dans un dossier public ou pour écraser le code de l’application.',
        },
        module: {
          title: 'Module chargé d’après un nom de la requête',
          message: '{part}, reçu dans la requête, détermine le module que charge {sink}.',
          why: 'Charger un module l’exécute : avec un nom qui mène ailleurs, par exemple par ../, un attaquant peut lancer n’importe quel script du serveur.',
          fix: 'Choisissez le module dans une liste constante, par exemple new Map([["pdf", "./plugins/pdf.js"]]).get(nom), et rejetez tout autre nom.',
        },
      },
    },
  },
})

/** What the last name of a call says about what is done with the path. */
const EFFECTS: readonly (readonly [variant: string, names: RegExp])[] = [
  ['module', /^require$/],
  ['remove', /^(?:unlink|rm|rmdir|rimraf|remove|empty(?:Dir|dir)|del|delete|deleteAsync|trash)(?:Sync)?$/],
  ['move', /^(?:copy|copyFile|cp|rename|move|mv)(?:Sync)?$/],
  ['list', /^(?:readdir|stat|lstat|opendir|realpath|readlink|watch|watchFile|glob|globby|find|list|ls|fast-glob)(?:Sync)?$/],
  [
    'write',
    /^(?:write|append|output|createWrite|createFile|mkdir|mkdirp|mkdirs|ensure|truncate|chmod|chown|utimes|touch|symlink|link|fastGet|downloadTo)/,
  ],
  [
    'read',
    /^(?:read|createRead|openAsBlob|sendFile|download|render|cat|head|tail|send|fromFile|addLocal|put|fastPut|uploadFrom)/,
  ],
]

function effectOf(sink: string): string | undefined {
  // helpers of CAP: `write(data).to(path)`, `copy(path).to(path)`
  if (/\(\u2026?\)\.to$/.test(sink)) return sink.includes('copy') ? 'move' : 'write'
  const name = /[\w-]{1,60}$/.exec(sink.replace(/\(\u2026?\)$/, ''))?.[0] ?? ''
  return EFFECTS.find(([, names]) => names.test(name))?.[0]
}
