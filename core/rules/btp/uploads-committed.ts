import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, fieldOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { fileNameOf, foldersAround, joinPath, resolvePath } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A folder that uploads are written to, without slashes around. */
interface UploadFolder {
  readonly path: string
  /** From the folder of the script, `path.join(__dirname, 'uploads')`; else from that where the server is started. */
  readonly isBeside: boolean
}

/** `multer({ dest: 'uploads/' })`, `multer.diskStorage({ destination: 'uploads' })`. */
const uploadFolders: Extract<UploadFolder> = defineExtract({
  name: 'upload-folders',
  keywords: ['multer'],
  *collect({ facts }) {
    for (const call of facts.calls) {
      const [given] = call.args
      if (given === undefined) continue
      for (const { root, steps } of accessesOf(call.callee)) {
        const key = KEYS.get([root, ...steps].join(' '))
        const folder = key === undefined ? undefined : fieldOf(resolveValue(given), key)?.value
        const found = folder && folderIn(resolveValue(folder))
        if (found !== undefined) yield found
      }
    }
  },
})

function folderIn(value: Value): UploadFolder | undefined {
  const [isBeside, texts] = stepsOf(value)
  if (texts.some((text) => typeof text !== 'string')) return undefined
  const path = normalizePath(texts.join('/').replace(/^\/{1,4}/, isBeside ? '' : '/'))
  return path !== undefined && (isBeside || FOLDER.test(path)) ? { path, isBeside } : undefined
}

/** Whether a path begins with the folder of the script, and what stands behind. */
function stepsOf(value: Value): readonly [isBeside: boolean, texts: readonly unknown[]] {
  const constant = constantOf(value)
  if (constant !== undefined) return [false, [constant]]
  const joins = value.kind === 'call' && /^(?:join|resolve)$/.test(lastNameOf(value.callee) ?? '')
  const parts = joins ? value.args : value.kind === 'concat' || value.kind === 'template' ? value.parts : []
  const [first, ...others] = parts
  if (first?.kind !== 'reference' || first.name !== '__dirname') return [false, [undefined]]
  if (value.kind !== 'template') return [true, others.map(constantOf)]
  return [true, value.texts[0] === '' && others.length === 0 ? [value.texts[1]] : [undefined]]
}

/** Without dots and doubled slashes; those that lead up stay at the beginning. */
function normalizePath(path: string): string | undefined {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return path.startsWith('/') || steps.length === 0 ? undefined : steps.join('/')
}

/** The folders of the project that a folder of a script may be: a server is started in the folder of its package, which is one above the script. */
function* placesOf(file: string, { path, isBeside }: UploadFolder): Generator<string> {
  for (const folder of foldersAround(file)) {
    const place = resolvePath(joinPath(folder, fileNameOf(file)), path)
    if (place !== undefined && place !== '') yield place
    if (isBeside) return
  }
}

/** Folders of tests, at any depth. */
const OF_TESTS = /(?:^|\/)(?:tests?|__tests__|e2e|specs?|fixtures|mocks?|__mocks__)(?:\/|$)/i

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
    const folders = new Map<string, string>()
    for (const { file, value } of scripts.get(uploadFolders))
      for (const place of placesOf(file, value)) folders.set(place, value.path)
    for (const { folder, path, count } of namelessFiles) {
      step()
      const written = folders.get(folder)
      if (written === undefined || OF_TESTS.test(folder)) continue
      yield {
        at: { file: path },
        args: { folder, count: String(count), pattern: `${written.replace(/^(?:\.\.\/){1,10}/, '')}/` },
      }
    }
  },

  text: () => ({
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
  }),
})
