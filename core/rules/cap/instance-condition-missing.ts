import {
  grantsEvent,
  isAdministrative,
  isOrdinary,
  placeIn,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  sourceNameOf,
} from '../../model/cap/index.ts'
import { listNames } from '../../arguments.ts'
import type { Project } from '../subjects.ts'
import { groupBy } from '../../lists.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { createUngrantedReader, givenRoles } from './_callers/ungranted-roles.ts'
import { disabledConditionsOf } from './_model/disabled-annotations.ts'
import { listRoles, worstAtPlaces } from './_matches.ts'
import { isPlain } from './_rows/owned-entities.ts'
import { limitsToUser, partsWithoutCondition } from './_rows/part-conditions.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { rowFilters } from './_rows/row-filters.ts'
import { askedWrites, ASKED_WORDS } from './_model/asked-writes.ts'
import { askedOwners } from './_rows/asked-owners.ts'
import { unlimitedChanges, unlimitedWrites, UNSAID_WORDS } from './_model/unlimited-changes.ts'
import { entityHandlers, handlersFor, unaskedOf } from './_handlers/write-handlers.ts'

/**
 * A role that may read or change all rows of an entity, although the project limits the same role to some of them: the same rows in another service, or what stands beside
 * them where other users are limited.
 * Facts: capire, "Authorization", restricting by `where`: a condition holds for the privilege and the entity that it stands at, and for no other.
 * Impact: users with the role read or change rows of other departments, branches or people. The same rows under a condition elsewhere show that these were not meant for
 * them; of other entities that is assumed.
 */
export const instanceConditionMissing: Rule = defineRule({
  id: 'cap/instance-condition-missing',
  impact: 'data',
  // a service may be meant for all rows
  grades: { sibling: { evidence: 'shown' }, service: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [entityHandlers, rowFilters, askedOwners, givenRoles, ...callerCheckExtracts],
  yieldsTo: ['cap/instance-restriction-bypassed', 'cap/entity-without-restriction'],

  *check(root, project) {
    const { reach } = project
    if (root.test) return
    yield* worstAtPlaces(disabledConditionsOf(root, project))
    const parts = [
      ...worstAtPlaces(partsWithoutCondition(root, project)),
      ...worstAtPlaces(unlimitedChanges(root, project)),
      ...worstAtPlaces(writesBeside(root, project)),
    ]
    yield* parts
    const told = new Set(parts.map(({ at }) => `${at.file} ${at.span?.start}`))
    const isUngranted = createUngrantedReader(root, project)
    const grants = grantsOf(root)
    const limited = groupBy(
      grants.filter(({ isLimited }) => isLimited),
      ({ role }) => role,
    )
    for (const grant of grants) {
      const known = (limited.get(grant.role) ?? []).filter((other) => !grant.isOfService || hasSameUsers(other, grant))
      root.step(known.length)
      const { service, element, role, privilege, place } = grant
      if (grant.isLimited || isTrusted(role) || told.has(`${place.file} ${place.span?.start}`)) continue
      const events = EVENTS.filter((event) => grant.events.includes(event))
      const same = known.filter((other) => isSame(other, grant) && holdsBack(other, events))
      const others = same.length > 0 ? same : isForPersons(grant) ? known.filter((other) => isBeside(other, grant, events)) : []
      const [first] = others
      // the entity limits the role as well: of conditions without an effect another rule tells
      if (first === undefined || known.some((one) => one.element === element && holdsBack(one, first.events))) continue
      const unasked = unaskedOf(events, handlersFor(root, service, element))
      const shared = unasked.filter((event) => others.some((other) => holdsBack(other, [event])))
      if (shared.length === 0) continue
      yield {
        at: place,
        args: {
          entity: `${service.name}.${element.name}`,
          role: listRoles([role]),
          events: listNames(shared),
          limited: listNames([...new Set(others.map((other) => `${other.service.name}.${other.element.name}`))]),
        },
        key: `${service.name}.${element.name} ${role}`,
        groupKey: `${place.file} ${place.span?.start} ${service.name}.${element.name}`,
        ...variantOfCases(same.length === 0 && 'sibling', grant.isOfService && 'service'),
        ...(privilege === undefined && { confidence: 'low' as const }),
        exposure: exposureOfRoles(service, element, [role], reach, { events: shared, isUngranted }),
      } satisfies Match
    }
  },

  text: () => ({
    en: {
      title: 'Instance condition missing for a limited role',
      message:
        '{entity} grants {events:and} on all rows to {role}, although {limited:and} limits the same role to some of the same rows with where.',
      why: 'Users with this role read or change rows that the other entity keeps from them, such as those of another branch or department, with a request to this one.',
      fix: 'Add the same condition here: repeat the where of {limited:and} in this privilege. Or move the privilege to a role that may access all rows.',
      variants: {
        sibling: {
          message:
            '{entity} grants {events:and} on all rows to {role}, although other users get their own rows only, and {limited:and} limits this role with where.',
          why: 'Users with this role read or change rows of other departments, branches or people: the condition is missing at this privilege alone.',
          fix: 'Add a where condition to this privilege that leads to the same element as that of {limited:and}. Or move the privilege to a role that may access all rows.',
        },
        service: {
          message:
            '{entity} has no @restrict, so its service lets {role} access all rows ({events:and}), although {limited:and} limits the same role to some of them with where.',
          fix: 'Add @restrict to {entity} and repeat the where of {limited:and} there. Or remove the entity from the service if its callers do not need it.',
        },
        part: {
          title: 'Instance condition missing for a part of limited rows',
          message:
            '{entity} grants {events:and} on all rows to {users}, although its rows are parts of {whole}, which limits the same users to their own rows with where.',
          why: 'CAP checks the entity that a request addresses: users read or change the parts of the rows of others with a request to the part itself.',
          fix: 'Add where: ({condition}) to this privilege. Or remove {entity} from the service: its rows can still be read through {whole}.',
        },
        create: {
          title: 'Instance condition missing for a part of limited rows',
          message:
            '{entity} grants CREATE to {users}, although its rows are parts of {whole}, which limits the same users to their own rows, and no handler checks whose row gets the new part.',
          why: 'A user adds parts to the rows of others by their keys, past what the project checks where the whole is created.',
          fix: "Check in srv.before('CREATE', '{part}', …) whose row the part is for, and reject it with 403 otherwise. Or remove CREATE from this privilege: parts can be created together with {whole}.",
        },
        changes: {
          title: 'Instance condition missing for changes',
          message:
            '{entity} grants {events:and} on all rows to {users}, although the same list lets these users read their own rows alone (where: {condition}).',
          why: 'CAP checks each event by the privileges that grant it: a user who sends the key of another user’s row changes or deletes it without reading it.',
          fix: "Add where: ({condition}) to this privilege. Or compare {owner} with the user in srv.before(['UPDATE', 'DELETE'], '{part}', …), and reject the request with 403.",
        },
        filtered: {
          title: 'Instance condition missing for changes',
          message:
            '{entity} grants {events:and} on all rows to {users}, although a handler in {file} limits what the same users read to their own rows ({owner}).',
          why: 'CAP calls a handler for READ where clients read alone: a user who sends the key of another user’s row changes or deletes it.',
          fix: "Add where: ({owner} = $user) to this privilege, or the condition that the handler adds. Or compare {owner} with the user in srv.before(['UPDATE', 'DELETE'], '{part}', …), and reject the request with 403.",
        },
        ...UNSAID_WORDS.en,
        operation: ASKED_WORDS.en,
        disabled: {
          title: 'Instance condition of a privilege commented out',
          message:
            '{entity} grants {events:and} on all rows to {users}: the condition "{condition}" of this privilege is commented out.',
          why: 'The model was meant to limit these users to their own rows. With the condition commented out, they read or change the rows of all others with plain requests.',
          fix: 'Activate where again in this privilege before deployment, and give mocked users the attributes that it needs for tests. Delete the comment if the users may access all rows.',
        },
      },
    },
    fr: {
      title: 'Condition d’instance manquante pour un rôle limité',
      message:
        '{entity} accorde {events:et} sur toutes les lignes à {role}, alors que {limited:et} limite le même rôle à certaines de ces lignes par where.',
      why: 'Les utilisateurs dotés de ce rôle lisent ou modifient, par une requête sur cette entité, des lignes que l’autre leur refuse, par exemple celles d’une autre agence ou d’un autre service.',
      fix: 'Ajoutez ici la même condition : reprenez le where de {limited:et} dans ce privilège. Ou accordez ce privilège à un rôle autorisé à accéder à toutes les lignes.',
      variants: {
        sibling: {
          message:
            '{entity} accorde {events:et} sur toutes les lignes à {role}, alors que d’autres utilisateurs n’obtiennent que leurs propres lignes et que {limited:et} limite ce rôle par where.',
          why: 'Les utilisateurs dotés de ce rôle lisent ou modifient des lignes d’autres services, agences ou personnes : la condition ne manque qu’à ce privilège.',
          fix: 'Ajoutez à ce privilège une condition where menant au même élément que celle de {limited:et}. Ou accordez ce privilège à un rôle autorisé à accéder à toutes les lignes.',
        },
        service: {
          message:
            '{entity} n’a pas de @restrict : son service ouvre donc toutes les lignes au rôle {role} ({events:et}), alors que {limited:et} limite le même rôle à certaines d’entre elles par where.',
          fix: 'Ajoutez @restrict à {entity} en y reprenant le where de {limited:et}. Ou retirez l’entité du service si ses appelants n’en ont pas besoin.',
        },
        part: {
          title: 'Condition d’instance manquante pour une partie de lignes limitées',
          message:
            '{entity} accorde {events:et} sur toutes les lignes aux appelants suivants, {users}, alors qu’elles sont des parties de {whole}, qui limite les mêmes utilisateurs à leurs propres lignes par where.',
          why: 'CAP vérifie l’entité visée par la requête : les utilisateurs lisent ou modifient les parties de lignes d’autrui par une requête sur la partie elle-même.',
          fix: 'Ajoutez where: ({condition}) à ce privilège. Ou retirez {entity} du service : ses lignes restent lisibles par {whole}.',
        },
        create: {
          title: 'Condition d’instance manquante pour une partie de lignes limitées',
          message:
            '{entity} accorde CREATE aux appelants suivants, {users}, alors que ses lignes sont des parties de {whole}, qui limite les mêmes utilisateurs à leurs propres lignes, et aucun gestionnaire ne vérifie à quelle ligne la nouvelle partie est ajoutée.',
          why: 'Un utilisateur ajoute des parties aux lignes d’autrui à l’aide de leurs clés, sans passer par ce que le projet vérifie à la création de l’ensemble.',
          fix: "Vérifiez dans srv.before('CREATE', '{part}', …) à qui appartient la ligne, et refusez sinon avec 403. Ou retirez CREATE de ce privilège : les parties peuvent être créées avec {whole}.",
        },
        changes: {
          title: 'Condition d’instance manquante pour les modifications',
          message:
            '{entity} accorde {events:et} sur toutes les lignes à {users}, alors que la même liste ne leur laisse lire que leurs propres lignes (where: {condition}).',
          why: 'CAP contrôle chaque événement d’après les privilèges qui l’accordent : un utilisateur qui envoie la clé de la ligne d’un autre la modifie ou la supprime sans la lire.',
          fix: "Ajoutez where: ({condition}) à ce privilège. Ou comparez {owner} à l’utilisateur dans srv.before(['UPDATE', 'DELETE'], '{part}', …), et rejetez la requête (403).",
        },
        filtered: {
          title: 'Condition d’instance manquante pour les modifications',
          message:
            '{entity} accorde {events:et} sur toutes les lignes à {users}, alors qu’un gestionnaire de {file} limite à leurs propres lignes ({owner}) ce que ces utilisateurs lisent.',
          why: 'CAP n’appelle un gestionnaire de READ que pour les lectures : un utilisateur qui envoie la clé de la ligne d’un autre la modifie ou la supprime.',
          fix: "Ajoutez where: ({owner} = $user) à ce privilège, ou la condition que le gestionnaire ajoute. Ou comparez {owner} à l’utilisateur dans srv.before(['UPDATE', 'DELETE'], '{part}', …), et rejetez la requête (403).",
        },
        ...UNSAID_WORDS.fr,
        operation: ASKED_WORDS.fr,
        disabled: {
          title: 'Condition d’instance d’un privilège en commentaire',
          message:
            '{entity} accorde {events:et} sur toutes les lignes aux appelants suivants, {users} : la condition "{condition}" de ce privilège est en commentaire.',
          why: 'Le modèle devait limiter ces utilisateurs à leurs propres lignes. La condition étant en commentaire, ils lisent ou modifient celles de tous les autres par de simples requêtes.',
          fix: 'Réactivez where dans ce privilège avant le déploiement, et donnez aux utilisateurs fictifs les attributs qu’il exige pour les tests. Supprimez le commentaire si ces utilisateurs ont droit à toutes les lignes.',
        },
      },
    },
  }),
})

/** Entities that say nothing themselves: one that handlers limit where it is read, or where an operation changes it. */
function* writesBeside(root: CapRoot, project: Project): Generator<Match> {
  const limited = [...unlimitedWrites(root, project)]
  yield* limited
  const told = new Set(limited.map(({ args }) => args?.['entity']))
  for (const match of askedWrites(root, project)) if (!told.has(match.args?.['entity'])) yield match
}

const EVENTS = ['READ', 'UPDATE', 'DELETE'] as const
type InstanceEvent = (typeof EVENTS)[number]

/** What one role may do with the rows of one entity of a service. */
interface Grant {
  readonly service: CapService
  readonly element: CapElement
  /** The entity below all projections. */
  readonly source: string
  readonly role: string
  readonly events: readonly InstanceEvent[]
  /** A condition about the user limits the rows. */
  readonly isLimited: boolean
  /** Undefined: `@requires` says so. */
  readonly privilege: Privilege | undefined
  /** The entity says nothing itself. */
  readonly isOfService: boolean
  readonly place: Place
}

function grantsOf(root: CapRoot): readonly Grant[] {
  return servedServices(root).flatMap((service) =>
    service.elements.flatMap((element): Grant[] => {
      root.step()
      if (element.kind !== 'entity' || !isPlain(element) || element.access?.kind === 'none') return []
      const base = { service, element, source: sourceNameOf(element) }
      const annotation = element.annotations.get('restrict')
      const required = wordsOf(element.annotations.get('requires')?.value)
      const isOfService = element.access === undefined && service.access.kind === 'roles'
      if (annotation === undefined)
        return (isOfService ? service.access.roles : required)
          .filter((role) => !PSEUDO_ROLES.has(role))
          .map((role) => ({
            ...base,
            role,
            isOfService,
            events: element.writable ? EVENTS : (['READ'] as const),
            isLimited: false,
            privilege: undefined,
            place: element.access?.place ?? element.place,
          }))
      if (required.length > 0) return []
      return privilegesOf(annotation.value).flatMap((privilege) => {
        const events = EVENTS.filter((event) => grantsEvent(privilege, event))
        const isLimited = limitsToUser(privilege)
        if (events.length === 0 || (privilege.where !== undefined && !isLimited)) return []
        const place = placeIn(annotation, privilege.record)
        const roles = (privilege.to ?? []).filter((role) => !PSEUDO_ROLES.has(role))
        return roles.map((role) => ({ ...base, role, events, isLimited, privilege, isOfService: false, place }))
      })
    }),
  )
}

/** The same rows in another service: in one service, two projections are two views on purpose. */
function isSame(other: Grant, grant: Grant): boolean {
  return other.source === grant.source && other.service !== grant.service
}

/** Both services are for the users of the same roles: there is nobody for whom one of them would be meant with all rows. */
function hasSameUsers({ service }: Grant, { service: { access } }: Grant): boolean {
  return service.access.roles.toSorted().join(' ') === access.roles.toSorted().join(' ')
}

/** An operator of a branch is no administrator of all. */
function isTrusted(role: string): boolean {
  return isAdministrative(role) && !/operator|maintain|steward/i.test(role)
}

/** Who may not see a row may not change it either. */
function holdsBack(other: Grant, events: readonly InstanceEvent[]): boolean {
  return sharesEvent(other, events) || (other.events.includes('READ') && events.length > 0)
}

function sharesEvent(other: Grant, events: readonly InstanceEvent[]): boolean {
  return other.events.some((event) => events.includes(event))
}

/** The same list limits ordinary users to their own rows, so that these belong to somebody; between a clerk and a manager there may be a reason. */
function isForPersons({ element, privilege }: Grant): boolean {
  const privileges = privilegesOf(element.annotations.get('restrict')?.value)
  return (
    privilege !== undefined &&
    privileges.some((other) => other !== privilege && limitsToUser(other) && other.to?.some(isOrdinary) !== false)
  )
}

/** Another entity of the service limits the same role. */
function isBeside(other: Grant, grant: Grant, events: readonly InstanceEvent[]): boolean {
  return other.service === grant.service && other.source !== grant.source && sharesEvent(other, events)
}
