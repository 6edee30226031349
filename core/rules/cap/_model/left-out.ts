import {
  accepts,
  isDraftEnabled,
  isReadable,
  isMandatory,
  privilegesOf,
  rowEventsOf,
  wordOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
  type EventFacts,
  type HandlerFunction,
  type RowEvent,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { EventNames } from '../_handlers/handled-functions.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'

export type Handled = EventNames & Pick<HandlerFunction, 'phase'>

/** A handler, and one of the elements of a service that it is for. */
export interface HandledElement {
  readonly root: CapRoot
  readonly service: CapService
  readonly element: CapElement
  readonly handled: Handled
  readonly facts: EventFacts
  /** Of an entity: what clients send it, so that the handler runs. */
  readonly events: readonly RowEvent[]
  readonly version: CdsVersion
}

/** What is known of the version of @sap/cds. */
export interface CdsVersion {
  readonly isBelow7: boolean
  readonly isBelow8: boolean
  readonly isBelow9: boolean
}

export function sentEvents(element: CapElement, { events }: Handled): readonly RowEvent[] {
  if (element.kind !== 'entity') return []
  const named = new Set(events.flatMap(rowEventsOf))
  return [...named].filter((event) => (event === 'READ' ? isReadable(element) : accepts(element, event)))
}

/** Whether a request without an element or parameter gets to a handler. */
export function mayBeLeftOut(
  { field, isDate = false }: { readonly field: string; readonly isDate?: boolean },
  { element, handled, facts, events, version: { isBelow7, isBelow8, isBelow9 } }: HandledElement,
): boolean {
  if (element.kind !== 'entity') {
    const type = facts.data?.fields?.get(field)
    // Facts: @sap/cds, changelog of 8.0.2 and 9.0.0 (`not null` of parameters); 7.9.5 answers 400 to an action without a parameter that is a list, 6.8.4, 8.9.4 and 9.9.3 do not; the former two fill in null
    const isVersion8 = isBelow9 && !isBelow8
    const isVersion7 = isBelow8 && !isBelow7
    const isRefused =
      type?.isRequired === true || (type?.isNotNull === true && !isVersion8) || (type?.isList === true && isVersion7)
    return type !== undefined && !isRefused && !(isDate && isBelow8)
  }
  const member = memberNamed(element, field)
  if (member === undefined || member.key || isComputed(member)) return false
  const isDraft = isDraftEnabled(element)
  // an activation brings all compositions along
  if (isDraft && member.toMany) return false
  if (isDraft && handled.events.some((event) => event === 'NEW' || event === 'PATCH')) return true
  if (!events.some((event) => event === 'CREATE' || event === 'UPDATE')) return false
  if (![...member.annotations].some(([name, { value }]) => isMandatory(name, value))) return true
  return !isDraft && events.includes('UPDATE')
}

/** Whether some text of a client gets to a handler. */
export function mayBeMalformed(field: string, { element, facts, events }: HandledElement): boolean {
  if (element.kind === 'entity') {
    const member = memberNamed(element, field)
    if (member === undefined || isComputed(member) || !events.some((event) => event === 'CREATE' || event === 'UPDATE'))
      return false
  }
  const type = facts.data?.fields?.get(field)
  return type?.isText === true && type.fields === undefined
}

/** Whether a request that names no existing row gets to a handler. `entity`: that of the row, `field`: what names it, empty for the address. */
export function isRowMissing(
  { entity, field, isBehind = false }: { readonly entity: string; readonly field: string; readonly isBehind?: boolean },
  { root, service, element, handled, facts, events }: HandledElement,
): boolean {
  const owner = element.kind === 'entity' ? element : service.elements.find((one) => one.name === element.entity)
  const isOwn = owner !== undefined && (entity === '' || projectedNames(root, owner.qualified).has(entity))
  if (element.kind !== 'entity') {
    if (field !== '') return facts.data?.fields?.has(field) === true
    return owner !== undefined && (!isOwn || !isLookedUp(owner, element))
  }
  const member = field === '' ? undefined : memberNamed(element, field)
  if (field !== '' && (member === undefined || (isComputed(member) && !member.key))) return false
  if (member?.annotations.has('assert.target') === true) return false
  if (!isOwn || (member !== undefined && !member.key)) return !(isOwn && handled.phase === 'after')
  // its own row: what creates it comes first, drafts have one
  if (handled.phase === 'after' || isBehind || isDraftEnabled(element) || isLookedUp(element, element)) return false
  return events.includes('UPDATE') || events.includes('DELETE') || (events.includes('READ') && handled.phase === 'on')
}

/** The runtime reads the row itself before it calls a handler: for its ETag, a condition of @restrict, or a flow of states. Facts: @sap/cds 9.9.3, generic/etag.js, generic/auth/restrict.js. */
function isLookedUp(entity: CapElement, element: CapElement): boolean {
  const privileges = [entity, element].flatMap(({ annotations }) => privilegesOf(annotations.get('restrict')?.value))
  return (
    entity.members().some(({ annotations }) => annotations.has('odata.etag')) ||
    privileges.some(({ where }) => where !== undefined) ||
    element.annotations.has('from')
  )
}

/** `author_ID` is a key of the association `author`. */
function memberNamed(element: CapElement, field: string): CapMember | undefined {
  const members = element.members()
  return (
    members.find(({ name }) => name === field) ??
    members.find(({ name, type }) => type === 'Association' && field.startsWith(`${name}_`))
  )
}

const COMPUTED: readonly string[] = ['readonly', 'Core.Computed', 'cds.on.insert', 'cds.on.update', 'odata.etag']

/** What clients send for it does not get to a handler: each request is the same. */
function isComputed({ annotations, calculated }: CapMember): boolean {
  const control = wordOf(annotations.get('Common.FieldControl')?.value)
  return calculated || COMPUTED.some((name) => annotations.has(name)) || control === 'ReadOnly'
}

/** Whether a handler runs before another one for the same request. */
export function runsBefore(one: Handled, other: Handled): boolean {
  if (one.phase === 'after' || one.phase === 'reject' || (one.phase === 'on' && other.phase !== 'after')) return false
  if (one.entities !== undefined && other.entities?.some((name) => one.entities?.includes(lastName(name))) === false) return false
  const rows = new Set(other.events.flatMap(rowEventsOf))
  return one.events.some(
    (event) => event === '*' || other.events.includes(event) || rowEventsOf(event).some((name) => rows.has(name)),
  )
}
