import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf } from '../../facts/constants.ts'
import { pathOf } from '../../facts/paths.ts'
import type { CallValue, Value } from '../../facts/types.ts'
import type { Span } from '../../types.ts'
import type { CapRoot } from './types.ts'

/** A handler that a script registers with a service. */
export interface HandlerRegistration extends Span {
  readonly method: 'before' | 'on' | 'after' | 'prepend' | 'reject'
  /** Names of events, `*` for all of them; undefined: one that is no constant. */
  readonly events: readonly (string | undefined)[]
  /** Last parts of the names of the entities; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** A decorator of TypeScript: `BeforeCreate`. It stands in a class that says for which entity. */
  readonly decorator: string | undefined
}

const METHODS: Readonly<Record<string, HandlerRegistration['method']>> = {
  before: 'before',
  on: 'on',
  after: 'after',
  prepend: 'prepend',
  reject: 'reject',
}

const DECORATOR = /^(Before|On|After)(?:[A-Z]\w{0,40})$/

/** The handlers that scripts register, in every form that one file decides. */
export const handlerRegistrations: Extract<HandlerRegistration> = defineExtract({
  name: 'cap-handler-registrations',
  keywords: ['.before(', "'CREATE'", '"CREATE"', 'BeforeCreate', 'BeforeUpdate', 'BeforeAll', 'BeforeNewDraft'],
  // jQuery has methods of these names too
  collect: ({ path, facts }) => (/(?:^|\/)webapp\//.test(path) ? [] : facts.calls.flatMap((call) => registrationOf(call) ?? [])),
})

function registrationOf({ callee, args, start, end }: CallValue): HandlerRegistration | undefined {
  if (callee.kind === 'reference') {
    const [, when] = DECORATOR.exec(callee.name) ?? []
    const method = when === undefined ? undefined : METHODS[when.toLowerCase()]
    return method && { start, end, method, events: [], entities: undefined, decorator: callee.name }
  }
  if (callee.kind !== 'member' || callee.name === undefined || !Object.hasOwn(METHODS, callee.name)) return undefined
  const method = METHODS[callee.name]
  const [event, target] = args
  if (method === undefined || event === undefined) return undefined
  const registration = { start, end, method, events: eventsOf(event, method), decorator: undefined }
  return { ...registration, entities: target === undefined || target.kind === 'function' ? undefined : entitiesOf(target) }
}

/** A lone function is a handler of all events, where `before` takes it. */
function eventsOf(event: Value, method: HandlerRegistration['method']): (string | undefined)[] {
  if (event.kind === 'function') return method === 'before' ? ['*'] : []
  return itemsOf(event).flatMap((item) => {
    const name = constantOf(item)
    if (name !== undefined) return [String(name)]
    return item.kind === 'object' ? [] : [undefined]
  })
}

/** Names of entities, by their last parts; undefined: one that nobody can tell, or all of them. */
export function entitiesOf(target: Value): readonly string[] | undefined {
  const names = itemsOf(target).map(entityName)
  const known = names.flatMap((name) => name ?? [])
  return known.length < names.length || known.includes('*') ? undefined : known
}

/** The items of a list that is written out, or the value itself. */
export function itemsOf(value: Value): readonly Value[] {
  return value.kind === 'array' ? value.items : [value]
}

/** The last part of `'Shop.Orders'`, `this.entities.Orders` and `Orders.drafts`, under whatever name a file knows it. */
export function entityName(value: Value): string | undefined {
  const constant = constantOf(value)
  const path = constant === undefined ? pathOf(value) : String(constant).split('.')
  const steps = path?.filter((step) => step !== 'drafts')
  const last = steps?.at(-1)
  if (last === undefined || (constant === undefined && steps?.length === 1)) return undefined
  return /^[\w$*]+$/.test(last) ? last : undefined
}

type HandledEvent = 'CREATE' | 'UPDATE'

/** A draft becomes a row by SAVE; NEW makes the draft, PATCH changes it. */
const EVENTS: Readonly<Record<HandledEvent, ReadonlySet<string>>> = {
  CREATE: new Set(['CREATE', 'NEW', 'SAVE', 'INSERT', 'UPSERT', 'WRITE', '*']),
  UPDATE: new Set(['UPDATE', 'PATCH', 'EDIT', 'SAVE', 'UPSERT', 'WRITE', 'DELETE', '*']),
}

const DECORATORS: Readonly<Record<HandledEvent, RegExp>> = {
  CREATE: /^(?:Before|On)(?:Create|NewDraft|SaveDraft|All)$/,
  UPDATE: /^(?:Before|On)(?:Update|Delete|UpdateDraft|EditDraft|SaveDraft|All)$/,
}

/** Whether a handler runs when such an entity, or one that it projects on, is written; what it does is not looked at. Needs the extract
 *  `handlerRegistrations`. */
export function isHandled(root: CapRoot, entity: string, event: HandledEvent): boolean {
  const names = new Set(root.projected(entity).map((name) => name.slice(name.lastIndexOf('.') + 1)))
  return root.scripts
    .get(handlerRegistrations)
    .some(({ value }) => isFor(value, event) && (value.entities?.some((name) => names.has(name)) ?? true))
}

/** What is no constant may be any event, where it runs before one. */
function isFor({ method, events, decorator }: HandlerRegistration, written: HandledEvent): boolean {
  if (decorator !== undefined) return DECORATORS[written].test(decorator)
  if (method === 'after') return false
  return events.some((name) => (name === undefined ? method === 'before' : EVENTS[written].has(name)))
}
