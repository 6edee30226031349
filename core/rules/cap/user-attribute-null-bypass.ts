import { placeIn, privilegesOf, restrictionsOf, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * A condition of a restriction that holds for users without a value of an attribute.
 * Facts: capire, "Authorization", user attributes and unrestricted XSUAA attributes (its warning, and the additional grant that it prefers).
 * Impact: users whose role lacks the attribute see all rows; who gets a role without it is not in the project.
 */
export const userAttributeNullBypass: Rule = defineRule({
  id: 'cap/user-attribute-null-bypass',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#unrestricted-xsuaa-attributes',
  on: 'cap-root',

  *check(root, project) {
    yield* worstAtPlaces(matchesOf(root, project))
  },

  text: () => ({
    en: {
      title: 'Row restriction bypassed if a user attribute is missing',
      message:
        'Because of "{branch}", the condition of @restrict on {element} holds for every row if the user has no value for {attribute}.',
      why: 'Users to whom this attribute was not assigned, or for whom the identity provider did not send it, can access rows that the condition otherwise excludes.',
      fix: "Remove the branch \"{branch}\" from the condition, and add a privilege without this condition for users who need all rows, for example { grant: '<event>', to: '<role>' }.",
    },
    fr: {
      title: 'Restriction de lignes contournée si un attribut utilisateur manque',
      message:
        'À cause de "{branch}", la condition de @restrict sur {element} est vraie pour chaque ligne si l’utilisateur n’a pas de valeur pour {attribute}.',
      why: 'Les utilisateurs pour lesquels cet attribut n’est pas renseigné, ou n’a pas été transmis par le fournisseur d’identité, accèdent à des lignes que la condition exclut pour les autres.',
      fix: "Retirez la branche \"{branch}\" de la condition, et ajoutez un privilège sans cette condition pour ceux qui ont besoin de toutes les lignes, par exemple { grant: '<événement>', to: '<rôle>' }.",
    },
  }),
})

const IS_NULL = /(\$user\.[A-Za-z_][\w.]{0,100})\s{1,20}is\s{1,20}null\b|(\$UNRESTRICTED)\b/i

function* matchesOf(root: CapRoot, { reach }: Project): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    if (restriction.name !== 'restrict' || restriction.element === undefined) continue
    for (const { where } of privilegesOf(restriction.annotation.value)) {
      const text = where?.kind === 'expression' ? where.expression.text : where?.kind === 'string' ? String(where.value) : ''
      const found = IS_NULL.exec(text)
      if (where === undefined || found === null || !/\bor\b/i.test(text)) continue
      const args = { element: nameOf(restriction), attribute: found[1] ?? found[2] ?? '', branch: found[0] }
      const exposure = exposureOf(restriction.service, restriction.element, reach)
      yield { at: placeIn(restriction.annotation, where), args, exposure }
    }
  }
}
