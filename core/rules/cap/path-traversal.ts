import { defineRule, type Rule } from '../rule.ts'
import { gradeHit, ofStored } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'

/**
 * A path of the server's file system that a client chooses.
 * Facts: Node.js 24, "fs" and "path" (join and resolve follow `..`); @sap/cds 9.9.3, lib/utils/cds-utils.js (read, write and the like resolve below cds.root).
 * Impact: reads, writes or deletes files of the server; a module that is loaded runs as code. Names of files, and folders that are made, are little.
 */
export const pathTraversal: Rule = defineRule({
  id: 'cap/path-traversal',
  impact: 'data',
  grades: {
    module: { impact: 'takeover' },
    list: { impact: 'bounded' },
    folder: { impact: 'bounded' },
    // who writes the row, or what the other system answers, is often not in the project
    stored: { evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [22],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Path_Traversal',
  yieldsTo: ['cap/zip-slip'],
  on: 'flow',

  *check(hit) {
    // the first one says most
    const [variant] = hit.api.effects
    const { at: source } = hit.steps[0] ?? hit
    // a value that names one file is one fault, however often that is opened
    const groupKey = `${source.file} ${source.span?.start} ${hit.part} ${variant !== undefined && APART.has(variant) ? variant : ''}`
    if (hit.origin === 'stored') {
      const impact = isLittle(variant) ? ('bounded' as const) : ('data' as const)
      const args = { part: wordPart(hit.quotedPart), sink: hit.quotedSink }
      yield { ...gradeHit(hit, ofStored(hit)), confidence: 'medium', impact, args, variant: 'stored', groupKey }
      return
    }
    const isOnServer = hit.detail === 'file-server'
    yield {
      ...gradeHit(hit),
      args: { part: hit.quotedPart, sink: hit.quotedSink },
      ...(variant !== undefined && { variant }),
      ...(isOnServer && { variant: 'server', ...(isLittle(variant) && { impact: 'bounded' as const }) }),
      groupKey,
    }
  },

  text: () => ({
    en: {
      title: 'Path traversal through request data',
      message: 'The path passed to {sink} contains request data ({part}).',
      why: 'With ../ or another path in that value, an attacker can reach other files that the server process can access.',
      fix: 'Keep only the last path segment with path.basename(…) and reject "..", or compare the value with an allowlist of names before you use it.',
      variants: {
        read: {
          why: 'With ../ or another path in that value, an attacker can read other files that the server process can access.',
        },
        list: {
          why: 'With ../ in that value, an attacker can find out which files and folders exist on the server, and choose the next target.',
        },
        write: {
          why: 'With ../ or another path in that value, an attacker can create or overwrite files wherever the server process can write.',
        },
        folder: {
          why: 'With ../ or another path in that value, an attacker can create folders wherever the server process can write.',
        },
        remove: {
          why: 'With ../ or another path in that value, an attacker can delete files wherever the server process can write.',
        },
        move: {
          why: 'With ../ in that value, the source or target can lie outside the intended folder: an attacker can copy or overwrite other files.',
        },
        server: {
          title: 'Path traversal on a file server through request data',
          message: 'The path on the file server that is passed to {sink} contains request data ({part}).',
          why: 'With ../ or another path in that value, an attacker can reach other files that the account of the application has access to on the file server.',
          fix: 'Build the path of a constant folder and the last path segment of the value (path.basename(…)), and reject "..", or compare the value with an allowlist of paths before you use it.',
        },
        stored: {
          title: 'Path traversal through stored or remote data',
          message: 'The path passed to {sink} contains data that clients or another system have written ({part}).',
          why: 'With ../ or another path in that value, the author of the value can read, overwrite or delete other files that the server process can access.',
        },
        module: {
          title: 'Module loaded by a name from the request',
          message: 'Request data ({part}) determines which module {sink} loads.',
          why: 'Loading a module executes it: with a name that leads elsewhere, for example through ../, an attacker can run other scripts that exist on the server.',
          fix: 'Select the module path from a constant list, for example new Map([["pdf", "./plugins/pdf.js"]]).get(name), and reject any other name.',
        },
      },
    },
    fr: {
      title: 'Traversée de chemin par des données de la requête',
      message: 'Le chemin transmis à {sink} contient des données de la requête ({part}).',
      why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut atteindre d’autres fichiers accessibles au processus du serveur.',
      fix: 'Ne gardez que le dernier segment du chemin avec path.basename(…) et rejetez "..", ou comparez la valeur à une liste de noms autorisés avant de l’utiliser.',
      variants: {
        read: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut lire d’autres fichiers accessibles au processus du serveur.',
        },
        list: {
          why: 'Avec ../ dans cette valeur, un attaquant peut découvrir quels fichiers et dossiers existent sur le serveur, et choisir sa prochaine cible.',
        },
        write: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut créer ou écraser des fichiers partout où le processus du serveur peut écrire.',
        },
        folder: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut créer des dossiers partout où le processus du serveur peut écrire.',
        },
        remove: {
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut supprimer des fichiers partout où le processus du serveur peut écrire.',
        },
        move: {
          why: 'Avec ../ dans cette valeur, la source ou la cible peut se trouver hors du dossier prévu : un attaquant peut copier ou écraser d’autres fichiers.',
        },
        server: {
          title: 'Traversée de chemin sur un serveur de fichiers par des données de la requête',
          message: 'Le chemin sur le serveur de fichiers transmis à {sink} contient des données de la requête ({part}).',
          why: 'Avec ../ ou un autre chemin dans cette valeur, un attaquant peut atteindre d’autres fichiers accessibles au compte de l’application sur le serveur de fichiers.',
          fix: 'Composez le chemin d’un dossier constant et du dernier segment de la valeur (path.basename(…)), et rejetez "..", ou comparez la valeur à une liste de chemins autorisés avant de l’utiliser.',
        },
        stored: {
          title: 'Traversée de chemin par des données stockées ou distantes',
          message: 'Le chemin transmis à {sink} contient des données écrites par un client ou un autre système ({part}).',
          why: 'Avec ../ ou un autre chemin dans cette valeur, son auteur peut lire, écraser ou supprimer d’autres fichiers accessibles au processus du serveur.',
        },
        module: {
          title: 'Module chargé d’après un nom fourni dans la requête',
          message: 'Des données de la requête ({part}) déterminent le module que charge {sink}.',
          why: 'Charger un module l’exécute : avec un nom qui mène ailleurs, par exemple par ../, un attaquant peut exécuter d’autres scripts présents sur le serveur.',
          fix: 'Choisissez le chemin du module dans une liste constante, par exemple new Map([["pdf", "./plugins/pdf.js"]]).get(nom), et rejetez tout autre nom.',
        },
      },
    },
  }),
})

/** Names of files, and folders that are made. */
function isLittle(effect: string | undefined): boolean {
  return effect === 'list' || effect === 'folder'
}

/** What weighs more or less than to get at the file. */
const APART: ReadonlySet<string> = new Set(['module', 'list', 'folder'])
