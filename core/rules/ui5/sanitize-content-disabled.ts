import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import { constantOf } from '../../facts/index.ts'
import { constructionsOf, fieldOf, viewsOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const EDITOR = 'sap.ui.richtexteditor.RichTextEditor'

/**
 * A rich text editor that shows its value without sanitizing it. (For HTML controls ui5/xss-html-control speaks.)
 * Facts: API of sap.ui.richtexteditor.RichTextEditor: `sanitizeValue` is true by default.
 */
export const sanitizeContentDisabled: Rule = defineRule({
  id: 'ui5/sanitize-content-disabled',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/url-list-validation-91f3768.md',
  keywords: ['sanitizeValue', 'data-sanitize-value'],

  checks: {
    xml: judgeViews,
    html: judgeViews,
    data: judgeViews,
    *script({ path, content: { facts } }) {
      for (const { settings } of constructionsOf(facts, EDITOR.replaceAll('.', '/'))) {
        const value = fieldOf(settings, 'sanitizeValue')
        if (value !== undefined && constantOf(value) === false)
          yield { at: { file: path, span: { start: value.start, end: value.end } }, args: { value: 'false' } }
      }
      for (const { callee, args } of facts.calls) {
        const [first] = args
        if (callee.kind === 'member' && callee.name === 'setSanitizeValue' && first !== undefined && constantOf(first) === false)
          yield { at: { file: path, span: { start: first.start, end: first.end } }, args: { value: 'false' } }
      }
    },
  },

  text: {
    en: {
      title: 'A rich text editor does not sanitize its value',
      message: 'sanitizeValue is {value}: the editor shows the text with whatever script stands in it.',
      why: 'Whoever can write that text puts a script into it; it runs in the browser of everybody who opens it, with their rights.',
      fix: 'Remove sanitizeValue: it is true by default. What the sanitizer must let through can be named by URLListValidator.',
    },
    fr: {
      title: 'Un éditeur de texte riche n’assainit pas sa valeur',
      message: 'sanitizeValue vaut {value} : l’éditeur affiche le texte avec tout script qu’il contient.',
      why: 'Quiconque peut écrire ce texte y place un script ; il s’exécute dans le navigateur de tous ceux qui l’ouvrent, avec leurs droits.',
      fix: 'Supprimez sanitizeValue : il vaut true par défaut. Ce que l’assainisseur doit laisser passer s’indique par URLListValidator.',
    },
  },
})

function* judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  for (const { type, properties } of viewsOf(file).flatMap(({ controls }) => controls)) {
    const property = type === EDITOR ? properties.get('sanitizeValue') : undefined
    if (property !== undefined && property.value.trim() !== 'true')
      yield { at: { file: file.path, span: property.at }, args: { value: property.value } }
  }
}
