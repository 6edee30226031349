import { createHtmlControls, createOriginReader, htmlUses, markupFunctions } from '../../model/ui5/index.ts'
import type { MarkupOrigin } from '../../model/ui5/index.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Data shown as markup by an HTML control, in a view or from a script.
 * Facts: API of `sap.ui.core.HTML`: `sanitizeContent` is false by default; `sap/base/security/*`. Texts of resource models are part of the app.
 */
export const xssHtmlControl: Rule = defineRule({
  id: 'ui5/xss-html-control',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/secure-programming-aspects-91f3c40.md',
  extracts: [htmlUses, markupFunctions],
  on: 'ui5-app',

  *check(app) {
    const controls = createHtmlControls(app)
    const origins = createOriginReader(app)
    for (const { view, control } of controls.inViews()) {
      const content = control.properties.get('content')
      if (content === undefined) continue
      const match = toMatch(origins.ofBinding(content.binding, view), { file: view.file, span: content.at }, content.value)
      if (match !== undefined) yield match
    }
    for (const { at, content } of controls.inScripts()) {
      const match = toMatch(origins.ofContent(content), at)
      if (match !== undefined) yield match
    }
  },

  text: {
    en: {
      title: 'Data is shown as markup by an HTML control',
      message: 'The content of this HTML control is data, and nothing sanitizes it.',
      why: 'Whoever can write that data puts a script into it; it runs in the browser of everybody who opens this page, with their rights.',
      fix: 'Set sanitizeContent="true", or show the text with sap.m.Text or sap.m.FormattedText; encode single values with sap/base/security/encodeXML.',
      variants: {
        bound: { message: 'The content of this HTML control is bound to {value}, and nothing sanitizes it.' },
        untraced: {
          title: 'An HTML control shows markup made at run time',
          message: 'The content of this HTML control is put together at run time, and nothing sanitizes it.',
          why: 'If a part of it comes from a user or a back end, a script in that part runs in the browser of everybody who opens this page.',
        },
      },
    },
    fr: {
      title: 'Des données sont affichées comme balisage par un contrôle HTML',
      message: 'Le contenu de ce contrôle HTML est une donnée, et rien ne l’assainit.',
      why: 'Quiconque peut écrire cette donnée y place un script ; il s’exécute dans le navigateur de tous ceux qui ouvrent cette page, avec leurs droits.',
      fix: 'Indiquez sanitizeContent="true", ou affichez le texte avec sap.m.Text ou sap.m.FormattedText ; encodez les valeurs isolées avec sap/base/security/encodeXML.',
      variants: {
        bound: { message: 'Le contenu de ce contrôle HTML est lié à {value}, et rien ne l’assainit.' },
        untraced: {
          title: 'Un contrôle HTML affiche un balisage construit à l’exécution',
          message: 'Le contenu de ce contrôle HTML est assemblé à l’exécution, et rien ne l’assainit.',
          why: 'Si une partie vient d’un utilisateur ou d’un back-end, un script dans cette partie s’exécute dans le navigateur de tous ceux qui ouvrent cette page.',
        },
      },
    },
  },
})

/** A binding may be a page long. */
const MAX_SHOWN = 80

function toMatch(origin: MarkupOrigin, at: Place, value?: string): Match | undefined {
  if (origin === 'constant') return undefined
  if (origin === 'unknown') return { at, variant: 'untraced', severity: 'MEDIUM', confidence: 'low' }
  return value === undefined
    ? { at }
    : { at, variant: 'bound', args: { value: value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value } }
}
