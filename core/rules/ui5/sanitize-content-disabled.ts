import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import { constantOf } from '../../facts/index.ts'
import { constructionsOf, fieldOf, viewsOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

const EDITOR = 'sap.ui.richtexteditor.RichTextEditor'

/**
 * A rich text editor that shows its value without sanitizing it.
 * Facts: API of sap.ui.richtexteditor.RichTextEditor: `sanitizeValue` is true by default.
 * Severity: a defence that is switched off while the backend may still sanitize what it stores (MEDIUM).
 */
export const sanitizeContentDisabled: Rule = defineRule({
  id: 'ui5/sanitize-content-disabled',
  severity: 'MEDIUM',
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

  text: {
    en: {
      title: 'XSS: sanitizer of a RichTextEditor disabled',
      message: 'sanitizeValue is {value}: the RichTextEditor can show its value without removing scripts.',
      why: 'An attacker who can write that text can store a script in it, which runs in the session of every user who opens the text, with their permissions.',
      fix: 'Remove sanitizeValue (the default is true). If the sanitizer removes links that you need, allow their hosts with URLListValidator.add("https", "www.example.com").',
      variants: {
        bound: {
          title: 'XSS: sanitizer of a RichTextEditor can be disabled',
          message:
            'sanitizeValue is bound to {value}: if that value is false, the RichTextEditor can show its text without removing scripts.',
        },
      },
    },
    fr: {
      title: 'XSS : assainissement désactivé dans un RichTextEditor',
      message: 'sanitizeValue vaut {value} : le RichTextEditor peut afficher sa valeur sans en supprimer les scripts.',
      why: 'Un attaquant qui peut écrire ce texte peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui ouvre le texte, avec ses droits.',
      fix: 'Supprimez sanitizeValue (true par défaut). Si l’assainissement supprime des liens nécessaires, autorisez leurs hôtes avec URLListValidator.add("https", "www.example.com").',
      variants: {
        bound: {
          title: 'XSS : assainissement désactivable dans un RichTextEditor',
          message:
            'sanitizeValue est lié à {value} : si cette valeur est false, le RichTextEditor peut afficher son texte sans en supprimer les scripts.',
        },
      },
    },
  },
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
