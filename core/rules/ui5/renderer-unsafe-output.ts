import { defineRule, type Rule } from '../rule.ts'
import { encodedAddressTexts, gradeEncodedAddress } from './_encoded-addresses.ts'
import { gradeByOrigin, storedVariantOf } from './_flow-grade.ts'
import { outsideArgs } from './_attack-ways.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'

const ENCODED_ADDRESS = encodedAddressTexts('value')

/**
 * Data that the renderer of a control writes as markup.
 * Facts: API of sap.ui.core.RenderManager (1.136): `write`, `writeAttribute`, `addStyle` and `addClass` of the string-based renderer and `unsafeHtml` write their
 * arguments as they are; `text`, `attr`, `class`, `style` and `writeEscaped` encode. UI5 checks values of types such as int, CSSSize and URI when they are set.
 * Impact: a script in data of other users or of the address runs in the session of the user.
 */
export const rendererUnsafeOutput: Rule = defineRule({
  id: 'ui5/renderer-unsafe-output',
  impact: 'session',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.core.RenderManager',
  on: 'flow',

  *check(hit, project) {
    const args = { value: hit.quotedPart, sink: hit.sink, ...outsideArgs(hit) }
    if (hit.marks.has('encoded-address')) return yield { ...gradeEncodedAddress(hit, project), args }
    yield { ...gradeByOrigin(hit, project), args, variant: hit.origin === 'property' ? 'property' : storedVariantOf(hit) }
  },

  text: () => ({
    en: {
      title: 'XSS: unencoded data written by a control renderer',
      message: '{sink} writes a value from {value} into the page as markup, without encoding it.',
      why: MARKUP_BY_ORIGIN.en.stored.why,
      fix: 'Use rm.text(value), rm.attr(name, value) and rm.class(name) in a renderer with apiVersion 2 or 4: these methods encode values. In a renderer without apiVersion, use writeEscaped and writeAttributeEscaped.',
      variants: {
        address: ENCODED_ADDRESS.en,
        link: MARKUP_BY_ORIGIN.en.link,
        own: MARKUP_BY_ORIGIN.en.own,
        indirect: MARKUP_BY_ORIGIN.en.indirect,
        unknown: MARKUP_BY_ORIGIN.en.unknown,
        property: {
          message:
            '{sink} writes the control property {value} as markup: any text that an app sets or binds there is parsed as HTML.',
          why: 'As soon as an app binds data from other users to that property, a script in the data runs in the session of every user who sees the control.',
        },
      },
    },
    fr: {
      title: 'XSS : moteur de rendu écrivant des données non encodées',
      message: '{sink} écrit dans la page, comme du balisage et sans encodage, une valeur issue de {value}.',
      why: MARKUP_BY_ORIGIN.fr.stored.why,
      fix: 'Utilisez rm.text(valeur), rm.attr(nom, valeur) et rm.class(nom) dans un moteur de rendu avec apiVersion 2 ou 4 : ces méthodes encodent les valeurs. Sans apiVersion, utilisez writeEscaped et writeAttributeEscaped.',
      variants: {
        address: ENCODED_ADDRESS.fr,
        link: MARKUP_BY_ORIGIN.fr.link,
        own: MARKUP_BY_ORIGIN.fr.own,
        indirect: MARKUP_BY_ORIGIN.fr.indirect,
        unknown: MARKUP_BY_ORIGIN.fr.unknown,
        property: {
          message:
            '{sink} écrit la propriété de contrôle {value} comme du balisage : tout texte qu’une application affecte ou lie à cette propriété est interprété comme du HTML.',
          why: 'Dès qu’une application lie à cette propriété des données d’autres utilisateurs, un script qu’elles contiennent s’exécute dans la session de chaque utilisateur qui voit le contrôle.',
        },
      },
    },
  }),
})
