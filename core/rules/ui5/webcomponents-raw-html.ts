import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { encodedAddressTexts, gradeEncodedAddress } from './_encoded-addresses.ts'
import { gradeByOrigin, secondHandOf, variantOf } from './_flow-grade.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'
import { outsideArgs } from './_attack-ways.ts'

const ENCODED_ADDRESS = encodedAddressTexts('part')

/**
 * Data of others as raw markup in React, Lit and UI5 Web Components: dangerouslySetInnerHTML, unsafeHTML, innerHTML of a `ui5-` element.
 * Facts: React, "dangerouslySetInnerHTML"; Lit, "unsafeHTML"; UI5 Web Components, which components hold a free text (Input, TextArea, pickers) and which a choice.
 * Impact: as in ui5/xss-dom-sink.
 */
export const webcomponentsRawHtml: Rule = defineRule({
  id: 'ui5/webcomponents-raw-html',
  impact: 'session',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html#framework-security',
  on: 'flow',

  *check(hit, project) {
    const args = { part: hit.quotedPart, sink: shownOf(hit), example: exampleFor(hit.api), ...outsideArgs(hit) }
    if (hit.marks.has('encoded-address')) return yield { ...gradeEncodedAddress(hit, project), args }
    const variant = variantOf(hit)
    yield {
      ...gradeByOrigin(hit, project),
      args,
      ...(variant !== undefined && { variant: variant === 'indirect' ? secondHandOf(hit) : variant }),
    }
  },

  text: () => ({
    en: {
      title: 'Cross-site scripting (XSS) through raw HTML in a component',
      message: '{sink} renders a value from {part} as markup without sanitizing it.',
      why: MARKUP_BY_ORIGIN.en.link.why,
      fix: 'Render the value as text, as in {example}, or sanitize it first: DOMPurify.sanitize(value) from the npm package dompurify.',
      variants: {
        address: ENCODED_ADDRESS.en,
        stored: MARKUP_BY_ORIGIN.en.stored,
        unknown: MARKUP_BY_ORIGIN.en.unknown,
        own: {
          ...MARKUP_BY_ORIGIN.en.own,
          title: 'User input rendered as raw HTML in a component',
        },
        property: { ...MARKUP_BY_ORIGIN.en.indirect, title: 'XSS: property rendered as raw HTML' },
        storage: { ...MARKUP_BY_ORIGIN.en.indirect, title: 'XSS: value from the browser storage rendered as raw HTML' },
        imported: { ...MARKUP_BY_ORIGIN.en.indirect, title: 'XSS: imported value rendered as raw HTML' },
      },
    },
    fr: {
      title: 'Cross-site scripting (XSS) par du HTML brut dans un composant',
      message: '{sink} affiche comme du balisage, sans l’assainir, une valeur issue de {part}.',
      why: MARKUP_BY_ORIGIN.fr.link.why,
      fix: 'Affichez la valeur comme du texte, par exemple {example}, ou assainissez-la d’abord : DOMPurify.sanitize(value), du paquet npm dompurify.',
      variants: {
        address: ENCODED_ADDRESS.fr,
        stored: MARKUP_BY_ORIGIN.fr.stored,
        unknown: MARKUP_BY_ORIGIN.fr.unknown,
        own: {
          ...MARKUP_BY_ORIGIN.fr.own,
          title: 'Saisie de l’utilisateur rendue en HTML brut',
        },
        property: { ...MARKUP_BY_ORIGIN.fr.indirect, title: 'XSS : propriété rendue en HTML brut' },
        storage: { ...MARKUP_BY_ORIGIN.fr.indirect, title: 'XSS : valeur du stockage du navigateur rendue en HTML brut' },
        imported: { ...MARKUP_BY_ORIGIN.fr.indirect, title: 'XSS : valeur importée rendue en HTML brut' },
      },
    },
  }),
})

/** `innerHTML (<div>)` of the attribute of a template, `<div innerHTML>`. */
function shownOf({ sink, api: { effects, owner, method } }: FlowHit): string {
  return effects.has('attribute') ? `${method} (<${owner}>)` : sink
}

/** A text between tags, in JSX or in a template of Lit; an element of the page gets it as its text. */
function exampleFor({ effects }: FlowHit['api']): string {
  if (effects.has('element')) return 'element.textContent = value'
  return effects.has('expression') ? '<div>{ value }</div>' : '<div>${value}</div>'
}
