import { textOf } from '../../model/deployment/index.ts'
import { capSecurityOf } from '../../model/authorization/index.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An optional attribute, and a restriction that holds for users without a value.
 * Facts: capire, "Authorization", unrestricted XSUAA attributes (`valueRequired: false`; without a value CAP gives no access, unless the
 * condition also says `is null`).
 * Impact: users without a value for the attribute see the data of all; where the condition gives no access then, it is only worth knowing.
 */
export const xsuaaAttributeNotRequired: Rule = defineRule({
  id: 'btp/xsuaa-attribute-not-required',
  impact: 'data',
  reach: 'user',
  // that somebody creates a role without a value
  evidence: 'assumed',
  grades: { closed: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#unrestricted-xsuaa-attributes',
  on: 'deployment',

  *check({ services, placeOf }, { capRoots }) {
    const { attributes, optional } = capSecurityOf(capRoots)
    if (attributes.size === 0) return
    for (const { service, config } of services) {
      if (service !== 'xsuaa') continue
      for (const item of itemsOf(at(config, 'attributes'))) {
        const attribute = stringOf(at(item, 'name')) ?? ''
        const required = at(item, 'valueRequired')
        const used = attributes.get(attribute)
        if (used === undefined || required === undefined || textOf(required)?.toLowerCase() !== 'false') continue
        const place = placeOf(required)
        const args = { attribute, file: used.file, descriptor: place.file }
        yield { at: place, args, ...(!optional.has(attribute) && { variant: 'closed' }) }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Data restriction bypassed through an optional attribute',
      message:
        'Attribute {attribute} has "valueRequired": false, and {file} gives access to all data where $user.{attribute} is null.',
      why: 'A role created without a value for this attribute gives access to all data: an attacker whose account has such a role can read what the restriction should hide.',
      fix: 'Remove the "is null" condition in {file}; give users who may see all data a separate role. Remove "valueRequired": false in {descriptor}; if the XSUAA instance already exists, define a new attribute, as this value cannot be changed to true.',
      variants: {
        closed: {
          title: 'Optional attribute used in a data restriction',
          message: 'Attribute {attribute} has "valueRequired": false, and {file} restricts data with $user.{attribute}.',
          why: 'Without a value, CAP gives no access. If "is null" is added to the condition later, an attacker whose account has no value can read all data.',
          fix: 'Remove "valueRequired": false from attribute {attribute} in {descriptor}; if the XSUAA instance already exists, define a new attribute, as this value cannot be changed to true. Give users who may see all data a separate role.',
        },
      },
    },
    fr: {
      title: 'Restriction de données contournable par un attribut facultatif',
      message:
        'L’attribut {attribute} définit "valueRequired": false, et {file} donne accès à toutes les données lorsque $user.{attribute} est null.',
      why: 'Un rôle créé sans valeur pour cet attribut donne accès à toutes les données : un attaquant dont le compte a un tel rôle peut lire ce que la restriction devrait cacher.',
      fix: 'Supprimez la condition "is null" dans {file} ; donnez un rôle distinct aux utilisateurs autorisés à voir toutes les données. Supprimez "valueRequired": false dans {descriptor}. Si l’instance XSUAA existe déjà, "valueRequired" ne peut plus passer à true : définissez un nouvel attribut.',
      variants: {
        closed: {
          title: 'Attribut facultatif utilisé dans une restriction de données',
          message:
            'L’attribut {attribute} définit "valueRequired": false, et {file} restreint des données avec $user.{attribute}.',
          why: 'Si cet attribut n’a pas de valeur, CAP ne donne aucun accès. Si "is null" est ajouté plus tard à la condition, un attaquant dont le compte n’a pas de valeur pour l’attribut pourra lire toutes les données.',
          fix: 'Supprimez "valueRequired": false de l’attribut {attribute} dans {descriptor}. Si l’instance XSUAA existe déjà, "valueRequired" ne peut plus passer à true : définissez un nouvel attribut. Donnez un rôle distinct aux utilisateurs autorisés à voir toutes les données.',
        },
      },
    },
  }),
})
