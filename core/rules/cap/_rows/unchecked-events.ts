import {
  accepts,
  eventsCheckedInCode,
  uncheckedInCode,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
} from '../../../model/cap/index.ts'
import type { EntityHandler } from '../_handlers/write-handlers.ts'

/** Changes of an entity that no handler of its service looks at, while others are checked for a role. */
export interface UncheckedEvents {
  /** Events for which a handler asks for a role. */
  readonly checked: readonly string[]
  readonly left: readonly WriteEvent[]
}

/**
 * Handlers ask for a role where some events of an entity are sent, and CAP calls none of them for others; undefined: they ask for nothing, for all, or in a way that leaves
 * nothing open. `handlers`: those of the entity. Needs the extracts `roleChecks` and `entityHandlers`.
 */
export function uncheckedEvents(
  element: CapElement,
  service: CapService,
  handlers: readonly EntityHandler[],
  root: CapRoot,
): UncheckedEvents | undefined {
  const checked = eventsCheckedInCode(root, service, element) ?? eventsOfOwnLogin(element, service, handlers, root)
  if (checked.length === 0) return undefined
  const changes = checked.filter((event) => !READS.test(event))
  // of drafts, what is checked when one begins or is saved may be enough
  if (changes.some((event) => event !== 'WRITE' && !isWriteEvent(event))) return undefined
  const asking = handlers.flatMap(({ asks, refuses, events }) => (asks !== 'no' || refuses ? events : []))
  const covered = new Set(asking.flatMap((event) => WRITTEN_BY.get(event) ?? [event]))
  const left = WRITES.filter((event) => accepts(element, event) && !covered.has(event) && !covered.has('*'))
  // who may create a row is often any user
  return left.some((event) => event !== 'CREATE') ? { checked: [...new Set(checked)], left } : undefined
}

/** Events for which handlers ask for a role that a login of the project's own knows, where none asks for one of CAP's user. */
function eventsOfOwnLogin(
  element: CapElement,
  service: CapService,
  handlers: readonly EntityHandler[],
  root: CapRoot,
): readonly string[] {
  const isAsked = uncheckedInCode(root, service, [element]).length === 0
  const checked = isAsked ? [] : handlers.flatMap(({ asksRole, events }) => (asksRole ? events : []))
  return checked.includes('*') ? [] : checked
}

const WRITES = ['CREATE', 'UPDATE', 'DELETE'] as const
const READS = /^(?:READ|each)$/

/** Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: a handler for WRITE or SAVE is none for DELETE. */
const WRITTEN_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['WRITE', ['CREATE', 'UPDATE']],
  ['SAVE', ['CREATE', 'UPDATE']],
  ['PATCH', ['UPDATE']],
])

function isWriteEvent(event: string): boolean {
  return event === 'CREATE' || event === 'UPDATE' || event === 'DELETE' || event === 'UPSERT' || event === 'INSERT'
}
