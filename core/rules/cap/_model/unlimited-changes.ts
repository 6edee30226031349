import { listNames } from '../../../arguments.ts'
import {
  accepts,
  conditionOf,
  grantsEvent,
  isAdministrative,
  isTrue,
  placeIn,
  privilegesOf,
  PSEUDO_ROLES,
  type CapRoot,
  type Privilege,
} from '../../../model/cap/index.ts'
import type { Match, Place, RuleText } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { createUngrantedReader } from '../_callers/ungranted-roles.ts'
import { usersWith } from '../_matches.ts'
import { ownedEntities } from '../_rows/owned-entities.ts'
import { isOwnedByPerson } from '../_rows/person-rows.ts'
import { isLimited } from '../_rows/part-conditions.ts'
import { exposureOfRoles } from './restricted-exposures.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'

const EVENTS = ['UPDATE', 'DELETE'] as const
/** Users who may well change the rows of others. */
const TRUSTED = /superuser|sys(?:tem)?_?admin|audit|support|system-user|internal-user|technical/i

/**
 * Privileges for changes of all rows, where another privilege or a handler limits what the same users read of the entity to their own rows, and no handler looks at who
 * changes them. Needs the extracts `rowFilters`, `entityHandlers`, `givenRoles` and `callerCheckExtracts`.
 */
export function* unlimitedChanges(root: CapRoot, project: Pick<Project, 'reach' | 'securityOf'>): Generator<Match> {
  const isUngranted = createUngrantedReader(root, project)
  for (const { service, element, owner, filter, roles: limited, exempt } of ownedEntities(root)) {
    const annotation = element.annotations.get('restrict')
    if (annotation === undefined || (filter !== undefined && exempt === undefined)) continue
    const isOwn = (role: string): boolean =>
      filter === undefined
        ? !PSEUDO_ROLES.has(role) && isLimited(element, role, 'READ')
        : exempt?.includes(role) === false && (limited.length === 0 || limited.includes(role) || PSEUDO_ROLES.has(role))
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      root.step()
      const granted = EVENTS.filter((event) => grantsEvent(privilege, event) && accepts(element, event))
      // what all users may change another rule tells
      if (filter === undefined && privilege.to === undefined) continue
      const users = privilege.to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      const callers = users.filter((role) => !TRUSTED.test(role) && isOwn(role))
      if (privilege.where !== undefined || granted.length === 0 || callers.length === 0) continue
      const events = unaskedOf(granted, handlersFor(root, service, element))
      if (events.length === 0) continue
      yield {
        at: placeIn(annotation, privilege.record),
        args: {
          entity: `${service.name}.${element.name}`,
          users: usersWith(callers),
          events: listNames(events),
          ...(filter !== undefined && { file: filter.file }),
          part: element.name,
          owner,
          condition: conditionIn(privileges) ?? `${owner} = $user`,
        },
        key: `${service.name}.${element.name}`,
        variant: filter === undefined ? 'changes' : 'filtered',
        exposure: exposureOfRoles(service, element, callers, project.reach, { events, isUngranted }),
      }
    }
  }
}

/**
 * The same of an entity without a privilege of its own, in a service that lets users in: what handlers ask for where a row is created says nothing of who changes one.
 * Needs the extracts `rowFilters`, `entityHandlers` and `callerCheckExtracts`.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: a handler for READ or CREATE runs for these events alone.
 */
export function* unlimitedWrites(root: CapRoot, { reach }: Pick<Project, 'reach'>): Generator<Match> {
  const all = ownedEntities(root)
  // one handler for many entities is one thing to mend, whatever it compares for each
  const owners = new Map<string, string>()
  for (const { owner, filter } of all) {
    const at = placeKey(filter)
    owners.set(at, owners.has(at) && owners.get(at) !== owner ? at : owner)
  }
  for (const owned of all) {
    root.step()
    const { service, element, owner, filter, roles, exempt, isAnswered } = owned
    const { annotations } = element
    if (filter === undefined || annotations.has('restrict') || annotations.has('requires') || !element.writable) continue
    // what is read from several rows nobody changes
    const { isNarrowed, kind, sources = [] } = element.query ?? {}
    if (isNarrowed === true || kind === 'set' || sources.length > 1) continue
    const users = service.access.kind === 'roles' ? service.access.roles : ['authenticated-user']
    const isLimitedOnly = (role: string): boolean =>
      PSEUDO_ROLES.has(role)
        ? role !== 'any'
        : !isAdministrative(role) && exempt?.includes(role) === false && (roles.length === 0 || roles.includes(role))
    const callers = /^(?:roles|authenticated|default-authenticated)$/.test(service.access.kind) ? users.filter(isLimitedOnly) : []
    // a draft begins with reading the row
    const isDraft = isTrue(annotations.get('odata.draft.enabled')?.value)
    const accepted = EVENTS.filter((event) => accepts(element, event) && !(isDraft && event === 'UPDATE'))
    if (callers.length === 0 || accepted.length === 0) continue
    const asked = handlersFor(root, service, element)
    // whoever passes them reads the own rows alone: these handlers run for READ, too
    const handlers = exempt?.length === 0 && roles.length === 0 ? asked.filter(({ isRoleGate }) => isRoleGate !== true) : asked
    const events = unaskedOf(accepted, handlers)
    if (events.length === 0) continue
    const exposure = exposureOfRoles(service, element, callers, reach, { events })
    if (exposure.reach !== 'user' && exposure.reach !== 'privileged') continue
    // what a handler leaves out for a page is not whose row it is, and who passes a check of the role is not in the model
    const isGated = handlers.length < asked.length
    const isUnsure = (isAnswered !== true && !isOwnedByPerson(element, owner, root)) || exempt === undefined || isGated
    const limit = owners.get(placeKey(filter)) ?? owner
    yield {
      at: element.place,
      args: {
        entity: `${service.name}.${element.name}`,
        users: usersWith(callers),
        events: listNames(events),
        file: filter.file,
        part: element.name,
        owner,
      },
      variant: isGated ? 'gated' : 'unsaid',
      ...(isUnsure && { evidence: 'assumed' as const }),
      exposure,
      groupKey: `${element.place.file} ${service.name} unsaid ${limit} ${String(isUnsure)}`,
    }
  }
}

function placeKey(place: Place | undefined): string {
  return `${place?.file} ${place?.span?.start}`
}

const EN = {
  title: 'Instance condition missing for changes',
  why: 'CAP calls a handler for READ where clients read alone: a user who sends the key of another user’s row changes or deletes it.',
  fix: "Compare {owner} of the row with the user in srv.before(['UPDATE', 'DELETE'], '{part}', …), and reject the request with 403. Or annotate {entity} with @restrict and the condition that the handler adds.",
}
const FR = {
  title: 'Condition d’instance manquante pour les modifications',
  why: 'CAP n’appelle un gestionnaire de READ que pour les lectures : un utilisateur qui envoie la clé de la ligne d’un autre la modifie ou la supprime.',
  fix: "Comparez {owner} de la ligne à l’utilisateur dans srv.before(['UPDATE', 'DELETE'], '{part}', …), et rejetez la requête (403). Ou annotez {entity} avec @restrict et la condition que le gestionnaire ajoute.",
}

/** What `unlimitedWrites` says; `gated`: handlers for all events look at the role alone. */
export const UNSAID_WORDS: Readonly<Record<'en' | 'fr', Readonly<Record<'unsaid' | 'gated', RuleText>>>> = {
  en: {
    unsaid: {
      ...EN,
      message:
        '{entity} accepts {events:and} for all rows from {users:or}, although a handler in {file} limits what they read to their own rows ({owner}): no annotation and no handler limits these events.',
    },
    gated: {
      ...EN,
      message:
        '{entity} accepts {events:and} for all rows, although a handler in {file} limits what users read to their own rows ({owner}): before these events, a handler looks at most at the role.',
    },
  },
  fr: {
    unsaid: {
      ...FR,
      message:
        '{entity} accepte {events:et} pour toutes les lignes de la part de {users:ou}, alors qu’un gestionnaire de {file} ne leur laisse lire que leurs propres lignes ({owner}) : ni annotation ni gestionnaire ne limite ces événements.',
    },
    gated: {
      ...FR,
      message:
        '{entity} accepte {events:et} pour toutes les lignes, alors qu’un gestionnaire de {file} ne laisse lire que ses propres lignes ({owner}) : avant ces événements, un gestionnaire ne contrôle au plus que le rôle.',
    },
  },
}

/** The condition on the user as the list writes it. */
function conditionIn(privileges: readonly Privilege[]): string | undefined {
  for (const { where } of privileges) {
    const condition = where && conditionOf(where)
    if (condition !== undefined && typeof condition !== 'string' && /\$user\b/.test(condition.text)) return condition.text
  }
  return undefined
}
