import {
  conditionOf,
  createServiceReader,
  eventsOf,
  grantsEvent,
  isAdministrative,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
} from '../../../model/cap/index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match, RuleText } from '../../../types.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { helperCalls, helperQueries } from '../_handlers/delegated-queries.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { listRoles } from '../_matches.ts'
import { ownedQueries, type OwnedQuery } from '../_rows/owned-queries.ts'
import { exposureOfRoles } from './restricted-exposures.ts'

/**
 * Actions of a role for any row, where the same role reads only the rows that an attribute of its users opens to them, those of their department: what the handler changes, the
 * client names. Facts: capire, "Authorization", "Restrict": a bound action is subject to the privileges that grant it, with their `where`, and to annotations of its own; queries of
 * handlers are not authorized, those that they send to a service are. Needs `ownedQueries`, `servedQueries`, `helperQueryExtracts` and `callerCheckExtracts`.
 */
export function* teamActions(root: CapRoot, reach: ReachModel): Generator<Match> {
  if (root.runtime === 'java') return
  const changes = [...root.scripts.get(ownedQueries), ...helperQueries([...helperCalls(root)])].filter(
    ({ value: { kind, event, byRoles, isFlag } }) =>
      (kind === 'update' || kind === 'delete') && event !== undefined && byRoles === undefined && isFlag === undefined,
  )
  if (changes.length === 0) return
  const isChecked = createOperationReader(root)
  const served = new Set(
    root.scripts.get(servedQueries).map(({ file, value }) => `${file} ${value.around} ${value.service ?? ''}`),
  )
  for (const service of servedServices(root))
    for (const element of service.elements) {
      root.step()
      const limits = element.kind === 'entity' ? teamsOf(element) : new Map<string, string>()
      if (limits.size === 0) continue
      const names = projectedNames(root, element.qualified)
      for (const { file, value } of changes) {
        root.step()
        if ([service.name, ''].some((name) => served.has(`${file} ${value.around} ${lastName(name)}`))) continue
        const operation = names.has(value.entity) ? operationOf(root, service, element, file, value) : undefined
        const roles = operation === undefined ? [] : callersOf(service, element, operation).filter((role) => limits.has(role))
        const [role] = roles
        if (operation === undefined || role === undefined || isChecked(service, operation)) continue
        const at = { file, span: { start: value.start, end: value.end } }
        yield {
          at,
          alsoAt: [operation.place],
          args: {
            entity: `${service.name}.${element.name}`,
            operation: operation.name,
            users: listRoles(roles),
            owner: limits.get(role) ?? '',
          },
          exposure: exposureOfRoles(service, operation, roles, reach, { events: [] }),
          variant: 'team',
          groupKey: `${file} ${value.around} team`,
        }
      }
    }
}

/**
 * A query that a function sends to a service, as the caller: the restrictions of that hold. The database and other services know none of them.
 * Fact: capire, "cds.User" (`privileged` is for calls that shall get past them).
 */
export const servedQueries: Extract<{ readonly around: number; readonly service?: string }> = defineExtract({
  name: 'cap-served-queries',
  keywords: ['.read(', '.run(', '.update(', '.delete('],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    let serviceOf: ReturnType<typeof createServiceReader> | undefined
    step(facts.calls.length)
    for (const { callee, function: around } of facts.calls) {
      if (callee.kind !== 'member' || !/^(?:read|run|update|delete)$/.test(callee.name ?? '')) continue
      if (callee.object.kind !== 'this' && !SERVICE.test(lastNameOf(callee.object) ?? '')) continue
      const { kind, name } = (serviceOf ??= createServiceReader(facts))(callee.object)
      if (kind === 'connected' && name !== undefined) yield { around: around.start, service: lastName(name) }
      else if (kind !== 'foreign') yield { around: around.start }
    }
  },
})

const SERVICE = /^(?!db)(?:srv|service|\w{1,40}(?:Srv|Service))$/

/** The roles that read rows of their team alone and change none by a request of their own, each with the element that tells the team. */
function teamsOf({ annotations }: CapElement): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  for (const role of new Set(privileges.flatMap(({ to }) => to ?? []))) {
    if (PSEUDO_ROLES.has(role) || isAdministrative(role)) continue
    const own = privileges.filter(({ to }) => to === undefined || to.some((one) => one === role || PSEUDO_ROLES.has(one)))
    const reading = own.filter((one) => grantsEvent(one, 'READ'))
    const teams = reading.map(teamIn)
    const [team] = teams
    const mayChangeAll = own.some((one) => one.where === undefined && grantsEvent(one, 'UPDATE'))
    if (team !== undefined && teams.every((one) => one !== undefined) && !mayChangeAll) found.set(role, team)
  }
  return found
}

/** `department = $user.department`: the element, where nothing stands beside it. */
function teamIn({ where }: Privilege): string | undefined {
  const condition = where === undefined ? undefined : conditionOf(where)
  if (condition === undefined || typeof condition === 'string') return undefined
  const text = condition.text.trim()
  const name = TEAM.exec(text)?.[1] ?? TEAM_BEHIND.exec(text)?.[1]
  return name === undefined || SHARED.test(name) ? undefined : name
}

const TEAM = /^\(?\s{0,4}([\w.]{1,80})(?:\s{0,4}=|\s{1,4}in\s)\s{0,4}\$user\.(?!id\b|tenant\b)[\w.]{1,60}\s{0,4}\)?$/
const TEAM_BEHIND = /^\(?\s{0,4}\$user\.(?!id\b|tenant\b)[\w.]{1,60}\s{0,4}=\s{0,4}([\w.]{1,80})\s{0,4}\)?$/
/** What all users of a tenant, or of a language, have in common, and what tells the state of a row. */
const SHARED = /tenant|locale|language|level|status/i

/** The operation that a change belongs to, as far as the service of its handler is certain: it is bound to the entity, or to none. */
function operationOf(
  root: CapRoot,
  service: CapService,
  entity: CapElement,
  file: string,
  { event, action }: OwnedQuery,
): CapElement | undefined {
  if (event === undefined) return undefined
  const { services } = root.eventOf({ file, ...event, events: event.names, entities: undefined })
  if (!services.includes(service)) return undefined
  return service.elements.find(
    ({ kind, name, entity: bound }) =>
      kind === 'action' &&
      event.names.includes(lastName(name)) &&
      (bound === undefined ? action === undefined : bound === entity.name),
  )
}

/** The roles that call an operation for any row: by annotations of its own, else by those of what it is bound to, or of the service. */
function callersOf({ access }: CapService, entity: CapElement, operation: CapElement): readonly string[] {
  const { annotations, entity: bound } = operation
  const required = wordsOf(annotations.get('requires')?.value)
  const own = privilegesOf(annotations.get('restrict')?.value)
  if (own.length > 0) return own.some(({ where }) => where !== undefined) ? [] : own.flatMap(({ to }) => to ?? [])
  if (required.length > 0) return required
  if (bound === undefined) return access.kind === 'roles' ? access.roles : []
  const name = lastName(operation.name)
  const granting = privilegesOf(entity.annotations.get('restrict')?.value).filter((one) => eventsOf(one)?.has(name) === true)
  return granting.flatMap(({ to, where }) => (where === undefined ? (to ?? []) : []))
}

/** The words of `cap/instance-restriction-bypassed` for it. */
export const TEAM_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Instance-based restriction bypassed by an action',
    message:
      '{operation} changes the row of {entity} that the client names: {users:and} may read only the rows that {owner} opens to them, but may call it for any row.',
    why: 'A condition on READ does not apply to actions and their queries: a user with this role approves or changes rows of other departments or teams.',
    fix: 'Add the condition to the privilege for the action too, with where, if it is bound to {entity}. Or load the row in the handler, and reject the request (403) unless its {owner} is an attribute of req.user.',
  },
  fr: {
    title: 'Restriction par instance contournée par une action',
    message:
      '{operation} modifie la ligne de {entity} que le client désigne : {users:et} ne peuvent lire que les lignes que {owner} leur ouvre, mais peuvent l’appeler pour toute ligne.',
    why: 'Une condition sur READ ne vaut ni pour les actions ni pour leurs requêtes : un utilisateur doté de ce rôle approuve ou modifie des lignes d’autres services ou équipes.',
    fix: 'Ajoutez aussi la condition, avec where, au privilège de l’action si elle est liée à {entity}. Ou lisez la ligne dans le gestionnaire et rejetez la requête (403) si son {owner} n’est pas un attribut de req.user.',
  },
}
