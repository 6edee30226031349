import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A property of a control that may hold any text, written as an address or into a style.
 * Facts: API of sap.ui.core.RenderManager (1.136): `attr` encodes, which leaves `javascript:` as it is; a property of type `sap.ui.core.URI` is checked when it is set.
 * Impact: an address of data of others runs code with a click, once an app binds such data to the property; a style changes how the page looks.
 */
export const metadataPropertyAny: Rule = defineRule({
  id: 'ui5/metadata-property-any',
  impact: 'session',
  // a style runs no code
  grades: { style: { impact: 'bounded' } },
  confidence: 'medium',
  cwe: [20],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/topic/ac56d92162ed47ff858fdf1ce26c18c4',
  on: 'flow',

  *check(hit, project) {
    if (hit.detail !== 'begin' && hit.detail !== 'style') return
    const variant = hit.detail === 'style' ? 'style' : undefined
    yield { ...gradeByOrigin(hit, project), confidence: 'medium', args: { value: hit.quotedPart }, variant }
  },

  text: () => ({
    en: {
      title: 'XSS: unvalidated control property in a URL attribute',
      message: '{value} is written into a URL attribute, but the type of the control property allows any text.',
      why: 'Encoding does not stop javascript: URLs: an attacker who controls the value can run a script in the session of another user.',
      fix: 'Give the property the type sap.ui.core.URI in the metadata, and write the attribute only if URLListValidator.validate(value) accepts it (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85).',
      variants: {
        style: {
          title: 'CSS injection: unvalidated control property in a style',
          message: '{value} is written into a style, but the type of the control property allows any text.',
          why: 'An attacker who controls the value can change how the control looks or, where the style can contain a URL, make the browser request it, which reveals that the user opened the page.',
          fix: 'Give the property a validated type in the metadata: sap.ui.core.CSSColor, sap.ui.core.CSSSize or an enumeration. For an image, use sap.ui.core.URI, and write "url(\'" + encodeCSS(value) + "\')" only if URLListValidator.validate(value) accepts the value.',
        },
      },
    },
    fr: {
      title: 'XSS : propriété de contrôle non validée dans un attribut d’URL',
      message: '{value} est écrit dans un attribut d’URL, mais le type de la propriété de contrôle admet n’importe quel texte.',
      why: 'L’encodage ne protège pas contre les URL javascript:, et un attaquant qui contrôle la valeur peut exécuter un script dans la session d’un autre utilisateur.',
      fix: 'Donnez à la propriété le type sap.ui.core.URI dans les métadonnées, et n’écrivez l’attribut que si URLListValidator.validate(valeur) renvoie true (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85).',
      variants: {
        style: {
          title: 'Injection CSS : propriété de contrôle non validée dans un style',
          message: '{value} est écrit dans un style, mais le type de la propriété de contrôle admet n’importe quel texte.',
          why: 'Un attaquant qui contrôle la valeur peut changer l’apparence du contrôle ou, si le style peut contenir une URL, en faire charger une par le navigateur, ce qui révèle que l’utilisateur a ouvert la page.',
          fix: 'Donnez à la propriété un type validé dans les métadonnées : sap.ui.core.CSSColor, sap.ui.core.CSSSize ou une énumération. Pour une image, utilisez sap.ui.core.URI et n’écrivez "url(\'" + encodeCSS(valeur) + "\')" que si URLListValidator.validate(valeur) accepte la valeur.',
        },
      },
    },
  }),
})
