import {
  privilegesOf,
  roleChecks,
  servedServices,
  uncheckedInCode,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { HeldRoles } from '../../model/authorization/index.ts'
import { quoteWord } from '../../quote.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { callerCheckExtracts, createOperationReader } from './_callers/caller-checks.ts'
import { createHeldRoles } from './_callers/scopes.ts'
import { handlerLinks } from './_handlers/handler-links.ts'
import { listElements, listRoles, requiringRoles, usersWith } from './_matches.ts'
import { ownerOf } from './_rows/owned-entities.ts'
import { privateOwner } from './_rows/person-rows.ts'
import { openEntities, type Reason } from './_model/open-entities.ts'
import { openEntityExtracts } from './_model/open-entity-extracts.ts'
import { ALL_USERS, emptiesForAll, exceededRights, type ExceededRights } from './_model/operation-rights.ts'
import { exposureOfRoles } from './_model/restricted-exposures.ts'
import { createChangeReader, stateChanges, type Change } from './_rows/state-changes.ts'
import { projectedNames } from './_handlers/user-handlers.ts'

/**
 * An action whose handler changes rows that its callers may not change by a request of their own: the entity gives this right to other roles.
 * Facts: capire, "Authorization": an unbound action has its own restrictions and those of its service alone; queries of handlers are not authorized.
 * Impact: users who may only read the rows change them. That they are not meant to is shown by what the action is called, a decision or a deletion, or by their role, which only
 * reads; of other changes that is assumed.
 */
export const actionBypassesRestriction: Rule = defineRule({
  id: 'cap/action-bypasses-restriction',
  impact: 'data',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',
  // rows of which the project limits each to its user
  yieldsTo: ['cap/missing-ownership-check'],
  extracts: [stateChanges, handlerLinks, roleChecks, ...callerCheckExtracts, ...openEntityExtracts],

  *check(root, project) {
    const { reach } = project
    if (root.test || root.runtime === 'java') return
    const changesOf = createChangeReader(root, stateChanges)
    const isHandled = createOperationReader(root)
    const heldBy = createHeldRoles(root, project)
    const isSensitive = createSensitiveReader(root, project)
    for (const service of servedServices(root)) {
      const groups = new Map<string, Exceeding[]>()
      for (const operation of service.elements) {
        root.step()
        if (operation.kind === 'entity') continue
        const changes = changesOf(service, operation)
        const found = findExceeding(root, service, operation, changes, heldBy)
        const emptied = found === undefined ? findEmptied(root, service, operation, changes, isSensitive) : undefined
        if ((found ?? emptied) === undefined || isHandled(service, operation)) continue
        if (uncheckedInCode(root, service, [operation]).length === 0) continue
        if (found === undefined) {
          if (emptied !== undefined) yield matchOfEmptied(root, service, operation, emptied, reach)
          continue
        }
        const key = [found.entity.name, found.event, ...found.callers].join(' ')
        groups.set(key, [...(groups.get(key) ?? []), found])
      }
      for (const [key, group] of groups)
        for (const { operation, callers } of group)
          yield {
            at: operation.place,
            args: argsOf(service, group),
            exposure: exposureOfRoles(service, operation, callers, reach, { events: [] }),
            ...(!group.some(({ isShown }) => isShown) && { evidence: 'assumed' as const }),
            groupKey: `${operation.place.file} ${service.name} ${key}`,
          }
    }
  },

  text: () => ({
    en: {
      title: 'Restriction of a CAP entity bypassed by an action',
      message:
        'In {service}, {users:and} can call {actions:and}, although only {roles:and} may {event} rows of {entity} by @restrict: the handler runs {effect} ({file}).',
      why: 'CAP does not apply @restrict to queries that a handler runs, and nothing limits the call to these roles: other users change the rows all the same.',
      fix: 'Annotate {actions:and} with @requires: {required}. Or check the role with req.user.is in the handler before the query, and reject the request without it.',
      variants: {
        empties: {
          title: 'Action that deletes all rows callable by any user',
          message:
            'In {service}, {users:and} can call {actions:and}, whose handler deletes all rows of {entity}, of all users: {effect} ({file}).',
          why: 'CAP does not apply @restrict to queries that a handler runs: one request of any user deletes the data of all users.',
          fix: "Annotate {actions:and} with @requires: '<role>'. Or delete the rows of the caller alone: add .where({ {owner}: req.user.id }) to the query.",
        },
      },
    },
    fr: {
      title: 'Restriction d’une entité CAP contournée par une action',
      message:
        'Dans {service}, {users:et} peuvent appeler {actions:et}, alors que @restrict sur {entity} réserve {event} à {roles:et} : le gestionnaire exécute {effect} ({file}).',
      why: 'CAP n’applique pas @restrict aux requêtes qu’un gestionnaire exécute, et rien ne limite l’appel à ces rôles : d’autres utilisateurs modifient quand même les lignes.',
      fix: 'Annotez {actions:et} avec @requires: {required}. Ou vérifiez le rôle avec req.user.is dans le gestionnaire avant la requête, et rejetez la requête sans ce rôle.',
      variants: {
        empties: {
          title: 'Action supprimant toutes les lignes ouverte à tout utilisateur',
          message:
            'Dans {service}, {users:et} peuvent appeler {actions:et}, dont le gestionnaire supprime toutes les lignes de {entity}, de tous les utilisateurs : {effect} ({file}).',
          why: 'CAP n’applique pas @restrict aux requêtes qu’un gestionnaire exécute : une seule requête d’un utilisateur quelconque supprime les données de tous.',
          fix: "Annotez {actions:et} avec @requires: '<rôle>'. Ou ne supprimez que les lignes de l’appelant : ajoutez .where({ {owner}: req.user.id }) à la requête.",
        },
      },
    },
  }),
})

/** What the rows are, whoever else may write others of the service. */
const OF_CONTENT: ReadonlySet<Reason['variant']> = new Set<Reason['variant']>(['knowledge', 'credentials', 'private', 'person'])

/** Tells of entities that all users may write whether that is a finding for what they hold. */
function createSensitiveReader(root: CapRoot, project: Project): (entity: CapElement) => boolean {
  let known: ReadonlySet<CapElement> | undefined
  return (entity) => {
    known ??= new Set([...openEntities(root, project)].flatMap((one) => (OF_CONTENT.has(one.reason.variant) ? one.element : [])))
    return known.has(entity)
  }
}

/** The first table that an operation empties for all users. */
function findEmptied(
  root: CapRoot,
  service: CapService,
  operation: CapElement,
  changes: readonly Change[],
  isSensitive: (entity: CapElement) => boolean,
): Change | undefined {
  if (changes.some(({ asks }) => asks !== 'no')) return undefined
  const filled = new Set(changes.flatMap(({ write }) => (write === undefined || write.event === 'DELETE' ? [] : write.entity)))
  return changes.find(({ write }) => write !== undefined && emptiesForAll(root, service, operation, write, filled, isSensitive))
}

function matchOfEmptied(
  root: CapRoot,
  service: CapService,
  operation: CapElement,
  { write, effect, file, start, end }: Change,
  reach: ReachModel,
): Match {
  const entity = write?.entity ?? ''
  return {
    at: { file, span: { start, end } },
    alsoAt: [operation.place],
    args: {
      service: service.name,
      users: usersWith([ALL_USERS]),
      actions: quoteWord(operation.name),
      effect,
      file,
      entity: quoteWord(entity),
      owner: ownerOfRows(root, entity),
    },
    exposure: exposureOfRoles(service, operation, [ALL_USERS], reach, { events: [] }),
    variant: 'empties',
  }
}

/** The column that tells whose a row is, as the model has it. */
function ownerOfRows(root: CapRoot, entity: string): string {
  for (const { elements } of servedServices(root))
    for (const element of elements) {
      root.step()
      if (element.kind !== 'entity' || !projectedNames(root, element.qualified).has(entity)) continue
      const limited = privilegesOf(element.annotations.get('restrict')?.value).map(ownerOf)
      const owner = limited.find((name) => name !== undefined) ?? privateOwner(element, root)
      if (owner !== undefined) return owner
    }
  return 'createdBy'
}

/** An operation, and what it changes without its callers' right. */
interface Exceeding extends ExceededRights {
  readonly operation: CapElement
  readonly event: string
  readonly effect: string
  readonly file: string
  readonly isShown: boolean
}

/** The first change of an operation that its callers have no right to. */
function findExceeding(
  root: CapRoot,
  service: CapService,
  operation: CapElement,
  changes: readonly Change[],
  heldBy: HeldRoles,
): Exceeding | undefined {
  // a handler that asks who calls may ask for all that it does
  if (changes.some(({ asks }) => asks === 'yes')) return undefined
  const changed = new Set(changes.flatMap(({ write }) => (write === undefined || write.event === 'CREATE' ? [] : write.entity)))
  for (const { write, effect, file, asks } of changes) {
    const found = write === undefined ? undefined : exceededRights(root, service, operation, write, changed.size === 1, heldBy)
    if (found !== undefined && write !== undefined)
      return { ...found, operation, event: write.event, effect, file, isShown: found.isPlain && asks === 'no' }
  }
  return undefined
}

/** What is said once of all operations of one finding. */
function argsOf(service: CapService, group: readonly Exceeding[]): Match['args'] {
  const [first] = group
  if (first === undefined) return {}
  const { callers, entity, writers, event, effect, file } = first
  return {
    service: service.name,
    users: usersWith(callers),
    actions: listElements(group.map(({ operation }) => operation.name)),
    effect,
    file,
    entity: quoteWord(entity.name),
    event,
    roles: listRoles(writers),
    required: requiringRoles(writers),
  }
}
