import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * A property of a control that may hold any text, written as an address.
 * Facts: API of sap.ui.core.RenderManager (1.136): `attr` encodes, which leaves `javascript:` as it is; a property of type `sap.ui.core.URI` is checked when it is set.
 * Severity: hardening, since a click and data of others are needed as well (LOW).
 */
export const metadataPropertyAny: Rule = defineRule({
  id: 'ui5/metadata-property-any',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [20],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/topic/ac56d92162ed47ff858fdf1ce26c18c4',
  on: 'flow',

  *check(hit) {
    if (hit.detail !== 'begin') return
    yield { ...gradeByOrigin(hit, 'LOW'), confidence: 'medium', args: { value: hit.part } }
  },

  text: {
    en: {
      title: 'Control property of any text used as an address',
      message: '{value} is written into an address attribute, and the type of the property allows any text.',
      why: 'Encoding does not stop javascript: addresses: an attacker who can write the value runs a script in the session of the user who follows the link.',
      fix: 'Give the property the type sap.ui.core.URI in the metadata, and write the attribute only if URLListValidator.validate(value) from sap/base/security accepts it.',
    },
    fr: {
      title: 'Propriété de contrôle sans type d’URL utilisée comme adresse',
      message: '{value} est écrit dans un attribut d’adresse, et le type de la propriété permet n’importe quel texte.',
      why: 'L’encodage n’arrête pas les adresses javascript: ; un attaquant qui peut écrire la valeur exécute un script dans la session de l’utilisateur qui suit le lien.',
      fix: 'Donnez à la propriété le type sap.ui.core.URI dans les métadonnées, et n’écrivez l’attribut que si URLListValidator.validate(valeur) de sap/base/security l’accepte.',
    },
  },
})
