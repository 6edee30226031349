import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import { constantOf } from '../../facts/index.ts'
import { constructionsOf, fieldOf, viewsOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const EDITOR = 'sap.ui.richtexteditor.RichTextEditor'

/**
 * A rich text editor that shows its value without sanitizing it.
 * Facts: API of sap.ui.richtexteditor.RichTextEditor: `sanitizeValue` is true by default.
 * Impact: a script in the text runs in the session of the user who opens it.
 */
export const sanitizeContentDisabled: Rule = defineRule({
  id: 'ui5/sanitize-content-disabled',
  impact: 'session',
  // who writes the text is not told
  evidence: 'assumed',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.richtexteditor.RichTextEditor',
  keywords: ['sanitizeValue', 'setSanitizeValue', 'data-sanitize-value'],

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

  text: () => ({
    en: {
      title: 'XSS: sanitizer of a RichTextEditor disabled',
      message: 'sanitizeValue is {value}: the RichTextEditor can show its text without removing scripts.',
      why: 'If an attacker can write that text, a script in it can run in the session of every user who opens the text, with their permissions.',
      fix: 'Remove sanitizeValue: the default is true.',
      variants: {
        bound: {
          title: 'XSS: sanitizer of a RichTextEditor can be disabled',
          message:
            'sanitizeValue is bound to {value}: if the bound value is false, the RichTextEditor can show its text without removing scripts.',
        },
      },
    },
    fr: {
      title: 'XSS : assainissement désactivé dans un RichTextEditor',
      message: 'sanitizeValue vaut {value} : le RichTextEditor peut afficher son texte sans en supprimer les scripts.',
      why: 'Si un attaquant peut écrire ce texte, un script qu’il y place peut s’exécuter dans la session de chaque utilisateur qui ouvre le texte, avec les droits de cet utilisateur.',
      fix: 'Supprimez sanitizeValue : sa valeur par défaut est true.',
      variants: {
        bound: {
          title: 'XSS : assainissement désactivable dans un RichTextEditor',
          message:
            'sanitizeValue est lié à {value} : si la valeur liée est false, le RichTextEditor peut afficher son texte sans en supprimer les scripts.',
        },
      },
    },
  }),
})

function* judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  for (const { type, properties } of viewsOf(file).flatMap(({ controls }) => controls)) {
    const property = type === EDITOR ? properties.get('sanitizeValue') : undefined
    if (property !== undefined && property.value.trim() !== 'true')
      yield {
        at: { file: file.path, span: property.at },
        args: { value: property.value },
        ...(property.value.trim().startsWith('{') && { variant: 'bound' }),
      }
  }
}
