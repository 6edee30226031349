import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

/**
 * Data of others as raw markup in React and Lit: dangerouslySetInnerHTML, unsafeHTML.
 * Facts: React, "dangerouslySetInnerHTML"; Lit, "unsafeHTML"; UI5 Web Components, which components hold a free text (Input, TextArea, pickers) and which a choice.
 * Severity: as in ui5/xss-dom-sink: HIGH where others choose the value, LOW where the user of the page enters it.
 */
export const webcomponentsRawHtml: Rule = defineRule({
  id: 'ui5/webcomponents-raw-html',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://react.dev/reference/react-dom/components/common#dangerously-setting-the-inner-html',
  on: 'flow',

  *check(hit) {
    const variant = variantOf(hit)
    yield {
      ...gradeByOrigin(hit, 'HIGH'),
      args: { part: hit.quotedPart, sink: hit.sink },
      ...((variant === 'own' || variant === 'indirect') && { variant }),
    }
  },

  text: {
    en: {
      title: 'Cross-site scripting (XSS) through raw HTML in a component',
      message: '{sink} renders {part} as markup without sanitizing it.',
      why: 'A script in that value runs in the session of the user, with all permissions of that user.',
      fix: 'Render the value as text, as a child of the element, or sanitize it first: DOMPurify.sanitize(value).',
      variants: {
        own: {
          title: 'User input rendered as raw HTML in a component',
          why: 'Users can attack only their own session, unless another page or user can supply that value.',
        },
        indirect: {
          title: 'XSS: property, stored or imported value rendered as raw HTML',
          why: 'If an attacker can influence that value, a script in it runs in the session of the user.',
        },
      },
    },
    fr: {
      title: 'Cross-site scripting (XSS) par le HTML brut d’un composant',
      message: '{sink} affiche {part} comme du balisage sans l’assainir.',
      why: 'Un script dans cette valeur s’exécute dans la session de l’utilisateur, avec tous ses droits.',
      fix: 'Affichez la valeur comme du texte, comme enfant de l’élément, ou assainissez-la d’abord : DOMPurify.sanitize(value).',
      variants: {
        own: {
          title: 'Saisie de l’utilisateur rendue en HTML brut',
          why: 'L’utilisateur ne peut attaquer que sa propre session, sauf si une autre page ou un autre utilisateur peut fournir cette valeur.',
        },
        indirect: {
          title: 'XSS : propriété, valeur stockée ou importée rendue en HTML brut',
          why: 'Si un attaquant peut influencer cette valeur, un script qu’elle contient s’exécute dans la session de l’utilisateur.',
        },
      },
    },
  },
})
