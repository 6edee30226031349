import type { FileContent, OpenFile } from '../../files.ts'
import { viewsOf, type Ui5View } from '../../model/ui5/index.ts'
import type { MarkupAttribute, MarkupElement } from '../../parse/markup.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const HTML = 'http://www.w3.org/1999/xhtml'
const HANDLER = /^on[a-z]{3,30}$/iu
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'srcdoc', 'action', 'formaction', 'data'])

/**
 * Markup of HTML or SVG in an XML or HTML view that runs code, or whose address is data.
 * Facts: documentation of SAPUI5, "Using Native HTML in XML Views" (deprecated): it is written as it stands, without the checks of controls;
 * bindings in it are filled by XML templating.
 */
export const nativeHtmlInXmlview: Rule = defineRule({
  id: 'ui5/native-html-in-xmlview',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/secure-programming-aspects-91f3c40.md',
  keywords: ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg', 'data-sap-ui-type', 'data-controller-name'],

  checks: { xml: judgeViews, html: judgeViews },

  text: {
    en: {
      title: 'Native HTML with code in a view',
      message: '<{element}> in this view runs code: {what}.',
      why: 'Inline code needs a content security policy with "unsafe-inline", which then stops no injected script either, and no control checks what it does.',
      fix: 'Use a control of UI5 with an event handler of the controller.',
      variants: {
        address: {
          title: 'Native HTML with an address from data in a view',
          message: '<{element}> in this view takes {what} from data, without the checks of a control.',
          why: 'Whoever can write that data puts a javascript: address there; it runs in the session of whoever clicks or opens the page.',
          fix: 'Use sap.m.Link with validateUrl="true", sap.m.Image or another control of UI5.',
        },
      },
    },
    fr: {
      title: 'HTML natif avec du code dans une vue',
      message: '<{element}> dans cette vue exécute du code : {what}.',
      why: 'Du code en ligne exige une politique de sécurité du contenu avec « unsafe-inline », qui n’arrête alors plus aucun script injecté, et aucun contrôle ne vérifie ce qu’il fait.',
      fix: 'Prenez un contrôle d’UI5 et un gestionnaire d’événement du contrôleur.',
      variants: {
        address: {
          title: 'HTML natif avec une adresse issue de données dans une vue',
          message: '<{element}> dans cette vue prend {what} dans des données, sans les vérifications d’un contrôle.',
          why: 'Quiconque peut écrire ces données y place une adresse javascript: ; elle s’exécute dans la session de qui clique ou ouvre la page.',
          fix: 'Prenez sap.m.Link avec validateUrl="true", sap.m.Image ou un autre contrôle d’UI5.',
        },
      },
    },
  },
})

function* judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  for (const view of viewsOf(file)) yield* judgeView(view)
}

function* judgeView({ file, native, language }: Ui5View): Generator<Match> {
  for (const element of native) {
    const name = element.localName.toLowerCase()
    // a script that holds data, or that the own server gives, is what it is: one finding for the element
    if (name === 'script' && element.namespace === HTML) {
      yield { at: { file, span: element.startTag }, args: { element: name, what: 'script' } }
      continue
    }
    for (const attribute of element.attributes) {
      const match = judge(attribute, element)
      // nothing fills the braces of an HTML view's own elements
      if (match !== undefined && (match.variant !== 'address' || language === 'xml'))
        yield { at: { file, span: attribute.valueSpan }, ...match }
    }
  }
}

function judge(
  { localName, name, value }: MarkupAttribute,
  element: MarkupElement,
): Pick<Match, 'args' | 'variant' | 'confidence'> | undefined {
  const tag = element.localName.toLowerCase()
  const attribute = localName.toLowerCase()
  if (!name.includes(':') && HANDLER.test(attribute)) return { args: { element: tag, what: attribute } }
  if (!ADDRESSES.has(attribute)) return undefined
  if (/^\s{0,100}javascript:(?!\s{0,10}(?:void\s{0,5}\(?\s{0,5}0\s{0,5}\)?)?\s{0,5};?\s{0,10}$)/iu.test(value))
    return { args: { element: tag, what: `${attribute}="javascript:…"` } }
  // the scheme is data only where the value begins with it; filled in only where the view is a template
  return /^\s{0,100}\{(?!\{|i18n>)/u.test(value)
    ? { args: { element: tag, what: attribute }, variant: 'address', confidence: 'medium' }
    : undefined
}
