import {
  accepts,
  doUsersWrite,
  entityWords,
  exposedEntities,
  grantsEvent,
  placeIn,
  privilegesOf,
  restrictionsOf,
  toWords,
  usersOf,
  wordsOf,
  writersOf,
  type CapElement,
  type CapRoot,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts, createHandledReader } from './_callers/caller-checks.ts'
import { nameOf, ofUsers, worstAtPlaces, usersWith } from './_matches.ts'
import { createEachRoleReader } from './_model/each-role.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * Rows that belong to users, which any ordinary user may change.
 * Facts: capire, "Authorization", restricting by `where` and user attributes.
 * Impact: whether rows are private is a decision that the model does not tell.
 */
export const instanceFilterMissingForUserData: Rule = defineRule({
  id: 'cap/instance-filter-missing-for-user-data',
  impact: 'hygiene',
  grades: {
    // a row for each user, by the model itself
    keyed: { impact: 'data', evidence: 'assumed' },
  },
  confidence: 'low',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  // rows that the same users read under a condition alone
  yieldsTo: ['cap/instance-condition-missing'],
  extracts: callerCheckExtracts,

  *check(root, { reach }) {
    const keyed = [...keyedByUser(root, reach)]
    const told = new Set(keyed.map(({ entity }) => entity))
    yield* worstAtPlaces([...matchesOf(root, told), ...keyed.map(({ match }) => match)])
  },

  text: () => ({
    en: {
      title: 'Missing instance-based authorization on user data',
      message:
        '@restrict on {entity} gives {users:or} write access to all rows, although "{owner}" indicates that each row belongs to one user.',
      why: 'A user who knows the key of another user’s row can send {requests:or} requests for it.',
      fix: 'Add where: ({owner} = $user) to this privilege if rows are private, and annotate {owner} with @readonly and @cds.on.insert: $user. Put roles that may change all rows into a separate privilege without where.',
      variants: {
        keyed: {
          title: 'Settings of each user writable by all users',
          message:
            '{entity} holds one row for each user ({owner} is its key), but no @restrict and no handler limits it: {users:or} can read and change all rows.',
          why: 'A user can send the key of another user, and so read or change the settings of that user and what the application does with them.',
          fix: 'Add @restrict with where: ({owner} = $user) to {entity} ($user.email if it is an e-mail address that the token holds), and set {owner} in a handler before CREATE.',
        },
        person: {
          message:
            "@restrict on {entity} gives {users:or} write access to all rows, although @PersonalData.EntitySemantics: 'DataSubject' marks each row as the data of one person.",
          fix: 'Add where: (<element> = $user) to this privilege if rows are private, with an element that holds the user’s ID and is annotated with @readonly and @cds.on.insert: $user. Put roles that may change all rows into a separate privilege without where.',
        },
      },
    },
    fr: {
      title: 'Absence d’autorisation par instance sur des données d’utilisateurs',
      message:
        'D’après @restrict sur {entity}, {users:ou} ont un accès en écriture à toutes les lignes, alors que "{owner}" indique que chaque ligne appartient à un utilisateur.',
      why: 'Un utilisateur qui connaît la clé d’une ligne d’un autre utilisateur peut envoyer des requêtes {requests:ou} sur cette ligne.',
      fix: 'Ajoutez where: ({owner} = $user) à ce privilège si les lignes sont privées, et annotez {owner} avec @readonly et @cds.on.insert: $user. Pour les rôles autorisés à modifier toutes les lignes, ajoutez un privilège distinct, sans where.',
      variants: {
        keyed: {
          title: 'Réglages de chaque utilisateur modifiables par tous',
          message:
            '{entity} contient une ligne par utilisateur ({owner} en est la clé), mais ni @restrict ni gestionnaire ne la limite : {users:ou} peuvent lire et modifier toutes les lignes.',
          why: 'Un utilisateur peut envoyer la clé d’un autre, et ainsi lire ou modifier les réglages de celui-ci et ce que l’application en fait.',
          fix: 'Ajoutez à {entity} @restrict avec where: ({owner} = $user) ($user.email s’il s’agit d’une adresse électronique que contient le jeton), et définissez {owner} dans un gestionnaire avant CREATE.',
        },
        person: {
          message:
            "D’après @restrict sur {entity}, {users:ou} ont un accès en écriture à toutes les lignes, alors que @PersonalData.EntitySemantics: 'DataSubject' indique que chaque ligne contient les données d’une personne.",
          fix: 'Ajoutez where: (<élément> = $user) à ce privilège si les lignes sont privées ; l’élément doit contenir l’identifiant de l’utilisateur et porter @readonly et @cds.on.insert: $user. Pour les rôles autorisés à modifier toutes les lignes, ajoutez un privilège distinct, sans where.',
        },
      },
    },
  }),
})

/** `told`: entities that are told anyway. */
function* matchesOf(root: CapRoot, told: ReadonlySet<CapElement>): Generator<Match> {
  const isHandled = createHandledReader(root)
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable || told.has(element)) continue
    if (wordsOf(element.annotations.get('requires')?.value).length > 0) continue
    const owner = ownerOf(element, root)
    if (owner === undefined) continue
    for (const privilege of privilegesOf(annotation.value)) {
      const roles = ordinaryUsers(privilege, restriction)
      if (roles.length === 0 || isHandled(restriction.service, element, 'UPDATE')) continue
      const args = {
        entity: nameOf(restriction),
        users: usersWith(roles),
        owner,
        requests: ['UPDATE', 'DELETE'].filter((event) => grantsEvent(privilege, event)).join(', '),
      }
      const match = { at: placeIn(annotation, privilege.record), args }
      yield owner === DATA_SUBJECT ? { ...match, variant: 'person' } : match
    }
  }
}

/** A key by which each user has one row. */
const USER_KEY = /^(?:user|owner|login)(?: (?:e ?mail|mail|id|name))?$/
/** What users have of their own; accounts themselves are looked after by others. */
const OF_EACH = /(?:^| )(?:settings?|preferences?|favou?rites?|bookmarks?|drafts?|baskets?|carts?)$/

/** A condition, or nobody is granted changes; a grant alone limits nobody to rows of their own. */
function isLimited({ annotations }: CapElement): boolean {
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  const isChanged = privileges.length === 0 || privileges.some((one) => grantsEvent(one, 'UPDATE'))
  return !isChanged || privileges.some(({ where }) => where !== undefined)
}

/** `entity Settings { key userEmail : String; … }`, which all users of the service write whole. */
function* keyedByUser(root: CapRoot, reach: ReachModel): Generator<{ readonly entity: CapElement; readonly match: Match }> {
  if (root.test) return
  const isHandled = createHandledReader(root)
  const isForEachRole = createEachRoleReader(root)
  for (const { service, name, entity, source, isDirect, isWritten } of exposedEntities(root)) {
    if (!isDirect || !isWritten || !accepts(entity, 'UPDATE') || isLimited(entity)) continue
    if (!OF_EACH.test(entityWords(source.name)) || !(doUsersWrite(entity, service) || isForEachRole(entity))) continue
    const keys = entity.members().filter(({ key }) => key)
    root.step(keys.length)
    const [key] = keys
    if (key === undefined || keys.length > 1 || !USER_KEY.test(toWords(key.name))) continue
    if (isHandled(service, entity, 'UPDATE')) continue
    // that callers need no login is a finding of the service
    const exposure = ofUsers(exposureOf(service, entity, reach, ['UPDATE']))
    const match = {
      at: key.place,
      args: { entity: name, users: usersWith(writersOf(entity, service), exposure), owner: key.name, requests: '' },
      variant: 'keyed',
      exposure,
    }
    yield { entity, match }
  }
}

/** The roles that a privilege without a condition allows to change rows, where these are ordinary users. */
function ordinaryUsers(privilege: Privilege, { service }: Restriction): readonly string[] {
  const { to, where } = privilege
  // access for `any` is another fault, reported by a rule of its own
  if (where !== undefined || to === undefined || to.includes('any')) return []
  if (!grantsEvent(privilege, 'UPDATE') && !grantsEvent(privilege, 'DELETE')) return []
  const users = usersOf(privilege, service)
  return users === 'all' ? to : [...users].filter((role) => ORDINARY.test(role))
}

/** Roles of many people who have nothing to do with each other. */
const ORDINARY =
  /^(?:end|business|portal|external|registered)?[-_ ]?(?:user|customer|employee|member|student|patient|citizen|consumer|applicant|guest|visitor)s?$/i

const OWNERS: ReadonlySet<string> = new Set(['owner', 'ownerid', 'user', 'userid', 'username', 'login'])

const DATA_SUBJECT = '@PersonalData.EntitySemantics'

/** What tells that a row belongs to a user; `createdBy`, which nearly every entity has, does not. */
function ownerOf({ qualified, annotations }: CapElement, root: CapRoot): string | undefined {
  const semantics = annotations.get('PersonalData.EntitySemantics')?.value
  if (semantics?.kind === 'string' && semantics.value === 'DataSubject') return DATA_SUBJECT
  const names = [...root.membersOf(qualified).keys()]
  return names.find((name) => OWNERS.has(name.toLowerCase().replaceAll('_', '')))
}
