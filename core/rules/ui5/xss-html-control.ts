import { createHtmlControls, createOriginReader, fillsHtmlControls, formatsMarkup } from '../../model/ui5/index.ts'
import type { MarkupOrigin } from '../../model/ui5/index.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const HTML_CONTROL = /sap[./]ui[./]core[./]HTML\b|\bsanitizeContent\b/
const ENCODES = /\b(?:encode(?:XML|HTML|URI\w{0,10})|sanitizeHTML|DOMPurify)\b/
const FILLS = /\.(?:set|bind)Content\b/
/** A text of markup, given back or put into a name that is, as a formatter does; what controls render they write themselves. */
const TAGS = /\breturn\b[^;{}]{0,200}["'`]<[a-zA-Z/]|[\w$]\s{0,3}\+?=\s{0,3}["'`]<[a-zA-Z/]/
const RENDERS = /\bapiVersion\b|\brenderer\b|RenderManager/

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
  // scripts that make or fill such controls, and those that a formatter may encode in
  keywords: [
    'sap/ui/core/HTML',
    'sap.ui.core.HTML',
    'setContent',
    'bindContent',
    'sanitizeContent',
    'encodeXML',
    'encodeHTML',
    'sanitizeHTML',
    'DOMPurify',
    'encodeURI',
    '"<',
    "'<",
    '`<',
  ],
  looks: (text) =>
    HTML_CONTROL.test(text) ||
    ENCODES.test(text) ||
    (!RENDERS.test(text) && TAGS.test(text)) ||
    (FILLS.test(text) && text.includes('byId')),
  keeps: [fillsHtmlControls, formatsMarkup],
  on: ['ui5-app'],
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

  *check(app) {
    const controls = createHtmlControls(app)
    const origins = createOriginReader(app)
    for (const { view, control } of controls.inViews()) {
      const content = control.properties.get('content')
      if (content === undefined) continue
      const match = toMatch(origins.ofBinding(content.binding, view), { file: view.file, span: content.at }, content.value)
      if (match !== undefined) yield match
    }
    for (const script of app.scripts) {
      for (const content of controls.inScript(script)) {
        const { start, end } = content.at
        const match = toMatch(origins.ofContent(script.facts, content), { file: script.file, span: { start, end } })
        if (match !== undefined) yield match
      }
    }
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
