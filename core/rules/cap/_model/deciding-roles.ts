import {
  AUTHENTICATED_ROLES,
  grantsEvent,
  privilegesOf,
  type CapElement,
  type CapService,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { isOf } from './state-handlers.ts'

/** Names of actions that decide, rather than go one step further. */
const DECIDES =
  /^(?:(?:un)?b?lock|suspend|approve|reject|accept|decline|release|deny|grant|confirm|verify|certify|authori[sz]e|finali[sz]e|decide)|decision|approval$/i
/** Actions that only ask for a decision. */
const ASKS = /^(?:submit|request|send|forward)\w{0,20}For|^(?:submit|request)(?:Approval|Review|Release)$/i

/** Whether an action decides, by its name. */
export function decides({ name }: CapElement): boolean {
  return DECIDES.test(lastName(name)) && !ASKS.test(lastName(name))
}

/** Who may write an entity, as far as an action's roles are compared with that. */
export interface Writers {
  readonly all: (others: readonly string[]) => boolean
  readonly any: (others: readonly string[]) => boolean
  readonly areAdministrators: () => boolean
}

/** The model gives the action to roles that some of those lack who write the entity. */
export function isForFewerRoles(
  exposed: ExposedMember,
  { service, action }: { readonly service: CapService; readonly action: CapElement },
  writing: Writers,
): boolean {
  const roles = callersOf(exposed, service, action)
  return roles.length > 0 && !roles.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role)) && !writing.all(roles)
}

/**
 * The roles that the model gives an action to; nobody: it says nothing of roles.
 * Facts: capire, "Authorization": a bound action without a restriction of its own needs a privilege of its entity that names it.
 */
function callersOf({ service: own, entity }: ExposedMember, service: CapService, action: CapElement): readonly string[] {
  const isOwn = service === own && action.entity === entity.name
  if (isOwn && !action.annotations.has('restrict') && !action.annotations.has('requires')) {
    const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
    const name = lastName(action.name)
    if (privileges.length > 0) return privileges.flatMap((one) => (grantsEvent(one, name) ? (one.to ?? ['any']) : []))
  }
  const { kind, roles } = action.access ?? service.access
  return kind === 'roles' ? roles : []
}

/** An action of another service decides, and the writers of this one lack its roles. */
export function isOfOtherRoles(
  exposed: ExposedMember,
  { service, action }: { readonly service: CapService; readonly action: CapElement },
  writing: Writers,
): boolean {
  const { kind, roles } = action.access ?? service.access
  if (service === exposed.service || kind !== 'roles' || !decides(action)) return false
  return (
    !isBesides(exposed, service, action) &&
    !roles.some((role) => AUTHENTICATED_ROLES.has(role)) &&
    !writing.areAdministrators() &&
    !writing.any(roles)
  )
}

/** The action is about another entity, and sets this one as well. */
export function isBesides(exposed: ExposedMember, service: CapService, { entity }: CapElement): boolean {
  return entity !== undefined && !isOf(exposed, lastName(entity), service)
}
