import type { Extract } from '../../../extracts/extract.ts'
import {
  accepts,
  entityWords,
  isAdministrative,
  isDraftEnabled,
  isOrdinary,
  writersOf,
  AUTHENTICATED_ROLES,
  type CapElement,
  type CapRoot,
  type CapService,
  type ExposedMember,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import type { Evidence, Place } from '../../../types.ts'
import type { BypassedAction, BypassReader, DecidingEntity, ReservedAction } from './bypass-reader.ts'
import { handlerLinks } from '../_handlers/handler-links.ts'
import { delegatedStates, delegatingHandlers } from '../_rows/delegated-states.ts'
import { areOfClients } from '../_rows/sent-parts.ts'
import { stateHandlers, type StateHandler } from '../_rows/decided-states.ts'
import {
  actionsOf,
  CREATES,
  defaultOf,
  isNamed,
  isOf,
  isLate,
  isSame,
  looksAt,
  mayAsk,
  mayAskFor,
  runsFor,
  UPDATES,
} from './state-handlers.ts'
import { decides, isBesides, isForFewerRoles, isOfOtherRoles, type Writers } from './deciding-roles.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { lastName } from '../../../paths.ts'

/** Entities whose rows are decisions about others. */
const DECISIONS = /(?:^| )(?:approvals?|decisions?|authori[sz]ations?|verifications?|sign ?offs?)$/
/** What `createBypassReader` asks. */
export const bypassExtracts: readonly Extract<unknown>[] = [stateHandlers, delegatedStates, handlerLinks]

/** Tells which actions decide elements of entities, and whether clients get around these. Needs the extracts `bypassExtracts`. */
export function createBypassReader(root: CapRoot): BypassReader {
  const known = [...root.scripts.get(stateHandlers), ...delegatingHandlers(root)].map(({ file, value }) => ({
    file,
    value,
    event: root.eventOf({ file, ...value, events: [] }),
  }))
  const writers = known.filter(({ value }) => value.events.some((name) => [...CREATES, ...UPDATES].includes(name)))
  // few of them set anything
  const setting = writers.filter(({ value }) => value.sets.length > 0)
  const deciding = known.flatMap(({ value, event }) => {
    const { services } = event
    return value.sets.length === 0
      ? []
      : services.flatMap((service) => actionsOf(service, value).map((action) => ({ value, service, action })))
  })

  const ordered = new Map<CapService, typeof deciding>()
  return {
    bypassed,
    reserved,
    decidedBy,
    isComputedOnce,
    isMadeOfSent,
    isPreset,
    isChecked: (exposed) => passing(exposed) === undefined,
    isTaken: (exposed) => passing(exposed)?.isUnknown === false,
    isUntouched,
    isLookedAtBefore,
    isRefusedBefore,
  }

  /** Roles that may write an entity, read once for all the actions that they are compared with; each comparison counts. */
  function createWriters({ entity, service }: ExposedMember): Writers {
    let known: readonly string[] | undefined
    const roles = (): readonly string[] => (known ??= writersOf(entity, service))
    const compared = (others: readonly string[]): readonly string[] => {
      root.step(roles().length + others.length)
      return roles()
    }
    return {
      all(others) {
        const among = new Set(others)
        return compared(others).every((role) => among.has(role))
      },
      any(others) {
        const among = new Set(others)
        return compared(others).some((role) => among.has(role))
      },
      areAdministrators: () => compared([]).every(isAdministrative),
    }
  }

  function isUntouched(exposed: ExposedMember, event: WriteEvent, areRolesSettled: boolean): boolean {
    if (event === 'DELETE' || !accepts(exposed.entity, event)) return false
    return handlersOf(exposed).every(
      ({ value }) =>
        !runsFor(value, event) || (!looksAt(value, exposed.member.name) && !value.isOpen && (areRolesSettled || !mayAsk(value))),
    )
  }

  function isLookedAtBefore(exposed: ExposedMember): boolean {
    return handlersOf(exposed).some(
      ({ value }) =>
        value.phase === 'before' && runsFor(value, 'UPDATE') && (mayAsk(value) || looksAt(value, exposed.member.name)),
    )
  }

  function isRefusedBefore(exposed: ExposedMember): boolean {
    const own = handlersOf(exposed).filter(({ value }) => value.phase === 'before' && value.asksRole && value.refuses)
    return (['CREATE', 'UPDATE'] as const).every(
      (event) => !accepts(exposed.entity, event) || own.some(({ value }) => runsFor(value, event)),
    )
  }

  function bypassed(exposed: ExposedMember): BypassedAction | undefined {
    root.step(deciding.length)
    const writing = createWriters(exposed)
    let worst: (BypassedAction & { readonly isNarrower?: boolean }) | undefined
    for (const one of decidingFor(exposed.service)) {
      const { value, service, action } = one
      if (!value.sets.some(({ entity, element }) => isSame(exposed, element) && isOf(exposed, entity, service))) continue
      const evidence = evidenceOf(exposed, one, writing)
      // whose roles it asks for is worth a comparison only where it might be the worst
      if (evidence === undefined || (worst !== undefined && rankOf(worst) <= rankOf({ evidence, isForOthers: true }))) continue
      const isForOthers = isOfOtherRoles(exposed, one, writing)
      if (worst !== undefined && rankOf(worst) <= rankOf({ evidence, isForOthers })) continue
      worst = {
        action: action.name,
        evidence,
        ...(isForOthers && { isForOthers }),
        isNarrower: isForFewerRoles(exposed, one, writing),
      }
    }
    if (worst === undefined) return undefined
    const found = passing(exposed)
    if (found === undefined) return undefined
    const isRefused = worst.isNarrower === true && isRefusedFor(exposed)
    return {
      action: worst.action,
      evidence: worst.evidence,
      ...(worst.isForOthers === true && { isForOthers: true as const }),
      ...(isRefused && { isRefusedFor: true as const }),
      ...(found.isUnknown && { evidence: 'guessed' as const }),
      ...(found.handler !== undefined && { handler: found.handler }),
      ...(found.event !== undefined && { event: found.event }),
    }
  }

  /** Of two that are as bad, the action of the service itself is the one that its users know. */
  function decidingFor(service: CapService): typeof deciding {
    const sorted =
      ordered.get(service) ??
      deciding.toSorted((one, other) => Number(other.service === service) - Number(one.service === service))
    ordered.set(service, sorted)
    return sorted
  }

  function reserved(exposed: ExposedMember): ReservedAction | undefined {
    const { service, entity, member } = exposed
    if (!accepts(entity, 'UPDATE')) return undefined
    root.step(known.length)
    const giving = known.filter(
      ({ value, event }) =>
        event.services.includes(service) &&
        value.gives.some((one) => isSame(exposed, one.element) && isOf(exposed, one.entity, service)),
    )
    const actions = giving.flatMap(({ value }) => actionsOf(service, value))
    const [action] = actions
    const roles = actions.flatMap(rolesOf)
    // an action for all sets it, too
    const isForAll = actions.some((one) => rolesOf(one).every((role) => AUTHENTICATED_ROLES.has(role)))
    if (action === undefined || isForAll || actions.some((one) => isBesides(exposed, service, one))) return undefined
    const writers = writersOf(entity, service, ['UPDATE']).filter((role) => !roles.includes(role) && !isAdministrative(role))
    const isLookedAt = handlersOf(exposed).some(
      ({ value }) => runsFor(value, 'UPDATE') && (mayAsk(value) || value.overwrites.some((name) => isNamed(name, member.name))),
    )
    return writers.length === 0 || isLookedAt ? undefined : { action: action.name, roles: [...new Set(roles)], writers }
  }

  function decidedBy(exposed: ExposedMember): DecidingEntity | undefined {
    const { service } = exposed
    root.step(setting.length)
    for (const { value, event } of setting) {
      const { entities = [], sets } = value
      if (!event.services.includes(service) || !sets.some((one) => isSame(exposed, one.element))) continue
      root.step((sets.length + 1) * service.elements.length)
      if (!sets.some((one) => isSame(exposed, one.element) && isOf(exposed, one.entity, service))) continue
      const other = service.elements.find(
        (one) => one.kind === 'entity' && entities.includes(lastName(one.name)) && one.source?.name !== exposed.source.name,
      )
      if (other === undefined || !isDecidedBy(exposed, other, value)) continue
      const passed = passing(exposed)
      // what a handler asks of the caller counts as a check
      if (passed === undefined || passed.isUnknown) continue
      const created = passed.event === 'CREATE' ? (passed.filled ?? passed.handler ?? exposed.member.place) : undefined
      return { entity: other.name, evidence: isRefusedLater(exposed) ? 'shown' : 'assumed', ...(created && { created }) }
    }
    return undefined
  }

  /** Rows of the other entity are decisions: for fewer users, or made after a look at the state. */
  function isDecidedBy(exposed: ExposedMember, other: CapElement, handler: StateHandler): boolean {
    const events = (['CREATE', 'UPDATE'] as const).filter((event) => runsFor(handler, event) && accepts(other, event))
    return (
      events.some((event) => isForFewer(exposed, other, event)) || (events.includes('CREATE') && isLookedAtFirst(exposed, other))
    )
  }

  /** Where clients change a row, a handler compares what they send for the element, and refuses some of it. */
  function isRefusedLater(exposed: ExposedMember): boolean {
    const { name } = exposed.member
    return handlersOf(exposed).some(
      ({ value }) =>
        runsFor(value, 'UPDATE') &&
        value.phase !== 'after' &&
        value.refuses &&
        looksAt(value, name) &&
        value.compares.includes(name),
    )
  }

  /** All users write the element, and some alone write the rows that set it: of two roles neither tells which is trusted more. */
  function isForFewer({ entity, service }: ExposedMember, other: CapElement, event: WriteEvent): boolean {
    const roles = writersOf(other, service, [event])
    const isForAll = (role: string): boolean => role === 'any' || AUTHENTICATED_ROLES.has(role)
    return (
      !roles.some(isForAll) &&
      writersOf(entity, service).some((role) => !roles.includes(role) && (isForAll(role) || isOrdinary(role)))
    )
  }

  /** A handler in front of new decisions compares the state, which is no element of theirs. */
  function isLookedAtFirst(exposed: ExposedMember, other: CapElement): boolean {
    if (!DECISIONS.test(entityWords(other.name)) || other.members().some(({ name }) => isSame(exposed, name))) return false
    return handlersOf({ ...exposed, entity: other }).some(
      ({ value }) => runsFor(value, 'CREATE') && value.refuses && value.compares.some((name) => isSame(exposed, name)),
    )
  }

  function isComputedOnce(exposed: ExposedMember, isCounted: boolean): Evidence | undefined {
    const { entity, member } = exposed
    if (!accepts(entity, 'UPDATE')) return undefined
    const own = handlersOf(exposed)
    const isMade = own.some(
      ({ value }) =>
        runsFor(value, 'CREATE') && value.computes.some((one) => isSame(exposed, one.name) && (isCounted || !one.isCounted)),
    )
    const updating = own.filter(({ value }) => runsFor(value, 'UPDATE'))
    if (!isMade || updating.some(({ value }) => looksAt(value, member.name) && !isLate(value, exposed))) return undefined
    // a draft that is activated holds all elements, so that a condition on others holds as it did for the new row
    const isMadeAgain = updating.some(({ value }) => value.computes.some((one) => isSame(exposed, one.name)))
    if (isMadeAgain && isDraftEnabled(entity)) return undefined
    return updating.some(({ value }) => mayAsk(value)) ? 'guessed' : 'assumed'
  }

  function isMadeOfSent(exposed: ExposedMember): boolean {
    const made = handlersOf(exposed).flatMap(({ value }) => value.computes.filter((one) => isSame(exposed, one.name)))
    return made.length > 0 && made.every(({ parts }) => parts !== undefined && areOfClients(parts, exposed.entity, root))
  }

  function isPreset(exposed: ExposedMember): boolean {
    const isOverwritten = handlersOf(exposed).some(
      ({ value }) =>
        value.phase === 'before' &&
        runsFor(value, 'CREATE') &&
        value.overwrites.some((name) => isSame(exposed, name)) &&
        value.touches.some((name) => isSame(exposed, name)) &&
        !value.defaults.some(({ name }) => isSame(exposed, name)),
    )
    // in front, of the row itself, and not of one that it has read; what stands instead of CAP may store only what it names
    const isInstead = handlersOf(exposed).some(
      ({ value }) => (value.phase === 'on' || value.phase === 'prepend') && runsFor(value, 'UPDATE'),
    )
    return isOverwritten && !isInstead && isUntouched(exposed, 'UPDATE', false)
  }

  /** A handler in front of changes refuses rows by the element as it is stored. */
  function isRefusedFor(exposed: ExposedMember): boolean {
    return handlersOf(exposed).some(
      ({ value }) => value.phase === 'before' && value.refuses && value.compares.some((name) => isSame(exposed, name)),
    )
  }

  /** The handlers that run where clients write an entity. */
  function handlersOf({ service, entity }: ExposedMember): typeof writers {
    const names = projectedNames(root, entity.qualified)
    root.step(writers.length)
    return writers.filter(
      ({ value, event }) =>
        (value.entities?.some((name) => names.has(name)) ?? true) && (!event.isCertain || event.services.includes(service)),
    )
  }

  /** Whether a plain request sets the element, as far as handlers tell; undefined: they look at it, or overwrite it. */
  function passing(exposed: ExposedMember): PassingElement | undefined {
    const { entity, member } = exposed
    const own = handlersOf(exposed)
    const events = (['CREATE', 'UPDATE'] as const).filter((event) => accepts(entity, event))
    const open = events.filter((event) => own.every(({ value }) => !runsFor(value, event) || !looksAt(value, member.name)))
    const ways = open.map((event) => {
      const passed = own.filter(({ value }) => runsFor(value, event))
      const ahead = passed.filter(({ value }) => value.phase !== 'after' && !value.isForDrafts && value.entities !== undefined)
      // what is registered for many entities sets what they have in common
      const at = ahead.find(({ value }) => value.entities?.length === 1) ?? ahead[0]
      const [filled] = passed.flatMap(({ file, value }) => {
        const span = defaultOf(value, member.name)
        return span === undefined ? [] : { file, span: { start: span.start, end: span.end } }
      })
      return {
        isUnknown: passed.some(({ value }) => mayAskFor(value, member.name)),
        ...(open.length < events.length && { event }),
        ...(filled !== undefined && { filled }),
        ...(at !== undefined && { handler: { file: at.file, span: { start: at.value.start, end: at.value.end } } }),
      }
    })
    return ways.find(({ isUnknown }) => !isUnknown) ?? ways[0]
  }

  /** Of an action of another service: users of this one have an action of their own that sets the element, so they may change it anyway. */
  function isSetByOwn(exposed: ExposedMember, writing: Writers): boolean {
    const { service } = exposed
    root.step(deciding.length)
    return deciding.some(
      ({ value, service: own, action }) =>
        own === service &&
        value.sets.some((set) => isSame(exposed, set.element) && isOf(exposed, set.entity, own)) &&
        !value.asksRole &&
        (action.access === undefined || action.access.kind !== 'roles' || writing.all(rolesOf(action))),
    )
  }

  function evidenceOf(
    exposed: ExposedMember,
    { value: handler, service, action }: (typeof deciding)[number],
    writing: Writers,
  ): Evidence | undefined {
    const isDecision = decides(action)
    const beside = known.filter(({ value }) => value.events.some((event) => handler.events.includes(event)))
    const isNarrower = isForFewerRoles(exposed, { service, action }, writing) || beside.some(({ value }) => value.asksRole)
    const isLess = isBesides(exposed, service, action) || (service !== exposed.service && isSetByOwn(exposed, writing))
    if (isNarrower) return isDecision && !isLess ? 'shown' : 'assumed'
    const isCompared = ({ compares }: StateHandler): boolean => compares.some((name) => isSame(exposed, name))
    // one step of many, which only rows in a certain state may take
    if (!isDecision) return handler.refuses && !isLess && isCompared(handler) ? 'assumed' : undefined
    return beside.some(({ value }) => isCompared(value)) ? 'assumed' : 'guessed'
  }
}

/** How a plain request sets an element. */
interface PassingElement {
  /** A handler may keep it from some clients. */
  readonly isUnknown: boolean
  /** The only event for which no handler looks at it, of the two that clients may send. */
  readonly event?: 'CREATE' | 'UPDATE'
  readonly handler?: Place
  /** Where a handler fills it in for clients who leave it out. */
  readonly filled?: Place
}

function rolesOf({ access }: CapElement): readonly string[] {
  return access?.kind === 'roles' ? access.roles : []
}

const RANK: readonly Evidence[] = ['shown', 'assumed', 'guessed']

/** The lower, the worse; of two actions with the same evidence that of others. */
function rankOf({ evidence, isForOthers }: Pick<BypassedAction, 'evidence'> & { readonly isForOthers?: boolean }): number {
  return 2 * RANK.indexOf(evidence) + (isForOthers === true ? 0 : 1)
}
