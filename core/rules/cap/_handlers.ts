import { constantOf } from '../../facts/constants.ts'
import { pathOf } from '../../facts/paths.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import type { CapRoot, CapService } from '../../model/cap/index.ts'
import { isKeptBy, scriptsKeptBy } from '../../model/kept-scripts.ts'

/** The implementation beside the service's file asks for a role of the caller. Needs the keyword `user.is`, and to keep what `asksForRoles`. */
export function isCheckedInCode({ files }: CapRoot, { place }: CapService): boolean {
  const base = place.file.replace(/\.cds$/i, '')
  return files.some(
    ({ path, content }) =>
      content.as === 'script' &&
      (path === `${base}.js` || path === `${base}.ts`) &&
      isKeptBy(content, asksForRoles) &&
      asksForRoles(content.facts),
  )
}

export function asksForRoles({ calls }: ScriptFacts): boolean {
  return calls.some(({ callee }) => pathOf(callee)?.slice(-2).join('.') === 'user.is')
}

/** Words near which handlers that may check or fill what is written are registered. */
export const HANDLER_KEYWORDS: readonly string[] = [
  '.before(',
  "'CREATE'",
  '"CREATE"',
  'BeforeCreate',
  'BeforeUpdate',
  'BeforeAll',
  'BeforeNewDraft',
]

const METHODS: ReadonlySet<string> = new Set(['before', 'on', 'prepend', 'reject'])

type WriteEvent = 'CREATE' | 'UPDATE'

/** A draft becomes a row by SAVE; NEW makes the draft, PATCH changes it. */
const EVENTS: Readonly<Record<WriteEvent, ReadonlySet<string>>> = {
  CREATE: new Set(['CREATE', 'NEW', 'SAVE', 'INSERT', 'UPSERT', 'WRITE', '*']),
  UPDATE: new Set(['UPDATE', 'PATCH', 'EDIT', 'SAVE', 'UPSERT', 'WRITE', 'DELETE', '*']),
}

const DECORATORS: Readonly<Record<WriteEvent, RegExp>> = {
  CREATE: /^(?:Before|On)(?:Create|NewDraft|SaveDraft|All)$/,
  UPDATE: /^(?:Before|On)(?:Update|Delete|UpdateDraft|EditDraft|SaveDraft|All)$/,
}

export function handlesWrites(facts: ScriptFacts): boolean {
  return handlersOf(facts, 'CREATE').length > 0 || handlersOf(facts, 'UPDATE').length > 0
}

/** A handler runs when such an entity, or one that it projects on, is written; what it does is not looked at. Needs the keywords above. */
export function isHandled(root: CapRoot, entity: string, event: WriteEvent): boolean {
  const names = root.projected(entity).map((name) => name.slice(name.lastIndexOf('.') + 1))
  for (const { path, content } of scriptsKeptBy(root.files, handlesWrites)) {
    // jQuery has a method of that name too
    if (/(?:^|\/)webapp\//.test(path)) continue
    const handled = handlersOf(content.facts, event)
    if (handled.some((entities) => entities === undefined || names.some((name) => entities.has(name)))) return true
  }
  return false
}

/** Names of the entities that each handler runs for; undefined: it is not sure, or all of them. */
function handlersOf({ calls }: ScriptFacts, written: WriteEvent): readonly (ReadonlySet<string> | undefined)[] {
  return calls.flatMap(({ callee, args }) => {
    // decorators: the class says for which entity
    if (callee.kind === 'reference') return DECORATORS[written].test(callee.name) ? [undefined] : []
    if (callee.kind !== 'member' || callee.name === undefined || !METHODS.has(callee.name)) return []
    const [event, target] = args
    if (event === undefined || !isFor(event, EVENTS[written], callee.name)) return []
    const names = target === undefined || target.kind === 'function' ? [undefined] : itemsOf(target).map(entityName)
    return [names.every((name) => name !== undefined && name !== '*') ? new Set(names.flatMap((name) => name ?? [])) : undefined]
  })
}

/** The items of a list that is written out, or the value itself. */
export function itemsOf(value: Value): readonly Value[] {
  return value.kind === 'array' ? value.items : [value]
}

/** What is no constant may be any event; a lone function is a handler of all events. */
function isFor(event: Value, events: ReadonlySet<string>, method: string): boolean {
  if (event.kind === 'function') return method === 'before'
  return itemsOf(event).some((item) => {
    const name = constantOf(item)
    return name === undefined ? method === 'before' && item.kind !== 'object' : events.has(String(name))
  })
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
