import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * The name of an entry of an archive that becomes a path.
 * Facts: documentation of adm-zip, unzipper, tar-stream (entry names may hold ..; with yauzl only where decodeStrings is false); Node.js 24, path.join.
 * Impact: whoever hands in an archive overwrites files of the server; a folder that is made is little.
 */
export const zipSlip: Rule = defineRule({
  id: 'cap/zip-slip',
  impact: 'data',
  grades: { folder: { impact: 'bounded' } },
  confidence: 'high',
  cwe: [22],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
  on: 'flow',

  *check(hit) {
    if (hit.entry !== 'archive-entry') return
    // `{ entryName } of new AdmZip(…).getEntries()`: the name alone is what the code says
    const name = /\)\.(\w+)$/.exec(hit.part)?.[1]
    const args = { part: name === undefined ? hit.quotedPart : quoteWord(name), sink: hit.quotedSink }
    const isFolder = hit.api.effects.has('folder')
    yield { ...gradeHit(hit), args, ...(isFolder && { variant: 'folder' }) }
  },

  text: () => ({
    en: {
      title: 'Path traversal through archive entries (Zip Slip)',
      message: 'The path passed to {sink} contains the name of an archive entry ({part}).',
      why: 'An attacker can name an entry ../../server.js: its path then leads outside the folder, and files extracted there can replace server code or configuration.',
      fix: 'Set root = path.resolve(folder) and target = path.resolve(root, name), and use target only if target.startsWith(root + path.sep). Skip all other entries; drain their streams, if any: entry.autodrain() with unzipper, resume() with tar-stream.',
      variants: {
        folder: {
          why: 'An attacker can name an entry ../../x: its path then leads outside the folder, and the attacker can create folders wherever the server process can write.',
        },
      },
      steps: { source: '{part} is the name of an archive entry, which the client chooses.' },
    },
    fr: {
      title: 'Traversée de chemin par une archive (Zip Slip)',
      message: 'Le chemin transmis à {sink} contient le nom d’une entrée d’archive ({part}).',
      why: 'Un attaquant peut nommer une entrée ../../server.js : son chemin sort alors du dossier de destination, et le fichier extrait peut remplacer le code ou la configuration du serveur.',
      fix: 'Définissez root = path.resolve(folder) et target = path.resolve(root, name), et n’utilisez target que si target.startsWith(root + path.sep). Ignorez les autres entrées, en vidant leur flux s’il existe : entry.autodrain() avec unzipper, resume() avec tar-stream.',
      variants: {
        folder: {
          why: 'Un attaquant peut nommer une entrée ../../x : son chemin sort alors du dossier de destination, et l’attaquant peut créer des dossiers partout où le processus du serveur peut écrire.',
        },
      },
      steps: { source: '{part} est le nom d’une entrée d’archive, que choisit le client.' },
    },
  }),
})
