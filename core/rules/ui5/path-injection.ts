import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * The name of a file that is saved, or of an entry in the storage of the browser, that others choose.
 * Facts: API reference of SAPUI5, sap.ui.core.util.File.save and sap.ui.util.Storage. Encoding for markup does not change what a name means.
 * Severity: it takes a second fault to gain from it, such as code that trusts the entry (LOW).
 */
export const pathInjection: Rule = defineRule({
  id: 'ui5/path-injection',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [73],
  since: '0.2.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/secure-programming-aspects-91f3c40.md',
  on: 'flow',

  *check(hit) {
    if (hit.origin === 'unknown') return
    yield { ...gradeByOrigin(hit, 'LOW'), args: { part: hit.quotedPart, sink: hit.sink } }
  },

  text: {
    en: {
      title: 'File or storage name from untrusted input',
      message: '{part} becomes the name of a file or of a storage entry in {sink}.',
      why: 'An attacker who can set that value, through a link or in data, can read or overwrite storage entries of other parts of the app or of other apps on the same host, or give a download a misleading name.',
      fix: 'Use constant names, or look up the name by its key in a constant object: NAMES[key].',
    },
    fr: {
      title: 'Nom de fichier ou de stockage issu d’une donnée non fiable',
      message: '{part} devient le nom d’un fichier ou d’une entrée de stockage dans {sink}.',
      why: 'Un attaquant qui peut fixer cette valeur, par un lien ou dans des données, peut lire ou écraser des entrées de stockage d’autres parties de l’application, ou d’autres applications du même hôte, ou donner à un téléchargement un nom trompeur.',
      fix: 'Utilisez des noms constants, ou lisez le nom dans une table définie dans votre code, par sa clé : NAMES[key].',
    },
  },
})
