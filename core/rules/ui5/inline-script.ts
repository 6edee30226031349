import { attributeOf, elementsOf, type MarkupElement } from '../../parse/markup.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const SCRIPT_TYPES: ReadonlySet<string> = new Set(['', 'text/javascript', 'application/javascript', 'module'])
const HANDLER = /^on[a-z]{3,30}$/u

/**
 * Code in a productive page, for which a content security policy must allow inline scripts; one finding per page.
 * Facts: documentation of SAPUI5, "Content Security Policy": UI5 starts by data-sap-ui-on-init="module:…", without inline code.
 */
export const inlineScript: Rule = defineRule({
  id: 'ui5/inline-script',
  severity: 'LOW',
  confidence: 'high',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  on: 'ui5-app',

  *check(app) {
    if (app.isLibrary) return
    for (const { file, test, document } of app.pages) {
      if (test) continue
      for (const element of elementsOf(document)) {
        const code = codeIn(element)
        if (code === undefined) continue
        yield { at: { file, span: code.at }, args: { page: file, what: code.what } }
        break
      }
    }
  },

  text: {
    en: {
      title: 'The page holds inline code',
      message: '{page} holds code itself: {what}.',
      why: 'A content security policy must then allow inline scripts, and with them every script that an attacker gets into the page.',
      fix: 'Move the code into a module and start it by data-sap-ui-on-init="module:my/app/init".',
    },
    fr: {
      title: 'La page contient du code en ligne',
      message: '{page} contient elle-même du code : {what}.',
      why: 'Une politique de sécurité du contenu doit alors autoriser les scripts en ligne, et avec eux tout script qu’un attaquant introduit dans la page.',
      fix: 'Déplacez le code dans un module et démarrez-le par data-sap-ui-on-init="module:mon/app/init".',
    },
  },
})

function codeIn(element: MarkupElement): { at: Span; what: string } | undefined {
  if (element.name === 'script' && attributeOf(element, 'src') === undefined) {
    const type = attributeOf(element, 'type')?.value.trim().toLowerCase() ?? ''
    const text = element.texts.find((text) => text.text.trim() !== '')
    if (SCRIPT_TYPES.has(type) && text !== undefined && attributeOf(element, 'nonce') === undefined)
      return { at: element.startTag, what: '<script>' }
  }
  for (const { name, value, valueSpan } of element.attributes) {
    if (HANDLER.test(name) && value.trim() !== '') return { at: valueSpan, what: name }
    if ((name === 'href' || name === 'src') && /^\s{0,50}javascript:(?!\s{0,10}(?:void\b.{0,10})?;?\s{0,10}$)/iu.test(value))
      return { at: valueSpan, what: `${name}="javascript:…"` }
  }
  return undefined
}
