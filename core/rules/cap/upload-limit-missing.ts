import { fieldOf, pathsOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A middleware that takes files of any size.
 * Facts: multer 2 (README, "limits": fileSize is infinite by default; it writes to the disk, or to the memory with memoryStorage or without storage); express-fileupload 1.5
 * (README: the options of busboy, whose limits.fileSize is infinite).
 * Impact: a few requests fill the disk or the memory, and the application stops; a proxy or platform in front may end them before.
 */
export const uploadLimitMissing: Rule = defineRule({
  id: 'cap/upload-limit-missing',
  impact: 'bounded',
  reach: 'user',
  inOpenRoute: 'shown',
  confidence: 'high',
  cwe: [770],
  since: '0.3.0',
  docs: 'https://github.com/expressjs/multer#limits',
  keywords: ['multer', 'express-fileupload'],
  prefilter: (text) => /["'`](?:multer|express-fileupload)["'`]/.test(text),
  on: 'server-script',

  *check({ path, content: { facts }, budget }) {
    if (isToolFile(path) || isDeveloperFile(path)) return
    let refusing: ReadonlySet<number> | undefined
    for (const call of facts.calls) {
      budget.step()
      const made = UPLOADERS.find(({ at }) => pathsOf(call).some((own) => at.test(own.join(' '))))
      if (made === undefined || isLimited(call)) continue
      refusing ??= new Set(facts.calls.flatMap(refusedFor))
      if (refusing.has(call.start)) continue
      const { start, end } = call.callee
      yield { at: { file: path, span: { start, end } }, args: { name: quoteWord(made.name) } }
    }
  },

  text: () => ({
    en: {
      title: 'File upload without a size limit',
      message: '{name} accepts files of any size here: its options set no limits.fileSize, which is unlimited by default.',
      why: 'An attacker who can call the route fills the disk or the memory of the application with a few large files, and it stops for all users.',
      fix: 'Set the size of the largest file that a user needs in the options of this call: limits: { fileSize: 5 * 1024 * 1024 }. Check the type of the file too, and delete it once it is processed.',
    },
    fr: {
      title: 'Téléversement de fichiers sans limite de taille',
      message:
        '{name} accepte ici des fichiers de toute taille : ses options ne définissent pas limits.fileSize, illimité par défaut.',
      why: 'Un attaquant qui peut appeler la route remplit le disque ou la mémoire de l’application avec quelques gros fichiers, et elle s’arrête pour tous les utilisateurs.',
      fix: 'Indiquez la taille du plus gros fichier utile dans les options de cet appel : limits: { fileSize: 5 * 1024 * 1024 }. Vérifiez aussi le type du fichier, et supprimez-le une fois traité.',
    },
  }),
})

/** Packages by the call that takes the options. */
const UPLOADERS: readonly { readonly name: string; readonly at: RegExp }[] = [
  { name: 'multer', at: /^module:multer (?:default )?\(\)$/ },
  { name: 'express-fileupload', at: /^module:express-fileupload (?:default )?\(\)$/ },
]

/** Where what takes no files is made: `multer().none()`. */
function refusedFor({ callee }: CallValue): readonly number[] {
  return 'object' in callee && callee.name === 'none' ? [resolveValue(callee.object).start] : []
}

/** Options that nobody can read here may hold a limit. */
function isLimited({ args: [given] }: CallValue): boolean {
  if (given === undefined) return false
  const options = resolveValue(given)
  if (!('fields' in options) || isOpen(options)) return true
  const limits = fieldOf(options, 'limits')?.value
  if (limits === undefined) return false
  const own = resolveValue(limits)
  return !('fields' in own) || isOpen(own) || fieldOf(own, 'fileSize') !== undefined
}

/** `{ ...settings }` */
function isOpen(object: Value & { readonly kind: 'object' }): boolean {
  return object.fields.some(({ key }) => key === undefined)
}
