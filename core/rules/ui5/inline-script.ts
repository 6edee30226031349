import { attributeOf, elementsOf, type MarkupElement } from '../../parse/markup.ts'
import type { Span } from '../../types.ts'
import { BY_HASH } from './_inline-texts.ts'
import { defineRule, type Rule } from '../rule.ts'

const SCRIPT_TYPES: ReadonlySet<string> = new Set(['', 'text/javascript', 'application/javascript', 'module'])
const HANDLER = /^on[a-z]{3,30}$/u

/**
 * Code in a productive page, for which a content security policy must allow inline scripts; one finding per app.
 * Facts: documentation of SAPUI5, "Content Security Policy". A script file in the same place runs as the inline script did, in every UI5 version.
 * Impact: an obstacle to a content security policy, nothing by itself.
 */
export const inlineScript: Rule = defineRule({
  id: 'ui5/inline-script',
  impact: 'hygiene',
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
        yield {
          at: { file, span: code.at },
          args: { page: file, what: code.what, module: `${folderOf(file)}init.js` },
          ...(code.variant !== undefined && { variant: code.variant }),
          groupKey: app.root,
        }
        break
      }
    }
  },

  text: () => ({
    en: {
      title: 'Inline script in a UI5 page',
      message: '{page} contains an inline {what} element.',
      why: "A content security policy can allow this script only with a nonce, a hash or 'unsafe-inline', which also allows scripts that an attacker injects into the page.",
      fix: 'Move the code from {page} into a file such as {module}, and load the file in the same place: <script src="init.js"></script>.',
      variants: {
        handler: {
          message: '{page} contains inline code in the {what} attribute.',
          why: BY_HASH.en,
          fix: 'Remove {what} from {page}, attach the handler with addEventListener in a file such as {module}, and load that file at the end of <body>: <script src="init.js"></script>.',
        },
        load: {
          message: '{page} contains inline code in the {what} attribute.',
          why: BY_HASH.en,
          fix: 'Remove {what} from {page}, run its code with window.addEventListener("load", …) in a file such as {module}, and load that file: <script src="init.js"></script>.',
        },
        address: {
          message: '{page} contains inline code in {what}.',
          why: BY_HASH.en,
          fix: 'Remove {what} from {page}, attach a click handler with addEventListener in a file such as {module}, and load that file at the end of <body>: <script src="init.js"></script>.',
        },
      },
    },
    fr: {
      title: 'Script intégré (inline) dans une page UI5',
      message: '{page} contient un élément {what} dont le code est intégré à la page (inline).',
      why: "Une Content Security Policy ne peut autoriser ce script que par un nonce, une empreinte (hash) ou 'unsafe-inline', qui autorise aussi les scripts injectés par un attaquant.",
      fix: 'Déplacez le code de {page} dans un fichier comme {module} et chargez ce fichier au même endroit : <script src="init.js"></script>.',
      variants: {
        handler: {
          message: '{page} contient du code intégré (inline) dans l’attribut {what}.',
          why: BY_HASH.fr,
          fix: 'Supprimez {what} de {page}, attachez le gestionnaire avec addEventListener dans un fichier comme {module} et chargez ce fichier à la fin de <body> : <script src="init.js"></script>.',
        },
        load: {
          message: '{page} contient du code intégré (inline) dans l’attribut {what}.',
          why: BY_HASH.fr,
          fix: 'Supprimez {what} de {page}, exécutez son code par window.addEventListener("load", …) dans un fichier comme {module} et chargez ce fichier : <script src="init.js"></script>.',
        },
        address: {
          message: '{page} contient du code intégré (inline) dans {what}.',
          why: BY_HASH.fr,
          fix: 'Supprimez {what} de {page}, attachez un gestionnaire de clic avec addEventListener dans un fichier comme {module} et chargez ce fichier à la fin de <body> : <script src="init.js"></script>.',
        },
      },
    },
  }),
})

/** `webapp/` of `webapp/index.html`. */
function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}

function codeIn(element: MarkupElement): { at: Span; what: string; variant?: string } | undefined {
  if (element.name === 'script' && attributeOf(element, 'src') === undefined) {
    const type = attributeOf(element, 'type')?.value.trim().toLowerCase() ?? ''
    const text = element.texts.find((text) => text.text.trim() !== '')
    if (SCRIPT_TYPES.has(type) && text !== undefined && attributeOf(element, 'nonce') === undefined)
      return { at: element.startTag, what: '<script>' }
  }
  for (const { name, value, valueSpan } of element.attributes) {
    if (HANDLER.test(name) && value.trim() !== '')
      return { at: valueSpan, what: name, variant: name === 'onload' ? 'load' : 'handler' }
    if ((name === 'href' || name === 'src') && /^\s{0,50}javascript:(?!\s{0,10}(?:void\b.{0,10})?;?\s{0,10}$)/iu.test(value))
      return { at: valueSpan, what: `${name}="javascript:…"`, variant: 'address' }
  }
  return undefined
}
