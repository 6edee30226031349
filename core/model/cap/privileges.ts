import { AUTHENTICATED_ROLES, type Privilege } from './access.ts'
import type { CapService } from './types.ts'

/** Events of CRUD that a privilege is for, and names of actions; undefined: all of them. */
export function eventsOf({ grants }: Pick<Privilege, 'grants'>): ReadonlySet<string> | undefined {
  if (grants.length === 0 || grants.includes('*')) return undefined
  return new Set(grants.flatMap((grant) => (grant === 'WRITE' ? ['CREATE', 'UPDATE', 'DELETE'] : [grant])))
}

export function grantsEvent(privilege: Pick<Privilege, 'grants'>, event: string): boolean {
  return eventsOf(privilege)?.has(event) ?? true
}

/** More than reading: writing, or an action. */
export function grantsMoreThanReading(privilege: Pick<Privilege, 'grants'>): boolean {
  const events = eventsOf(privilege)
  return events === undefined || [...events].some((event) => event !== 'READ')
}

/** Users whom a privilege lets in, of those whom its service lets in: all of them, or who has one of some roles. */
export type Users = 'all' | ReadonlySet<string>

/** Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/restrictions.js (`to` is a list of roles of which one is enough; a missing one is `any`). */
export function usersOf({ to }: Pick<Privilege, 'to'>, { access }: Pick<CapService, 'access'>): Users {
  const isOpen = to === undefined || to.some((role) => role === 'any' || AUTHENTICATED_ROLES.has(role))
  if (!isOpen) return new Set(to)
  return access.kind === 'roles' ? new Set(access.roles) : 'all'
}

/** Whether the first are all among the second. */
export function areAmong(some: Users, others: Users): boolean {
  if (others === 'all') return true
  return some !== 'all' && [...some].every((role) => others.has(role))
}

/** Whether `broad` lets through whatever `narrow` does: privileges are joined by `or`, so the narrow one has no effect. */
export function isSubsumed(narrow: Privilege, broad: Privilege, service: Pick<CapService, 'access'>): boolean {
  if (broad.where !== undefined || broad.to?.length === 0 || narrow.to?.length === 0) return false
  const [less, more] = [eventsOf(narrow), eventsOf(broad)]
  const isCovered = more === undefined || (less !== undefined && [...less].every((event) => more.has(event)))
  return isCovered && areAmong(usersOf(narrow, service), usersOf(broad, service))
}
