import {
  accepts,
  AUTHENTICATED_ROLES,
  grantsEvent,
  isAdministrative,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  toWords,
  wordsOf,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  notesUser,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Place } from '../../../types.ts'
import { CREATOR, ownApproval } from './own-approvals.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { stateHandlers, type StateHandler } from '../_rows/decided-states.ts'
import { createChangeReader, stateChanges } from '../_rows/state-changes.ts'

/** An action that approves rows, also those that its caller has made. */
export interface SelfApproval {
  readonly at: Place
  readonly service: CapService
  readonly action: CapElement
  readonly entity: CapElement
  /** The element that tells who made the row. */
  readonly creator: string
  readonly state: string
  /** Who may create rows and call the action. */
  readonly users: readonly string[]
  /** The role of those who were meant to approve, where the model limits the users to rows that they have made themselves. */
  readonly approver?: string | undefined
  /** The model names each of these roles for both, and nobody else but administrators for the action. */
  readonly isNamed: boolean
}

/** Decisions that a second person makes; to reject something of one's own harms nobody. */
const APPROVES = /^(?:approve|release|authori[sz]e|sign ?off|countersign)(?: |$)|(?:^| )approval$/
const ASKS = /^(?:submit|request|send|forward|start|trigger|reset|cancel|withdraw|get|check)(?: |$)/
/** In words: who decides, where a row keeps it. */
const DECIDER = /^(?:approver|(?:approved|released|authori[sz]ed|decided|signed) by)(?: (?:id|name|user|e ?mail))?$/

/**
 * Actions that set a state for any row, by users who may create such rows as well, where the row says who made it and nothing compares that with the caller.
 * Needs the extracts `stateHandlers`, `stateChanges` and `handlerLinks`.
 */
export function* selfApprovals(root: CapRoot): Generator<SelfApproval> {
  const changesOf = createChangeReader(root, stateChanges)
  const known = root.scripts
    .get(stateHandlers)
    .map(({ file, value }) => ({ file, value, event: root.eventOf({ file, ...value }) }))
  for (const service of servedServices(root))
    for (const action of service.elements) {
      root.step()
      const words = toWords(lastName(action.name))
      if (action.kind !== 'action' || action.entity === undefined || !APPROVES.test(words) || ASKS.test(words)) continue
      const entity = service.elements.find(({ kind, name }) => kind === 'entity' && name === action.entity)
      const both = entity === undefined ? [] : usersOfBoth(service, action, entity)
      const own = entity === undefined || both.length > 0 ? undefined : ownApproval(service, action, entity)
      const users = own?.users ?? both
      if (entity === undefined || users.length === 0 || changesOf(service, action).some(({ asks }) => asks !== 'no')) continue
      root.step(known.length)
      const handlers = known.filter(({ value, event }) => event.services.includes(service) && isFor(value, action, entity))
      const values = known.map(({ value }) => value)
      const creator = own?.creator ?? creatorOf(root, entity, values)
      const found = handlers.find(({ value }) => setBy(value).length > 0 && value.phase === 'on')
      const names = projectedNames(root, entity.qualified)
      const state = found && setBy(found.value).find((set) => names.has(set.entity))?.element
      if (
        found === undefined ||
        state === undefined ||
        creator === undefined ||
        handlers.some(({ value }) => mayCompare(value, creator))
      )
        continue
      const { file, value } = found
      const at = { file, span: { start: value.start, end: value.end } }
      const isOfSame = callersOf(service, action, entity).every((role) => isAdministrative(role) || users.includes(role))
      const isNamed = own !== undefined || (isOfSame && users.every((role) => isGiven(role, action, entity)))
      yield { at, service, action, entity, creator, state, users, isNamed, approver: own?.approver }
    }
}

/** A state, or, where a row has none, who approved. */
function setBy({ sets, signs }: StateHandler): StateHandler['sets'] {
  return [...sets, ...signs]
}

function isFor({ events, entities }: StateHandler, action: CapElement, entity: CapElement): boolean {
  return (
    events.some((name) => name === '*' || name === lastName(action.name)) &&
    (entities === undefined || entities.includes(lastName(entity.name)))
  )
}

function mayCompare({ phase, asksRole, isOpen, compares }: StateHandler, creator: string): boolean {
  return phase !== 'after' && (asksRole || isOpen || compares.some((name) => name === creator || name.startsWith(`${creator}_`)))
}

/** Users of an entity who are no administrators, and may create its rows and call its action, without a condition that looks at the row. */
function usersOfBoth(service: CapService, action: CapElement, entity: CapElement): readonly string[] {
  if (!accepts(entity, 'CREATE')) return []
  return sharedBy(writersOf(entity, service, ['CREATE']), callersOf(service, action, entity))
}

/** A role of its own, to which the model gives new rows and the action by that name. */
function isGiven(role: string, action: CapElement, entity: CapElement): boolean {
  const names = (privileges: readonly Privilege[]): boolean => privileges.some(({ to }) => to?.includes(role) === true)
  const ofEntity = privilegesOf(entity.annotations.get('restrict')?.value)
  const ofAction = privilegesOf(action.annotations.get('restrict')?.value)
  const called = ofEntity.filter(({ grants }) => grants.includes(lastName(action.name)))
  return (
    !PSEUDO_ROLES.has(role) &&
    names(ofEntity.filter((privilege) => grantsEvent(privilege, 'CREATE'))) &&
    (names(ofAction) || names(called) || wordsOf(action.annotations.get('requires')?.value).includes(role))
  )
}

/** Those of both who are no administrators. */
export function sharedBy(creators: readonly string[], callers: readonly string[]): readonly string[] {
  const isForAll = (role: string): boolean => role === 'any' || AUTHENTICATED_ROLES.has(role)
  const shared = callers.some(isForAll) ? creators.filter(isForAll) : callers.filter((role) => creators.includes(role))
  return shared.filter((role) => !isAdministrative(role))
}

/**
 * Facts: capire, "Authorization": an action has its own restrictions; a bound one without any needs a privilege of its entity, if that has some.
 */
export function callersOf({ access }: CapService, action: CapElement, entity?: CapElement): readonly string[] {
  const name = lastName(action.name)
  for (const { annotations } of entity === undefined ? [action] : [action, entity]) {
    const privileges = privilegesOf(annotations.get('restrict')?.value)
    if (privileges.length > 0)
      return privileges.flatMap(({ grants, to, where }) =>
        where === undefined && (annotations === action.annotations || grants.includes(name) || grants.includes('*'))
          ? (to ?? ['any'])
          : [],
      )
    const required = wordsOf(annotations.get('requires')?.value)
    if (required.length > 0) return required
  }
  return access.kind === 'roles'
    ? access.roles
    : access.kind === 'public' || access.kind === 'default-public'
      ? ['any']
      : ['authenticated-user']
}

/** An element that the runtime or a handler fills with the user, on purpose: nearly every entity has `createdBy`, which counts beside an element for who decides. */
function creatorOf(root: CapRoot, entity: CapElement, handlers: readonly StateHandler[]): string | undefined {
  const members = entity.members()
  root.step(members.length + handlers.length)
  const filled = members.find((member) => member.name !== 'createdBy' && notesUser(member))
  if (filled !== undefined) return filled.name
  const names = projectedNames(root, entity.qualified)
  const computed = new Set(
    handlers.flatMap(({ entities, computes }) =>
      entities?.some((name) => names.has(name)) === true ? computes.map(({ name }) => name) : [],
    ),
  )
  const made = members.find(({ name }) => computed.has(name) && CREATOR.test(toWords(name)))
  if (made !== undefined) return made.name
  const hasDecider = members.some(({ name }) => DECIDER.test(toWords(name)))
  return hasDecider && root.lookUp(entity.qualified, 'createdBy') !== 'missing' ? 'createdBy' : undefined
}
