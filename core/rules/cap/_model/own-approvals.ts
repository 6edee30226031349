import {
  accepts,
  AUTHENTICATED_ROLES,
  grantsEvent,
  isAdministrative,
  notesUser,
  privilegesOf,
  toWords,
  type CapElement,
  type CapService,
  type Privilege,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { ownerOf } from '../_rows/owned-entities.ts'

/** All events of their own rows, given to those who make them, where the model knows others who approve. */
export interface OwnApproval {
  readonly users: readonly string[]
  readonly approver: string
  readonly creator: string
}

/** In words: a role for a second person. */
const APPROVER = /(?:^| )(?:approvers?|reviewers?|approvals?)(?: |$)/
/** In words: who made the row, where code or a condition says so. Of an approver, the same condition is the check. */
export const CREATOR: RegExp =
  /^(?:created by|creator|requested by|requester|requestor|submitted by|submitter|applicant)(?: (?:id|name|user|e ?mail))?$/

/**
 * `grant: '*', to: 'User', where: 'createdBy = $user'` beside a role of approvers: the bound action, which has no restriction of its own, is part of `*`.
 * Facts: capire, "Authorization" (`*` stands for all events, bound actions included; a bound action without restrictions takes those of its entity).
 */
export function ownApproval(service: CapService, action: CapElement, entity: CapElement): OwnApproval | undefined {
  if (action.annotations.has('restrict') || action.annotations.has('requires') || !accepts(entity, 'CREATE')) return undefined
  const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
  const name = lastName(action.name)
  for (const privilege of privileges) {
    const creator = ownerOf(privilege)
    if (creator === undefined || !isMaker(entity, creator) || !isForAllEvents(privilege, name)) continue
    const users = (privilege.to ?? []).filter((role) => isAdmitted(service, role) && !isOfApprovers(role))
    const others = privileges.flatMap((one) => (one !== privilege && grantsEvent(one, 'READ') ? (one.to ?? []) : []))
    const approver = others.find((role) => isOfApprovers(role))
    if (users.length > 0 && approver !== undefined) return { users, approver, creator }
  }
  return undefined
}

/** By `*`, and not by its name, which says that they may. */
function isForAllEvents({ grants }: Privilege, action: string): boolean {
  return grants.includes('*') && !grants.includes(action)
}

function isMaker(entity: CapElement, creator: string): boolean {
  return CREATOR.test(toWords(creator)) || entity.members().some((member) => member.name === creator && notesUser(member))
}

function isOfApprovers(role: string): boolean {
  return APPROVER.test(toWords(role))
}

function isAdmitted({ access }: CapService, role: string): boolean {
  if (isAdministrative(role)) return false
  return access.kind !== 'roles' || access.roles.some((one) => one === role || AUTHENTICATED_ROLES.has(one))
}
