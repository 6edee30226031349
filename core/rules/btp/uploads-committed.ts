import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, fieldOf, resolveValue } from '../../facts/index.ts'
import { isBelow } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `multer({ dest: 'uploads/' })`, `multer.diskStorage({ destination: 'uploads' })`: the folder that uploads are written to, without slashes around. */
const uploadFolders: Extract<string> = defineExtract({
  name: 'upload-folders',
  keywords: ['multer'],
  *collect({ facts }) {
    for (const call of facts.calls) {
      const [given] = call.args
      if (given === undefined) continue
      for (const { root, steps } of accessesOf(call.callee)) {
        const key = KEYS.get([root, ...steps].join(' '))
        const folder = key === undefined ? undefined : fieldOf(resolveValue(given), key)?.value
        const text = folder && constantOf(resolveValue(folder))
        if (typeof text === 'string' && FOLDER.test(text)) yield text.replace(/^\.\//, '').replace(/\/$/, '')
      }
    }
  },
})

const KEYS: ReadonlyMap<string, string> = new Map([
  ['module:multer', 'dest'],
  ['module:multer default', 'dest'],
  ['module:multer diskStorage', 'destination'],
])

/** Below the folder of the app. */
const FOLDER = /^(?:\.\/)?(?:[\w-][\w.-]{0,60}\/){0,6}[\w-][\w.-]{0,60}\/?$/

/**
 * Files in the folder of the project to which its server writes what users upload, by the names that the package gives them. What a .gitignore covers is in the folder of a developer alone.
 * Facts: README of multer 2 (`dest`, `diskStorage`): without a function for it, the name of a file is random and has no extension; storage/disk.js: 16 bytes as hexadecimal digits.
 * Impact: readers of the repository get what users have uploaded; whether that were users or developers who tried the app, is not in the project.
 */
export const uploadsCommitted: Rule = defineRule({
  id: 'btp/uploads-committed',
  impact: 'bounded',
  reach: 'anyone',
  usage: 'deployed',
  isOfRepository: true,
  confidence: 'medium',
  cwe: [538, 359],
  since: '0.3.0',
  docs: 'https://github.com/expressjs/multer#multeropts',
  on: 'project',
  extracts: [uploadFolders],

  *check({ namelessFiles, scripts, step }) {
    if (namelessFiles.length === 0) return
    const folders = new Set(scripts.get(uploadFolders).map(({ value }) => value))
    for (const { folder, path, count } of namelessFiles) {
      step(folders.size)
      const written = [...folders].find((one) => folder === one || folder.endsWith(`/${one}`))
      if (written === undefined || isBelow(folder, 'test')) continue
      yield { at: { file: path }, args: { folder, count: String(count), pattern: `${written}/` } }
    }
  },

  text: {
    en: {
      title: 'Uploads of users in the repository',
      message: 'The server writes uploads to {folder}, and uploaded files are part of the project there (files: {count}).',
      why: 'Anyone with read access to the repository can open what users have uploaded: documents may contain personal data or business secrets, and stay in the history of the repository.',
      fix: 'Delete these files, and add the line "{pattern}" to .gitignore. If they were committed, remove them from the history too (git filter-repo). Write uploads to a folder outside of the project (os.tmpdir()) or to an object store.',
    },
    fr: {
      title: 'Fichiers téléversés par des utilisateurs dans le dépôt',
      message:
        'Le serveur écrit les fichiers téléversés dans {folder}, et de tels fichiers font partie du projet (fichiers : {count}).',
      why: 'Toute personne pouvant lire le dépôt peut ouvrir ce que les utilisateurs ont téléversé : ces documents peuvent contenir des données personnelles ou des secrets d’affaires, et restent dans l’historique du dépôt.',
      fix: 'Supprimez ces fichiers et ajoutez la ligne "{pattern}" au fichier .gitignore. S’ils ont été versionnés, retirez-les aussi de l’historique (git filter-repo). Écrivez les fichiers téléversés hors du projet (os.tmpdir()) ou dans un stockage d’objets.',
    },
  },
})
