import { textOf } from '../../model/deployment/index.ts'
import { capSecurityOf } from '../../model/authorization/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An attribute that may be left empty, though a restriction relies on it.
 *  Facts: capire, "Authorization", unrestricted XSUAA attributes (`valueRequired: false`). */
export const xsuaaAttributeNotRequired: Rule = defineRule({
  id: 'btp/xsuaa-attribute-not-required',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'deployment',

  *check({ services, placeOf }, { capRoots }) {
    const { attributes } = capSecurityOf(capRoots)
    if (attributes.size === 0) return
    for (const { service, config } of services) {
      if (service !== 'xsuaa') continue
      for (const item of itemsOf(at(config, 'attributes'))) {
        const attribute = stringOf(at(item, 'name')) ?? ''
        const required = at(item, 'valueRequired')
        const used = attributes.get(attribute)
        if (used === undefined || required === undefined || textOf(required)?.toLowerCase() !== 'false') continue
        yield { at: placeOf(required), args: { attribute, file: used.file } }
      }
    }
  },

  text: {
    en: {
      title: 'An attribute that restricts data may be left empty',
      message: 'Attribute {attribute} has "valueRequired": false, and {file} restricts data with $user.{attribute}.',
      why: 'An administrator may assign the role without a value, which XSUAA treats as unrestricted: that user passes the filter for all data.',
      fix: 'Remove "valueRequired": false from {attribute}; make a role of its own for users who may see everything.',
    },
    fr: {
      title: 'Un attribut qui restreint les données peut rester vide',
      message: 'L’attribut {attribute} porte « "valueRequired": false », et {file} restreint des données avec $user.{attribute}.',
      why: 'Un administrateur peut attribuer le rôle sans valeur, ce que XSUAA tient pour illimité : cet utilisateur passe le filtre pour toutes les données.',
      fix: 'Supprimez « "valueRequired": false » de {attribute} ; créez un rôle à part pour ceux qui peuvent tout voir.',
    },
  },
})
