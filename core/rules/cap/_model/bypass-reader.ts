import type { ExposedMember, WriteEvent } from '../../../model/cap/index.ts'
import type { Evidence, Place } from '../../../types.ts'

/** A state that an action decides, although a plain request can set it too. */
export interface BypassedAction {
  readonly action: string
  readonly evidence: Evidence
  /** The handler that runs for the plain request, and lets the element pass. */
  readonly handler?: Place
  /** The only event for which no handler looks at the element, of the two that clients may send. */
  readonly event?: 'CREATE' | 'UPDATE'
  /** The model gives the action to roles of which none of those who may change the element has one, apart from administrators. */
  readonly isForOthers?: true
  /** The model gives the action to fewer roles, and handlers refuse to change rows that have the state. */
  readonly isRefusedFor?: true
}

/** An action whose roles some of those lack who may change the element with a plain request. */
export interface ReservedAction {
  readonly action: string
  readonly roles: readonly string[]
  readonly writers: readonly string[]
}

/** Writing rows of another entity, such as approvals, sets the state of an element in code. */
export interface DecidingEntity {
  /** `Approvals`. */
  readonly entity: string
  readonly evidence: Evidence
  /** Handlers look at the element where clients change a row, though not where they create one: what lets it pass there. */
  readonly created?: Place
}

/** What can be asked about elements that handlers set and clients may write. */
export interface BypassReader {
  /** The action that decides the element, as handlers tell, although clients get around it. */
  bypassed(exposed: ExposedMember): BypassedAction | undefined
  /** The action for fewer roles that sets the element to what its caller sends, although a plain update sets it too. */
  reserved(exposed: ExposedMember): ReservedAction | undefined
  /** The entity whose rows set the element by a handler when they are written, for fewer users or after a look at the state, although a plain request sets it too. */
  decidedBy(exposed: ExposedMember): DecidingEntity | undefined
  /** A handler makes the element where a row is created, and no handler looks at it where clients change the row. `isCounted`: also of other elements that they send. */
  isComputedOnce(exposed: ExposedMember, isCounted: boolean): Evidence | undefined
  /** Handlers make the element of other elements alone, which clients write as well. */
  isMadeOfSent(exposed: ExposedMember): boolean
  /** A handler overwrites the element where a row is created, and nothing looks at it where clients change the row. */
  isPreset(exposed: ExposedMember): boolean
  /** Handlers look at the element, or overwrite it, wherever clients send it. */
  isChecked(exposed: ExposedMember): boolean
  /** A plain request sets the element, and no handler may keep it from anybody. */
  isTaken(exposed: ExposedMember): boolean
  /** No handler that runs for the event looks at the element, hands the request on or, unless roles are settled by the model, refuses callers. */
  isUntouched(exposed: ExposedMember, event: WriteEvent, areRolesSettled: boolean): boolean
  /** A handler that runs before clients change a row may look at the element. */
  isLookedAtBefore(exposed: ExposedMember): boolean
  /** Handlers ask for rights of the caller and refuse others before any of the writes that clients may send. */
  isRefusedBefore(exposed: ExposedMember): boolean
}
