import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { constantOf } from '../../facts/constants.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { pathOf } from '../../facts/paths.ts'
import type { CallValue, FunctionFact, ScriptFacts } from '../../facts/types.ts'
import type { Span } from '../../types.ts'
import { AUTHENTICATED_ROLES } from './access.ts'
import { isImplementedIn } from './implementations.ts'
import { decoratedHandlers } from './decorated-handlers.ts'
import { findHandlers, type HandlerFunction } from './registrations.ts'
import type { CapElement, CapRoot, CapService } from './types.ts'
import { isDraftEnabled, type WriteEvent } from './writing.ts'
import { lastName } from '../../paths.ts'

/** What handlers ask a role for: all of a service, or these parts of it. */
type Guarded = 'all' | readonly GuardedPart[]

/** Events of a handler that asks for a role: `*`, those of rows, or names of actions. */
interface GuardedPart {
  readonly events: readonly string[]
  /** Last parts of names; `all`: of any entity, or of none. */
  readonly entities: 'all' | readonly string[]
}

/** The questions for roles in one script, and what it implements. */
interface RoleChecks {
  readonly checks: readonly (Span & { readonly guarded: Guarded })[]
  /** Classes that extend another one: implementations of the services of their names. */
  readonly classes: readonly (Span & { readonly name: string })[]
  /** `cds.serve('Shop')`. */
  readonly served: readonly string[]
  /** Decorators register its handlers, with whatever service is handed the class. */
  readonly isDecorated: boolean
}

/** One item for each script that asks for a role. */
export const roleChecks: Extract<RoleChecks> = defineExtract({
  name: 'cap-role-checks',
  keywords: ['user.is'],
  collect({ facts }) {
    const handlers = findHandlers(facts)
    const checks = facts.calls
      .filter((call) => asksForRole(call) && !asksForAnyUser(call))
      .map((call) => {
        const { start, end } = call
        return { start, end, guarded: guardedAt(call, handlers, facts) }
      })
    if (checks.length === 0) return []
    const classes = facts.classes.flatMap(({ name, parent, start, end }) => (parent === undefined ? [] : { name, start, end }))
    return [{ checks, classes, served: servedIn(facts), isDecorated: decoratedHandlers(facts).length > 0 }]
  },
})

/** Whether the implementation beside the service's file asks for a role of the caller. Needs the extract `roleChecks`. */
export function isCheckedInCode({ scripts }: CapRoot, { place }: CapService): boolean {
  const base = place.file.replace(/\.cds$/i, '')
  return [`${base}.js`, `${base}.ts`].some((path) => scripts.of(path, roleChecks).length > 0)
}

/**
 * The elements of a service for which its implementation asks for no role. A check where rows are read says nothing of changes, nor the other way around: of an entity that
 * takes changes these count, unless `use` says otherwise. One event of rows is checked by handlers of that event alone. Needs the extract `roleChecks`.
 */
export function uncheckedInCode(
  root: CapRoot,
  service: CapService,
  elements: readonly CapElement[],
  use?: RowUse | RowEvent,
): readonly CapElement[] {
  const guarded = guardedParts(root, service)
  return guarded === 'all' ? [] : elements.filter((element) => !guarded.some((part) => covers(part, element, use)))
}

/** Whether clients read the rows of an entity, or change them. */
export type RowUse = 'read' | 'change'

/** What clients ask the rows of an entity for. */
export type RowEvent = 'READ' | WriteEvent

/**
 * The events of an entity's rows for which its implementation asks for a role, as handlers name them; undefined: it asks for all, or for none.
 * Needs the extract `roleChecks`.
 */
export function eventsCheckedInCode(root: CapRoot, service: CapService, entity: CapElement): readonly string[] | undefined {
  const guarded = guardedParts(root, service)
  if (guarded === 'all') return undefined
  const events = guarded
    .filter((part) => isFor(part, entity))
    .flatMap((part) => part.events.filter((event) => isOf(event, entity)))
  return events.length === 0 || events.includes('*') ? undefined : events
}

function guardedParts(root: CapRoot, service: CapService): Guarded {
  const parts: GuardedPart[] = []
  for (const { file, value } of root.scripts.get(roleChecks)) {
    const within = implementationIn(file, value, root, service)
    if (within === undefined) {
      // of several services, nobody can tell which one is handed the class
      if (value.isDecorated && root.services.length === 1)
        parts.push(...value.checks.flatMap(({ guarded }) => (guarded === 'all' ? [] : guarded)))
      continue
    }
    for (const { start, end, guarded } of value.checks) {
      if (within !== 'all' && (start < within.start || end > within.end)) continue
      if (guarded === 'all') return 'all'
      parts.push(...guarded)
    }
  }
  return parts
}

function covers(part: GuardedPart, element: CapElement, use: RowUse | RowEvent = element.writable ? 'change' : 'read'): boolean {
  if (!isFor(part, element)) return false
  const isUsed = (event: string): boolean => {
    if (element.kind !== 'entity') return true
    const called = calledFor(event, element)
    if (use === 'read') return called.includes('READ')
    return use === 'change' ? called.some((one) => one !== 'READ') : called.includes(use)
  }
  return part.events.some((event) => event === '*' || (isOf(event, element) && isUsed(event)))
}

function isFor({ entities }: GuardedPart, { kind, name, entity }: CapElement): boolean {
  const of = kind === 'entity' ? name : entity
  return entities === 'all' || (of !== undefined && entities.includes(lastName(of)))
}

/** CAP calls handlers for rows neither for actions of a service nor for those bound to a row. */
function isOf(event: string, { kind, name }: CapElement): boolean {
  return event === '*' || (kind === 'entity' ? EVENTS.test(event) : event === lastName(name))
}

/** The part of a script that implements a service: beside its file, where `@impl` says, a class of its name. */
function implementationIn(
  path: string,
  { classes, served }: RoleChecks,
  root: CapRoot,
  service: CapService,
): Span | 'all' | undefined {
  const own = classes.find(({ name }) => name === lastName(service.name))
  if (own !== undefined) return own
  const isServed = served.includes(service.name) || served.includes(lastName(service.name))
  return isServed || isImplementedIn(path, service, root) ? 'all' : undefined
}

/** Names of services in `cds.serve('Shop').with(srv => …)`. */
function servedIn({ calls }: ScriptFacts): string[] {
  return calls.flatMap(({ callee, args: [first] }) =>
    first === undefined || pathOf(callee)?.slice(-1)[0] !== 'serve' ? [] : [String(constantOf(first))],
  )
}

const REQUEST = /^(?:\w{1,20}:)?_?(?:req|request|oReq|oRequest|context|ctx|tx|msg|event)$/

/** `req.user.is(…)` with any name for the request, `cds.context.user.is(…)`; not the user of a row that was read. */
export function asksForRole({ callee }: CallValue): boolean {
  const path = pathOf(callee)
  if (path === undefined || path.slice(-2).join('.') !== 'user.is') return false
  const [root = ''] = path
  const owner = path.at(-3) ?? ''
  return owner.startsWith('parameter:') || root === 'module:@sap/cds' || root === 'global:cds' || REQUEST.test(owner)
}

/** All users of a service have these pseudo roles in common. Fact: @sap/cds 9.9.3, lib/req/user.js. */
function asksForAnyUser({ args: [role] }: CallValue): boolean {
  const name = role && String(constantOf(role))
  return name !== undefined && (name === 'any' || AUTHENTICATED_ROLES.has(name))
}

/**
 * The events of rows that an event of a handler is about; none: it is one of no rows. Drafts begin with NEW and EDIT, are changed by PATCH and thrown away by CANCEL.
 * Facts: @sap/cds 9.9.3, lib/srv/srv-handlers.js (SAVE and WRITE stand for CREATE, UPSERT and UPDATE); capire, "Draft-specific events".
 */
export function rowEventsOf(event: string): readonly RowEvent[] {
  return ROW_EVENTS.get(event) ?? []
}

/**
 * The events of rows for which CAP calls a handler: no client sends UPSERT, and NEW, EDIT and CANCEL come for drafts alone, the last one without any change of a row.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js (INSERT and PATCH are other names of CREATE and UPDATE).
 */
function calledFor(event: string, element: CapElement): readonly RowEvent[] {
  const isCalled = event !== 'UPSERT' && event !== 'CANCEL' && (isDraftEnabled(element) || !/^(?:NEW|EDIT)$/.test(event))
  return isCalled ? rowEventsOf(event) : []
}

const CHANGED: readonly RowEvent[] = ['CREATE', 'UPDATE']
const ROW_EVENTS: ReadonlyMap<string, readonly RowEvent[]> = new Map<string, readonly RowEvent[]>([
  ['READ', ['READ']],
  ['each', ['READ']],
  ...['CREATE', 'INSERT', 'NEW'].map((name): [string, readonly RowEvent[]] => [name, ['CREATE']]),
  ...['UPDATE', 'PATCH', 'EDIT'].map((name): [string, readonly RowEvent[]] => [name, ['UPDATE']]),
  ...['UPSERT', 'SAVE', 'WRITE'].map((name): [string, readonly RowEvent[]] => [name, CHANGED]),
  ['DELETE', ['DELETE']],
  ['CANCEL', ['DELETE']],
])

const EVENTS = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|INSERT|WRITE|NEW|PATCH|EDIT|SAVE|CANCEL|each)$/

/** Helpers that call each other, from a handler to the question. */
const MAX_HOPS = 3

/** What the handler around a question is for, or those that call the helper around it; what nobody can tell may be all. */
function guardedAt(call: CallValue, handlers: readonly HandlerFunction[], facts: ScriptFacts, hops = 0): Guarded {
  let handler: HandlerFunction | undefined
  let helper: FunctionFact | undefined
  for (let here: FunctionFact | undefined = call.function; here !== undefined && handler === undefined; here = here.parent) {
    const around = here
    handler = handlers.find(({ fact }) => fact === around)
    helper ??= around.name !== '' && around.kind !== 'file' ? around : undefined
  }
  if (handler?.fact !== undefined) {
    // what is asked behind the deed, or without a rejection, guards nothing
    if (handler.phase === 'after' || !(hops > 0 || rejects(handler.fact, facts))) return []
    return handledBy(handler)
  }
  if (helper === undefined || hops >= MAX_HOPS || !rejects(helper, facts)) return 'all'
  const callers = facts.calls.filter(({ callee }) => functionOf(callee) === helper)
  const guarded = callers.map((caller) => guardedAt(caller, handlers, facts, hops + 1))
  return guarded.length === 0 || guarded.includes('all') ? 'all' : guarded.flatMap((names) => (names === 'all' ? [] : names))
}

function handledBy({ events, entities }: HandlerFunction): Guarded {
  const names = events.flatMap((name) => name ?? [])
  if (names.length < events.length || names.length === 0) return 'all'
  return names.includes('*') && entities === undefined ? 'all' : [{ events: names, entities: entities ?? 'all' }]
}

function rejects({ start, end }: Span, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) =>
      call.start >= start &&
      call.end <= end &&
      /^(?:reject|error|sendStatus|status|\w*Error)$/.test(lastNameOf(call.callee) ?? ''),
  )
}
