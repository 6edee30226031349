import { createHtmlControls, createOriginReader, htmlUses, markupFunctions } from '../../model/ui5/index.ts'
import type { MarkupOrigin } from '../../model/ui5/index.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Data shown as markup by an HTML control, in a view or from a script.
 * Facts: API of `sap.ui.core.HTML`: `sanitizeContent` is false by default; `sap/base/security/*`. Texts of resource models are part of the app.
 * Severity: any user who can write the data runs a script in the session of another (HIGH); markup of unknown origin is never above LOW.
 */
export const xssHtmlControl: Rule = defineRule({
  id: 'ui5/xss-html-control',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.HTML',
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
      title: 'XSS: unsanitized data in an HTML control',
      message: 'The content of this HTML control comes from data and is not sanitized.',
      why: 'An attacker who can write that data stores a script in it; it runs in the session of every user who opens this page, with the rights of that user.',
      fix: 'Set sanitizeContent="true" on this HTML control, or show the text with sap.m.Text or sap.m.FormattedText; encode single values with sap/base/security/encodeXML.',
      variants: {
        bound: {
          message: 'The content of this HTML control is bound to {value} and is not sanitized.',
        },
        untraced: {
          title: 'HTML control with dynamic content, not sanitized',
          message: 'The content of this HTML control is composed at run time and is not sanitized.',
          why: 'If a part of it comes from a user or the backend, a script in that part runs in the session of every user who opens this page (XSS).',
        },
      },
    },
    fr: {
      title: 'XSS : données non assainies dans un contrôle HTML',
      message: 'Le contenu de ce contrôle HTML provient de données et n’est pas assaini.',
      why: 'Un attaquant qui peut écrire ces données y stocke un script ; il s’exécute dans la session de chaque utilisateur qui ouvre cette page, avec ses droits.',
      fix: 'Indiquez sanitizeContent="true" sur ce contrôle HTML, ou affichez le texte avec sap.m.Text ou sap.m.FormattedText ; encodez les valeurs isolées avec sap/base/security/encodeXML.',
      variants: {
        bound: {
          message: 'Le contenu de ce contrôle HTML est lié à {value} et n’est pas assaini.',
        },
        untraced: {
          title: 'Contrôle HTML à contenu dynamique non assaini',
          message: 'Le contenu de ce contrôle HTML est composé à l’exécution et n’est pas assaini.',
          why: 'Si une partie vient d’un utilisateur ou du backend, un script dans cette partie s’exécute dans la session de chaque utilisateur qui ouvre cette page (XSS).',
        },
      },
    },
  },
})

/** A binding may be a page long. */
const MAX_SHOWN = 80

function toMatch(origin: MarkupOrigin, at: Place, value?: string): Match | undefined {
  if (origin === 'constant') return undefined
  if (origin === 'unknown') return { at, variant: 'untraced', severity: 'LOW', confidence: 'low' }
  return value === undefined
    ? { at }
    : { at, variant: 'bound', args: { value: value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value } }
}
