import { defineRule, type Rule } from '../rule.ts'
import { meansOf } from './_attack-ways.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * The name of a file that is saved, or of an entry in the storage of the browser, that others choose.
 * Facts: API reference of SAPUI5, sap.ui.core.util.File.save and sap.ui.util.Storage. Encoding for markup does not change what a name means.
 * Impact: it takes a second fault to gain from it, such as code that trusts the entry.
 */
export const pathInjection: Rule = defineRule({
  id: 'ui5/path-injection',
  impact: 'defence',
  confidence: 'medium',
  cwe: [73],
  since: '0.2.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/secure-programming-aspects-91f3c40.md',
  docsByVariant: { file: 'https://cwe.mitre.org/data/definitions/73.html' },
  on: 'flow',

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    const isFile = hit.api.effects.has('save')
    yield {
      ...gradeByOrigin(hit, project),
      args: { part: hit.quotedPart, sink: hit.sink, means: meansOf(hit) },
      ...(isFile && { variant: 'file' }),
    }
  },

  text: () => ({
    en: {
      title: 'Storage key from untrusted input',
      message: 'A value from {part} becomes the storage key in {sink}.',
      why: 'An attacker who supplies that value {means} decides which storage entry this call accesses, even one that belongs to another part of the app.',
      fix: 'Use a constant key, or look it up in a constant object: KEYS[value].',
      variants: {
        file: {
          title: 'File name from untrusted input',
          message: 'A value from {part} becomes the file name in {sink}.',
          why: 'An attacker who supplies that value {means} can give the downloaded file a misleading name, such as that of a document the user trusts.',
          fix: 'Use a constant file name, or look it up in a constant object: NAMES[value].',
        },
      },
    },
    fr: {
      title: 'Clé de stockage issue d’une donnée non fiable',
      message: 'Une valeur issue de {part} devient la clé de stockage dans {sink}.',
      why: 'Un attaquant qui fournit cette valeur {means} choisit l’entrée de stockage à laquelle cet appel accède, même celle d’une autre partie de l’application.',
      fix: 'Utilisez une clé constante, ou cherchez-la dans un objet constant : KEYS[valeur].',
      variants: {
        file: {
          title: 'Nom de fichier issu d’une donnée non fiable',
          message: 'Une valeur issue de {part} devient le nom de fichier dans {sink}.',
          why: 'Un attaquant qui fournit cette valeur {means} peut donner au fichier téléchargé un nom trompeur, par exemple celui d’un document auquel l’utilisateur fait confiance.',
          fix: 'Utilisez un nom de fichier constant, ou cherchez-le dans un objet constant : NAMES[valeur].',
        },
      },
    },
  }),
})
