import { isTrue, servedServices, type CapElement, type CapRoot, type CapService, sourceNameOf } from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { usersWith, worstAtPlaces } from './_matches.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { openEntities } from './_model/open-entities.ts'
import { openEntityExtracts } from './_model/open-entity-extracts.ts'
import { servedQueries, TEAM_WORDS, teamActions } from './_model/team-actions.ts'
import { unhandledCopies } from './_model/unhandled-copies.ts'
import { helperQueryExtracts } from './_handlers/delegated-queries.ts'
import { CHANGES, grantedParts } from './_rows/granted-parts.ts'
import { isPlain, ownedEntities, partsOf, type OwnedEntity, type OwnedPart } from './_rows/owned-entities.ts'
import { ownedQueries } from './_rows/owned-queries.ts'
import { isOwnedByPerson } from './_rows/person-rows.ts'
import { operationsWithRows, returnedRows } from './_rows/returned-rows.ts'
import { rowFilters } from './_rows/row-filters.ts'
import { entityHandlers } from './_handlers/write-handlers.ts'
import { mayBeLimitedInCode, userHandlers } from './_handlers/user-handlers.ts'

/**
 * Rows that one entity gives to their owners alone, while another entity gives them, or what belongs to them, to every user.
 * Facts: capire, "Authorization": a restriction holds for the entity that a request names; entities that are composed or associated, and other projections of
 * the same rows, have restrictions of their own ("Limitations"). "Drafts": active rows of composed entities are changed through their root alone.
 * Impact: every user reads or changes rows of others; that what is associated belongs to the same owner is assumed.
 */
export const instanceRestrictionBypassed: Rule = defineRule({
  id: 'cap/instance-restriction-bypassed',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#limitations',
  on: 'cap-root',
  yieldsTo: ['cap/writable-authorization-entity'],
  extracts: [
    userHandlers,
    entityHandlers,
    rowFilters,
    returnedRows,
    ownedQueries,
    servedQueries,
    ...helperQueryExtracts,
    ...callerCheckExtracts,
    ...openEntityExtracts,
  ],

  *check(root, project) {
    if (root.test) return
    const { reach } = project
    const all = ownedEntities(root)
    // what a handler limits by itself
    const filtered = new Set(all.flatMap(({ element, filter }) => (filter === undefined ? [] : element)))
    let open: ReadonlyMap<CapElement, Writing> | undefined
    const writingOf = (element: CapElement): Writing | undefined =>
      (open ??= new Map(
        [...openEntities(root, project)].map((one) => [one.element, one.reason.isAssumed ? 'assumed' : 'shown']),
      )).get(element)
    yield* worstAtPlaces(all.flatMap((owned) => [...waysTo(owned, { filtered, writingOf }, root, reach)]))
    yield* operationsWithRows(all, root, reach)
    yield* waysByGrants(root, reach)
    yield* unhandledCopies(root, reach)
    yield* teamActions(root, reach)
  },

  text: () => ({
    en: {
      title: 'Instance-based restriction bypassed by another entity',
      message:
        'Users of {service} can access all rows of {entity}, although they belong to rows of {root}, which are limited to those of the user ({owner}).',
      why: 'CAP checks the restrictions of the entity that a request names: a user reads or changes data of other users with a request to {entity} instead of {root}.',
      fix: 'Annotate {entity} with a @restrict that asks for the owner through the association to {root}, or remove it from {service}: CAP then exposes compositions through their root alone.',
      variants: {
        team: TEAM_WORDS.en,
        associated: {
          fix: "Annotate {entity} with a @restrict that asks for the owner through its association, for example { grant: ['READ', 'UPDATE', 'DELETE'], where: (<association>.{owner} = $user) }, and check the owner in a handler before CREATE.",
        },
        same: {
          message:
            'Users of {service} can access all rows of {entity}, although {root} limits the same rows to those of the user ({owner}).',
          fix: 'Annotate {entity} with the condition of {root}, where: ({owner} = $user), or with @requires and a role that may access the rows of all users.',
        },
        filtered: {
          message:
            'Users of {service} can access all rows of {entity}, although they belong to rows of {root}, which a handler limits to those of the caller ({owner}).',
          why: 'CAP calls the handlers of the entity that a request names: a user reads or changes data of other users with a request to {entity} instead of {root}.',
          fix: 'Register a handler for {entity} too that adds the condition by way of the association to {root}, or annotate {entity} with @requires and a role that may access the rows of all users.',
        },
        'same-filtered': {
          message:
            'Users of {service} can access all rows of {entity}, although a handler limits the same rows to those of the caller ({owner}) where they are read as {root}.',
          why: 'CAP calls the handlers of the entity that a request names: a user reads or changes data of other users with a request to {entity} instead of {root}.',
          fix: 'Register the handler that limits {root} for {entity} too, or annotate {entity} with @requires and a role that may access the rows of all users.',
        },
        unhandled: {
          title: 'Check of a handler bypassed by another service',
          message:
            '{entity} projects on {root} and takes writes of the same users, but the handler that checks the user there before it accepts a row does not run for {service}.',
          why: 'CAP calls the handlers of the service that a request names: a user writes rows that the handler rejects, such as rows of other users, with a request to {entity}.',
          fix: 'Register the handler for {service} too, or annotate {entity} with @readonly if it is there for reading.',
        },
        granted: {
          title: 'Instance-based restriction missing on dependent rows',
          message:
            '@restrict lets {users} change their own rows of {root} only ({owner}), but all rows of {entity}, which belong to these: its grant has no condition.',
          why: 'CAP checks the restrictions of the entity that a request names: a user with this role changes or deletes what belongs to rows of others with a request to {entity}.',
          fix: 'Add the condition of {root} to the grant of {entity}, by way of its association, for example where: (<association>.{owner} = $user), and check the owner in a handler before CREATE.',
        },
        operation: {
          title: 'Instance-based restriction bypassed by an operation',
          message:
            'The operation {entity} returns rows of {root} without a condition on the user, although {root} is limited to those of the user ({owner}).',
          why: '@restrict does not apply to queries that a handler runs: users of {service} read rows of other users with a call of the operation.',
          fix: 'Add the owner to the condition of the query, for example .where({ {owner}: req.user.id }). Or annotate the operation with @requires and a role that may access the rows of all users.',
        },
      },
    },
    fr: {
      title: 'Restriction par instance contournée par une autre entité',
      message:
        'Les utilisateurs de {service} peuvent accéder à toutes les lignes de {entity}, alors qu’elles dépendent de lignes de {root}, limitées à celles de l’utilisateur ({owner}).',
      why: 'CAP vérifie les restrictions de l’entité que la requête désigne : un utilisateur lit ou modifie les données d’autres utilisateurs par une requête sur {entity} au lieu de {root}.',
      fix: 'Annotez {entity} avec un @restrict qui exige le propriétaire par l’association vers {root}, ou retirez-la de {service} : CAP n’expose alors les compositions que par leur racine.',
      variants: {
        team: TEAM_WORDS.fr,
        associated: {
          fix: "Annotez {entity} avec un @restrict qui exige le propriétaire par son association, par exemple { grant: ['READ', 'UPDATE', 'DELETE'], where: (<association>.{owner} = $user) }, et vérifiez le propriétaire dans un gestionnaire avant CREATE.",
        },
        same: {
          message:
            'Les utilisateurs de {service} peuvent accéder à toutes les lignes de {entity}, alors que {root} limite les mêmes lignes à celles de l’utilisateur ({owner}).',
          fix: 'Annotez {entity} avec la condition de {root}, where: ({owner} = $user), ou avec @requires et un rôle autorisé à accéder aux lignes de tous les utilisateurs.',
        },
        filtered: {
          message:
            'Les utilisateurs de {service} peuvent accéder à toutes les lignes de {entity}, alors qu’elles dépendent de lignes de {root}, qu’un gestionnaire limite à celles de l’appelant ({owner}).',
          why: 'CAP appelle les gestionnaires de l’entité que la requête désigne : un utilisateur lit ou modifie les données d’autres utilisateurs par une requête sur {entity} au lieu de {root}.',
          fix: 'Déclarez aussi pour {entity} un gestionnaire qui ajoute la condition par l’association vers {root}, ou annotez {entity} avec @requires et un rôle autorisé à accéder aux lignes de tous les utilisateurs.',
        },
        'same-filtered': {
          message:
            'Les utilisateurs de {service} peuvent accéder à toutes les lignes de {entity}, alors qu’un gestionnaire limite les mêmes lignes à celles de l’appelant ({owner}) lorsqu’elles sont lues par {root}.',
          why: 'CAP appelle les gestionnaires de l’entité que la requête désigne : un utilisateur lit ou modifie les données d’autres utilisateurs par une requête sur {entity} au lieu de {root}.',
          fix: 'Déclarez aussi pour {entity} le gestionnaire qui limite {root}, ou annotez {entity} avec @requires et un rôle autorisé à accéder aux lignes de tous les utilisateurs.',
        },
        unhandled: {
          title: 'Contrôle d’un gestionnaire contourné par un autre service',
          message:
            '{entity} est une projection de {root} que les mêmes utilisateurs modifient, mais le gestionnaire qui y contrôle l’utilisateur avant d’accepter une ligne ne s’exécute pas pour {service}.',
          why: 'CAP appelle les gestionnaires du service que nomme une requête : avec une requête à {entity}, un utilisateur écrit des lignes que le gestionnaire rejette, par exemple celles d’autres utilisateurs.',
          fix: 'Enregistrez aussi le gestionnaire pour {service}, ou annotez {entity} avec @readonly si elle ne sert qu’à la lecture.',
        },
        granted: {
          title: 'Restriction par instance absente des lignes dépendantes',
          message:
            '@restrict ne laisse {users} modifier que leurs propres lignes de {root} ({owner}), mais toutes les lignes de {entity}, qui en dépendent : ce droit n’a pas de condition.',
          why: 'CAP vérifie les restrictions de l’entité que la requête désigne : un utilisateur doté de ce rôle modifie ou supprime ce qui dépend des lignes d’autrui par une requête sur {entity}.',
          fix: 'Ajoutez au droit sur {entity} la condition de {root}, par son association, par exemple where: (<association>.{owner} = $user), et vérifiez le propriétaire dans un gestionnaire avant CREATE.',
        },
        operation: {
          title: 'Restriction par instance contournée par une opération',
          message:
            'L’opération {entity} renvoie des lignes de {root} sans condition sur l’utilisateur, alors que {root} est limitée à celles de l’utilisateur ({owner}).',
          why: '@restrict ne s’applique pas aux requêtes qu’exécute un gestionnaire : les utilisateurs de {service} lisent les lignes d’autres utilisateurs par un appel de l’opération.',
          fix: 'Ajoutez le propriétaire à la condition de la requête, par exemple .where({ {owner}: req.user.id }). Ou annotez l’opération avec @requires et un rôle autorisé à accéder aux lignes de tous les utilisateurs.',
        },
      },
    },
  }),
})

/** How sure it is that all users who may write an entity should not. */
type Writing = 'shown' | 'assumed'

interface Others {
  readonly filtered: ReadonlySet<CapElement>
  /** Of what all users write: undefined for others. */
  readonly writingOf: (element: CapElement) => Writing | undefined
}

function* waysTo(owned: OwnedEntity, { filtered, writingOf }: Others, root: CapRoot, reach: ReachModel): Generator<Match> {
  const { element: restricted, service: home, owner, reads, writes, roles, filter } = owned
  // what a handler leaves out for a page is not whose row it is
  const isUnsure = filter !== undefined && owned.isAnswered !== true && !isOwnedByPerson(restricted, owner, root)
  if (!reads && !writes) return
  const exposure = reach.ofElement(home, restricted)
  // an administrator's own rows are a matter among administrators, unless their role is limited to them
  if (exposure.reach === 'nobody' || (exposure.reach === 'privileged' && roles.length === 0)) return
  const parts = partsOf(owned, root)
  const source = sourceNameOf(restricted)
  const isDraft = isTrue(restricted.annotations.get('odata.draft.enabled')?.value)
  for (const service of servedServices(root)) {
    // without an annotation the service as a whole is reported; users with a role of another service may be meant to see all
    if (service.access.kind !== 'authenticated' && (service.access.kind !== 'roles' || service !== home)) continue
    for (const element of service.elements) {
      root.step()
      const name = sourceNameOf(element)
      const isSame = name === source
      const part = parts.get(name)
      if (element.kind !== 'entity' || element === restricted || (part === undefined && !isSame)) continue
      if (filtered.has(element) || !isOpen(element, service) || !isPlain(element) || (isSame && owned.byQuery)) continue
      const isWritten = element.writable && !(isDraft && part?.composition === true && service === home)
      if (!(reads || (writes && isWritten)) || mayBeLimitedInCode(root, service, element)) continue
      const caller = reach.ofElement(service, element)
      const admitted = (element.access ?? service.access).roles
      const isLimitedRole = service === home && roles.some((role) => admitted.includes(role))
      if (caller.reach !== 'user' && !(caller.reach === 'privileged' && isLimitedRole)) continue
      // the restriction of what stands beside it says more than one that is two associations away
      if (part?.isFar === true && writingOf(element) !== undefined) continue
      // whoever changes the rows of all needs no way around what a page shows
      const isUnseen = isUnsure || (isSame ? filter !== undefined : part?.composition !== true)
      const isShown = isSame && isWritten && writingOf(element) === 'shown'
      const limited = `${home.name}.${restricted.name}`
      const variant = variantOf(owned, part, isSame)
      yield {
        at: element.place,
        args: { entity: `${service.name}.${element.name}`, root: limited, owner, service: service.name },
        exposure: caller,
        ...(variant !== undefined && { variant }),
        // what is associated may be of others, a handler may filter for its page alone, and CAP Java checks associations
        ...((root.runtime === 'java' || (isUnseen && !isShown)) && { evidence: 'assumed' as const }),
        groupKey: `${element.place.file} ${service.name} ${limited} ${variant ?? ''}`,
      }
    }
  }
}

/** Roles that may change their own rows of the whole, and by another `@restrict` all that belongs to it. */
function* waysByGrants(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { service, element, whole, owner, roles, at, belonging } of grantedParts(root)) {
    const exposure = exposureOfRoles(service, element, roles, reach, { events: CHANGES })
    if ((exposure.reach !== 'user' && exposure.reach !== 'privileged') || mayBeLimitedInCode(root, service, element)) continue
    yield {
      at,
      args: {
        entity: `${service.name}.${element.name}`,
        root: `${service.name}.${whole.name}`,
        owner,
        service: service.name,
        users: usersWith(roles),
      },
      variant: 'granted',
      exposure,
      // what is associated alone may be work that all share, and CAP Java checks associations
      ...(belonging === 'associated'
        ? { evidence: 'guessed' as const }
        : (belonging === 'mine' || root.runtime === 'java') && { evidence: 'assumed' as const }),
      groupKey: `${at.file} ${service.name} ${whole.name} granted${belonging === 'owned' ? '' : ` ${belonging}`}`,
    }
  }
}

function variantOf({ filter }: OwnedEntity, part: OwnedPart<OwnedEntity> | undefined, isSame: boolean): string | undefined {
  if (filter !== undefined) return isSame ? 'same-filtered' : 'filtered'
  return isSame ? 'same' : part?.composition === true ? undefined : 'associated'
}

/** Nothing but a login stands in front of it. */
function isOpen({ annotations, access }: CapElement, service: CapService): boolean {
  const { kind } = access ?? service.access
  return (kind === 'authenticated' || kind === 'roles') && !annotations.has('restrict') && !annotations.has('requires')
}
