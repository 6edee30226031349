import { AUTHENTICATED_ROLES, privilegesOf, PSEUDO_ROLES, servedServices, type CapRoot } from '../../model/cap/index.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { askedOwners } from './_asked-owners.ts'
import { helperQueries, helperQueryExtracts } from './_helper-queries.ts'
import { ownedEntities, partsOf } from './_owned-entities.ts'
import { callerCheckExtracts, handlerRegistrations } from './_caller-checks.ts'
import { ownedQueries, type OwnedQuery } from './_owned-queries.ts'
import { rowFilters } from './_row-filters.ts'

const PART_FIX = {
  en: 'Before the query, load the row of {root} that it belongs to, and reject the request unless its {owner} is req.user.id.',
  fr: 'Avant la requête, chargez la ligne de {root} dont dépend la ligne, et rejetez la requête si son {owner} n’est pas req.user.id.',
}

/**
 * A handler that changes or gives back the row that the client names, although the project treats the rows of this entity as those of one user each.
 * Facts: capire, "Authorization": @restrict applies to what clients ask a service for, not to the queries of its handlers; OWASP API Security Top 10 2023, API1.
 * Impact: any caller of the action changes the rows of other users; of a service without a login little more than its operations change anyway.
 */
export const missingOwnershipCheck: Rule = defineRule({
  id: 'cap/missing-ownership-check',
  impact: 'data',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#instance-based-auth',
  on: 'cap-root',
  extracts: [ownedQueries, askedOwners, rowFilters, ...helperQueryExtracts, ...callerCheckExtracts],

  *check(root, { reach }) {
    if (root.test) return
    const queries = [...root.scripts.get(ownedQueries), ...helperQueries(root)]
    if (queries.every(({ value }) => value.kind === 'own')) return
    const owned = ownersOf(root)
    for (const { value } of queries)
      if (value.kind === 'own') {
        const known = owned.get(value.entity)
        const readBy = known?.readBy ?? (value.isRead ? 'code' : undefined)
        owned.set(value.entity, { ...known, owner: value.column, ...(readBy !== undefined && { readBy }) })
      }
    for (const { value } of root.scripts.get(askedOwners)) {
      const known = owned.get(value.entity)
      const readBy = known?.readBy ?? (value.isRead ? 'code' : undefined)
      owned.set(value.entity, { owner: value.column, ...known, ...(readBy !== undefined && { readBy }) })
    }
    const rowsOf = (file: string, { around, entity }: OwnedQuery): string => `${file} ${around} ${entity}`
    const changed = new Set(queries.flatMap(({ file, value }) => (CHANGES.has(value.kind) ? [rowsOf(file, value)] : [])))
    const isCheckedBefore = root.scripts.get(handlerRegistrations).some(({ value }) => isForAll(value))
    for (const { file, value } of queries) {
      root.step()
      const found = owned.get(value.entity)
      if (value.kind === 'own' || found === undefined) continue
      const { owner, part, readBy } = found
      // that callers name the user is another fault, reported by a rule of its own
      if (USER.test(value.client) && /user/i.test(value.column)) continue
      const isRead = value.kind === 'read'
      const isAdded = value.kind === 'insert'
      if (isAdded && part?.composition !== true) continue
      if (isRead && readBy === undefined) continue
      // that a function reads the row which it changes is the same fault
      if (isRead && changed.has(rowsOf(file, value))) continue
      // what is read through a projection with the condition belongs to the user
      if (value.via.some((name) => owned.get(name)?.isFilter === true)) continue
      if (value.action !== undefined && (part !== undefined || !isGrantedForAll(root, value.entity, value.action))) continue
      // CAP has asked for the owner of what the handler was called for
      if ((value.isDerived || part !== undefined) && value.handled.some((name) => owned.has(name))) continue
      const at = { file, span: { start: value.start, end: value.end } }
      const { reach: caller } = reach.at(at)
      if (isForOthers(found, callersOf(root, file, value))) continue
      // administrators change what belongs to others
      if (caller === 'privileged') continue
      yield {
        at,
        args: { entity: value.entity, column: value.column, value: value.client, owner, root: part?.of ?? value.entity },
        // that callers need no login is the fault, and a finding of the service
        ...(caller === 'anyone' && { impact: 'bounded' as const }),
        ...((isCheckedBefore ||
          isAdded ||
          value.isPassed === true ||
          part?.composition === false ||
          (isRead && readBy === 'code')) && {
          evidence: 'assumed' as const,
        }),
        ...variantOfCases(
          part !== undefined && 'part',
          value.kind === 'delete' && 'deletes',
          isRead && 'reads',
          isAdded && 'adds',
        ),
        // one look at the owner is enough for all that a function does with the rows
        groupKey: `${rowsOf(file, value)} ${value.kind}`,
      }
    }
  },

  text: {
    en: {
      title: 'Missing ownership check on a row chosen by the client',
      message:
        'This statement changes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: 'A user can send the key of another user’s row and change it: @restrict does not apply to queries that a handler runs.',
      fix: 'Add the owner to the condition, for example .where({ {column}: {value}, {owner}: req.user.id }), and reject the request if no row is affected. Or load the row first and compare its owner with req.user.',
      variants: {
        reads: {
          message:
            'This statement returns rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can send the key of another user’s row and read it: @restrict does not apply to queries that a handler runs.',
          fix: 'Add the owner to the condition, for example .where({ {column}: {value}, {owner}: req.user.id }). Or compare the owner of the row that was read with req.user, and reject the request if they differ.',
        },
        'part-reads': {
          message:
            'This statement returns rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and read it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        part: {
          message:
            'This statement changes rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          fix: PART_FIX.en,
        },
        'part-adds': {
          message:
            'This statement adds a row of {entity} with {value} from the request; such rows belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and add data to it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        'part-deletes': {
          message:
            'This statement deletes rows of {entity} by {value} from the request; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
          why: 'A user can send the key of another user’s row and delete it: @restrict does not apply to queries that a handler runs.',
          fix: PART_FIX.en,
        },
        deletes: {
          message:
            'This statement deletes rows of {entity} by {value} from the request; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
          why: 'A user can send the key of another user’s row and delete it: @restrict does not apply to queries that a handler runs.',
        },
      },
    },
    fr: {
      title: 'Absence de contrôle de propriété sur une ligne choisie par le client',
      message:
        'Cette instruction modifie des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la modifier : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
      fix: 'Ajoutez le propriétaire à la condition, par exemple .where({ {column}: {value}, {owner}: req.user.id }), et rejetez la requête si aucune ligne n’est touchée. Ou lisez d’abord la ligne et comparez son propriétaire à req.user.',
      variants: {
        reads: {
          message:
            'Cette instruction renvoie des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la lire : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: 'Ajoutez le propriétaire à la condition, par exemple .where({ {column}: {value}, {owner}: req.user.id }). Ou comparez le propriétaire de la ligne lue à req.user, et rejetez la requête s’ils diffèrent.',
        },
        'part-reads': {
          message:
            'Cette instruction renvoie des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la lire : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        part: {
          message:
            'Cette instruction modifie des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          fix: PART_FIX.fr,
        },
        'part-adds': {
          message:
            'Cette instruction ajoute une ligne de {entity} avec {value}, fourni par le client ; ces lignes dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et y ajouter des données : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        'part-deletes': {
          message:
            'Cette instruction supprime des lignes de {entity} d’après {value}, fourni par le client ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la supprimer : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
          fix: PART_FIX.fr,
        },
        deletes: {
          message:
            'Cette instruction supprime des lignes de {entity} d’après {value}, fourni par le client ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
          why: 'Un utilisateur peut envoyer la clé de la ligne d’un autre utilisateur et la supprimer : @restrict ne s’applique pas aux requêtes qu’un gestionnaire exécute.',
        },
      },
    },
  },
})

/** What the client sends, by a name for the user. */
const USER = /\.user_?(?:id|name)?$/i

/** What leaves other rows behind. */
const CHANGES: ReadonlySet<OwnedQuery['kind']> = new Set<OwnedQuery['kind']>(['update', 'delete'])

/** Whose rows are those of an entity. */
interface Owner {
  readonly owner: string
  /** The roles that are limited to these rows; empty: every user, or nobody can tell. */
  readonly roles?: readonly string[]
  /** What limits reading to the rows of the user: the model, or a query of a handler alone. */
  readonly readBy?: 'model' | 'code'
  /** A projection that shows the rows of the user alone. */
  readonly isFilter?: boolean
  /** What it is a part of, and whether a composition says so. */
  readonly part?: { readonly of: string; readonly composition: boolean }
}

/** Entities that give users their own rows alone, and what belongs to these rows, by the last part of their names and of what they project on. */
function ownersOf(root: CapRoot): Map<string, Owner> {
  const found = new Map<string, Owner>()
  const owned = ownedEntities(root)
  const add = (qualified: string, owner: Owner): void => {
    for (const name of new Set([qualified, ...root.projected(qualified)])) {
      const last = name.slice(name.lastIndexOf('.') + 1)
      if (owner.part === undefined || !found.has(last)) found.set(last, owner)
    }
  }
  for (const { element, owner, reads, byQuery, roles, filter } of owned) {
    add(element.qualified, { owner, roles, ...(reads && { readBy: filter === undefined ? 'model' : 'code' }) })
    if (byQuery) found.set(element.name, { owner, isFilter: true })
  }
  for (const one of owned) {
    for (const [source, { composition }] of partsOf(one, root)) {
      const owner: Owner = {
        owner: one.owner,
        part: { of: one.element.name, composition },
        ...(one.reads && { readBy: one.filter === undefined ? 'model' : 'code' }),
      }
      add(source, owner)
      for (const { elements } of root.services)
        for (const { kind, qualified, source: below } of elements)
          if (kind === 'entity' && below?.name === source) add(qualified, owner)
    }
  }
  return found
}

/** The roles that an operation asks for, where the model tells. */
function callersOf(root: CapRoot, file: string, { event }: OwnedQuery): readonly string[] {
  if (event === undefined) return []
  const { names, service, isConnected } = event
  const { services, isCertain } = root.eventOf({ file, service, isConnected, events: names, entities: undefined })
  if (!isCertain) return []
  return services.flatMap(({ elements, access }) =>
    elements.flatMap(({ kind, name, access: own = access }) =>
      kind !== 'entity' && names.includes(name.slice(name.lastIndexOf('.') + 1)) ? own.roles : [],
    ),
  )
}

/** Those who are limited to their own rows, clerks of one branch, are others than those who call the operation, such as customers of all. */
function isForOthers({ roles = [] }: Owner, callers: readonly string[]): boolean {
  return roles.length > 0 && callers.length > 0 && callers.every((role) => !roles.includes(role) && !PSEUDO_ROLES.has(role))
}

/**
 * Every user has the action for all rows, although other events are limited to those of the user.
 * Fact: capire, "Authorization", "Restrict": bound actions are subject to the privileges that grant them, with their `where`.
 */
function isGrantedForAll(root: CapRoot, entity: string, action: string): boolean {
  return servedServices(root).some(({ elements, access }) =>
    elements.some(({ kind, name, annotations }) => {
      const privileges = kind === 'entity' && name === entity ? privilegesOf(annotations.get('restrict')?.value) : []
      const granting = privileges.filter(({ grants, where }) => grants.includes(action) && where === undefined)
      return (
        access.kind !== 'none' &&
        granting.some(({ to }) => to === undefined || to.some((role) => AUTHENTICATED_ROLES.has(role) || role === 'any'))
      )
    }),
  )
}

/** A handler that runs before every event may check it. */
function isForAll({
  phase,
  events,
  entities,
}: {
  phase: string
  events: readonly (string | undefined)[]
  entities: unknown
}): boolean {
  return phase === 'before' && entities === undefined && events.some((name) => name === undefined || name === '*')
}
