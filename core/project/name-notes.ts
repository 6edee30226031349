import type { FolderFiles, NameNotes } from '../files.ts'
import { folderOf } from '../paths.ts'
import { builtFolderOf } from './kinds.ts'

/** Takes the paths of a project as they come, in whatever order, and tells the same. */
export function createNameNotes(): {
  /** A file that is looked at. */
  add(path: string): void
  /** One that is not. */
  addLeftOut(path: string, isExcluded: boolean): void
  found(): NameNotes
} {
  const built = new Map<string, FolderFiles>()
  const nameless = new Map<string, FolderFiles>()
  const documents = new Map<string, FolderFiles>()
  const addDocument = (path: string): void => {
    if (isPersonalDocument(path)) note(documents, folderOf(path), path)
  }
  return {
    add(path) {
      const [, folder, name] = /^(?:(.{1,1000})\/)?([^/]{1,100})$/.exec(path) ?? []
      if (folder !== undefined && name !== undefined && /^[\da-f]{32}$/.test(name)) note(nameless, folder, path)
      addDocument(path)
    },
    addLeftOut(path, isExcluded) {
      const folder = builtFolderOf(path)
      if (folder !== undefined) note(built, folder, path)
      else if (!isExcluded) addDocument(path)
    },
    found: () => ({
      builtSources: [...built.values()],
      namelessFiles: [...nameless.values()],
      personalDocuments: [...documents.values()],
    }),
  }
}

function note(notes: Map<string, FolderFiles>, folder: string, path: string): void {
  const known = notes.get(folder)
  const first = known === undefined || path < known.path ? path : known.path
  notes.set(folder, { folder, path: first, count: (known?.count ?? 0) + 1 })
}

const DOCUMENT = /\.(?:pdf|docx?|xlsx?|xlsm|pptx?|odt|ods|rtf)$/i

/** A pay slip, an application, a file of a patient; a curriculum is often one's own, which is to be seen. */
const PERSONAL =
  /(?<![a-z])(?:pay[-_ ]?(?:slips?|statements?|roll|checks?)|salar(?:y|ies)|(?:lohn|gehalts)(?:abrechnung(?:en)?|zettel|nachweise?)|time[-_ ]?(?:sheets?|cards?)|passports?|id[-_ ]?cards?|driv(?:ing|ers?)[-_ ]?licen[cs]es?|(?:bank|account)[-_ ]?statements?|(?:medical|health|patient)[-_ ]?(?:reports?|records?|files?)|(?:employees?|customers?|patients?|applicants?|candidates?)[-_ ]?(?:list|data|records?|details|master)|(?:offer|termination|reference)[-_ ]?letters?|(?:employment|work)[-_ ]?contracts?|tax[-_ ]?(?:returns?|statements?)|lohnsteuer(?:bescheinigung(?:en)?)?)(?![a-z])/i

/** Made for nobody, or to be filled in. */
const FORM =
  /template|sample|example|demo|dummy|blank|empty|test|mock|manual|guide|vorlage|muster|mod[eè]le|exemple|form(?:ular)?(?![a-z])/i

function isPersonalDocument(path: string): boolean {
  return DOCUMENT.test(path) && PERSONAL.test(path) && !FORM.test(path)
}
