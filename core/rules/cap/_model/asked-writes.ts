import { listNames } from '../../../arguments.ts'
import {
  accepts,
  isAdministrative,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'
import { usersWith } from '../_matches.ts'
import { askedOwners, type AskedOwner } from '../_rows/asked-owners.ts'
import { isPlain } from '../_rows/owned-entities.ts'
import { ALL_USERS, callersOf } from './operation-rights.ts'
import { exposureOfRoles } from './restricted-exposures.ts'

const EVENTS = ['UPDATE', 'DELETE'] as const

/**
 * Entities whose rows the operations of a service change only after they have compared a column with the caller, while the service takes plain changes of all rows from the
 * same users. `told`: entities of which this is said already. Needs the extracts `askedOwners` and `entityHandlers`.
 * Fact: capire, "Authorization": a request for a row is checked by annotations of its entity and by handlers for its event, not by those of operations.
 */
export function* askedWrites(root: CapRoot, { reach }: Pick<Project, 'reach'>): Generator<Match> {
  const asked = root.scripts.get(askedOwners).filter(({ value }) => !value.isRead && value.changes)
  if (asked.length === 0) return
  for (const service of servedServices(root)) {
    const asking = asked.flatMap(({ file, value }) => {
      const operation = operationOf(root, service, file, value)
      return operation === undefined ? [] : [{ operation, ...value }]
    })
    for (const element of asking.length === 0 ? [] : service.elements) {
      root.step(1 + asking.length)
      const { kind, annotations, qualified, writable } = element
      if (kind !== 'entity' || !writable || annotations.has('restrict') || annotations.has('requires') || !isPlain(element))
        continue
      const names = projectedNames(root, qualified)
      const own = asking.filter(({ entity, column }) => names.has(entity) && hasColumn(root, element, column))
      const [first] = own
      if (first === undefined) continue
      const accepted = EVENTS.filter((event) => accepts(element, event))
      const events = unaskedOf(accepted, handlersFor(root, service, element))
      const callers = usersOf(service).filter((role) => own.some(({ operation }) => callersOf(service, operation).includes(role)))
      if (events.length === 0 || callers.length === 0) continue
      const exposure = exposureOfRoles(service, element, callers, reach, { events })
      if (exposure.reach !== 'user' && exposure.reach !== 'privileged') continue
      yield {
        at: element.place,
        args: {
          entity: `${service.name}.${element.name}`,
          users: usersWith(callers),
          events: listNames(events),
          operation: quoteWord(lastName(first.operation.name)),
          part: element.name,
          owner: first.column,
        },
        variant: 'operation',
        exposure,
        groupKey: `${element.place.file} ${service.name} operation ${first.column}`,
      }
    }
  }
}

/** The operation of a service that a handler compares the caller for; of an event that several services have nobody can tell which one is meant. */
function operationOf(root: CapRoot, service: CapService, file: string, { events }: AskedOwner): CapElement | undefined {
  const { services, isCertain } = root.eventOf({ file, service: undefined, isConnected: false, events, entities: undefined })
  if (isCertain && !services.includes(service)) return undefined
  return service.elements.find(({ kind, name }) => kind !== 'entity' && events.includes(lastName(name)))
}

function hasColumn(root: CapRoot, { qualified }: CapElement, column: string): boolean {
  const members = root.membersOf(qualified)
  return members.has(column) || members.has(column.replace(/_[A-Za-z]\w{0,30}$/, ''))
}

/** Users of a service who are several people, each for some of the rows. */
function usersOf({ access }: CapService): readonly string[] {
  if (access.kind === 'authenticated') return [ALL_USERS]
  return access.kind === 'roles' ? access.roles.filter((role) => !isAdministrative(role)) : []
}

/** The words of `cap/instance-condition-missing` for it. */
export const ASKED_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Check of an operation bypassed by plain requests',
    message:
      '{entity} accepts {events:and} for all rows from {users:or}, although the operation {operation} compares {owner} of a row with the caller before it changes the row.',
    why: 'CAP checks a plain request by annotations of the entity and handlers for its event only: a user changes or deletes a row that the operation would reject.',
    fix: "Annotate {entity} with @readonly if only operations change its rows. Otherwise compare {owner} with the user in srv.before(['UPDATE', 'DELETE'], '{part}', …), and reject the request with 403.",
  },
  fr: {
    title: 'Contrôle d’une opération contourné par de simples requêtes',
    message:
      '{entity} accepte {events:et} pour toutes les lignes de la part de {users:ou}, alors que l’opération {operation} compare {owner} de la ligne à l’appelant avant de la modifier.',
    why: 'CAP ne contrôle une simple requête que par les annotations de l’entité et les gestionnaires de son événement : un utilisateur modifie ou supprime une ligne que l’opération refuserait.',
    fix: "Annotez {entity} avec @readonly si seules des opérations modifient ses lignes. Sinon, comparez {owner} à l’utilisateur dans srv.before(['UPDATE', 'DELETE'], '{part}', …), et rejetez la requête (403).",
  },
}
