import {
  grantsEvent,
  handlerRegistrations,
  isHandled,
  placeIn,
  privilegesOf,
  restrictionsOf,
  usersOf,
  wordsOf,
  type CapElement,
  type CapRoot,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** Rows that belong to users, which every ordinary user may change.
 *  Facts: capire, "Authorization", restricting by `where` and user attributes. */
export const instanceFilterMissingForUserData: Rule = defineRule({
  id: 'cap/instance-filter-missing-for-user-data',
  severity: 'INFO',
  confidence: 'low',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',
  extracts: [handlerRegistrations],

  *check(root) {
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'Users may change the rows of other users',
      message: '@restrict on {entity} lets {roles} change all rows, although {owner} says whom a row belongs to.',
      why: 'A user who knows or guesses the key of somebody else’s row changes or deletes it.',
      fix: 'If rows are private, limit the privilege: where: (<element> = $user), and give who may change all rows a role of their own.',
    },
    fr: {
      title: 'Les utilisateurs peuvent modifier les lignes des autres',
      message:
        '@restrict sur {entity} laisse {roles} modifier toutes les lignes, alors que {owner} dit à qui une ligne appartient.',
      why: 'Un utilisateur qui connaît ou devine la clé de la ligne d’un autre la modifie ou la supprime.',
      fix: 'Si les lignes sont privées, limitez le privilège : where: (<élément> = $user), et donnez à qui peut tout modifier un rôle à part.',
    },
  },
})

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable) continue
    if (wordsOf(element.annotations.get('requires')?.value).length > 0) continue
    const owner = ownerOf(element, root)
    if (owner === undefined) continue
    for (const privilege of privilegesOf(annotation.value)) {
      const roles = ordinaryUsers(privilege, restriction)
      if (roles.length === 0 || isHandled(root, element.qualified, 'UPDATE')) continue
      const args = { entity: nameOf(restriction), roles: roles.join(', '), owner }
      yield { at: placeIn(annotation, privilege.record), args, severity: 'INFO' }
    }
  }
}

/** Whom a privilege without a condition lets change rows, where these are no more than users. */
function ordinaryUsers(privilege: Privilege, { service }: Restriction): readonly string[] {
  const { to, where } = privilege
  // anybody is the business of cap/grant-all-to-any
  if (where !== undefined || to === undefined || to.includes('any')) return []
  if (!grantsEvent(privilege, 'UPDATE') && !grantsEvent(privilege, 'DELETE')) return []
  const users = usersOf(privilege, service)
  return users === 'all' ? to : [...users].filter((role) => ORDINARY.test(role))
}

/** Roles of many people who have nothing to do with each other. */
const ORDINARY =
  /^(?:end|business|portal|external|registered)?[-_ ]?(?:user|customer|employee|member|student|patient|citizen|consumer|applicant|guest|visitor)s?$/i

const OWNERS: ReadonlySet<string> = new Set(['owner', 'ownerid', 'user', 'userid', 'username', 'login'])

/** What says that a row is somebody's; `createdBy`, which nearly every entity has, does not. */
function ownerOf({ qualified, annotations }: CapElement, root: CapRoot): string | undefined {
  const semantics = annotations.get('PersonalData.EntitySemantics')?.value
  if (semantics?.kind === 'string' && semantics.value === 'DataSubject') return '@PersonalData.EntitySemantics'
  const names = [...root.membersOf(qualified).keys()]
  return names.find((name) => OWNERS.has(name.toLowerCase().replaceAll('_', '')))
}
