import { placeIn, privilegesOf, restrictionsOf, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A condition that holds for whoever has no value for an attribute.
 *  Facts: capire, "Authorization", user attributes and unrestricted ones. */
export const userAttributeNullBypass: Rule = defineRule({
  id: 'cap/user-attribute-null-bypass',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'A user without an attribute sees all rows',
      message:
        'The condition of @restrict on {element} also holds where {attribute} is null: whoever has no value for it is not limited.',
      why: 'An attribute is missing easily: forgotten in a role, not sent by an identity provider, not there for a technical user. Then every row is open.',
      fix: 'Take this branch out, and give who may see everything a privilege and role of their own.',
    },
    fr: {
      title: 'Un utilisateur sans attribut voit toutes les lignes',
      message:
        'La condition de @restrict sur {element} vaut aussi lorsque {attribute} est nul : qui n’a pas de valeur n’est pas limité.',
      why: 'Un attribut manque facilement : oublié dans un rôle, non transmis par un fournisseur d’identité, absent pour un utilisateur technique. Chaque ligne est alors ouverte.',
      fix: 'Retirez cette branche, et donnez à qui peut tout voir un privilège et un rôle à part.',
    },
  },
})

const IS_NULL = /(\$user\.[A-Za-z_][\w.]{0,100})\s{1,20}is\s{1,20}null\b|(\$UNRESTRICTED)\b/i

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    if (restriction.name !== 'restrict' || restriction.element === undefined) continue
    for (const { where } of privilegesOf(restriction.annotation.value)) {
      const text = where?.kind === 'expression' ? where.expression.text : where?.kind === 'string' ? String(where.value) : ''
      const found = IS_NULL.exec(text)
      if (where === undefined || found === null || !/\bor\b/i.test(text)) continue
      const args = { element: nameOf(restriction), attribute: found[1] ?? found[2] ?? '' }
      yield { at: placeIn(restriction.annotation, where), args, severity: 'MEDIUM' }
    }
  }
}
