import { constantOf } from '../../facts/constants.ts'
import { pathOf } from '../../facts/paths.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import type { CapRoot, CapService } from '../../model/cap/index.ts'

/** The implementation beside the service's file asks for a role of the caller. Needs the keyword `user.is`, and to keep what `asksForRoles`. */
export function isCheckedInCode({ files }: CapRoot, { place }: CapService): boolean {
  const base = place.file.replace(/\.cds$/i, '')
  return files.some(
    ({ path, content }) =>
      content.as === 'script' && (path === `${base}.js` || path === `${base}.ts`) && asksForRoles(content.facts),
  )
}

export function asksForRoles({ calls }: ScriptFacts): boolean {
  return calls.some(({ callee }) => pathOf(callee)?.slice(-2).join('.') === 'user.is')
}

/** Words near which a handler of CREATE is registered: `srv.before('CREATE', …)`, a decorator. */
export const CREATE_KEYWORDS: readonly string[] = [
  '.before(',
  "'CREATE'",
  '"CREATE"',
  'BeforeCreate',
  'BeforeNewDraft',
  'BeforeAll',
]

const METHODS: ReadonlySet<string> = new Set(['before', 'on', 'prepend', 'reject'])

/** A draft becomes a row by SAVE; NEW makes the draft. */
const CREATING: ReadonlySet<string> = new Set(['CREATE', 'NEW', 'SAVE', 'INSERT', 'UPSERT', 'WRITE', '*'])

export function handlesCreate(facts: ScriptFacts): boolean {
  return createHandlers(facts).length > 0
}

/** Names of entities that a handler runs for when one is created; undefined: it is not sure, or all of them. */
export function createHandlers({ calls }: ScriptFacts): readonly (ReadonlySet<string> | undefined)[] {
  return calls.flatMap((call) => {
    const { callee, args } = call
    // decorators: the class says for which entity
    if (callee.kind === 'reference')
      return /^(?:Before|On)(?:Create|NewDraft|SaveDraft|All)$/.test(callee.name) ? [undefined] : []
    if (callee.kind !== 'member' || callee.name === undefined || !METHODS.has(callee.name)) return []
    const [event, target] = args
    if (event === undefined || !isCreating(event, callee.name)) return []
    const names = target === undefined || target.kind === 'function' ? [undefined] : itemsOf(target).map(entityName)
    return [names.every((name) => name !== undefined && name !== '*') ? new Set(names.flatMap((name) => name ?? [])) : undefined]
  })
}

function itemsOf(value: Value): readonly Value[] {
  return value.kind === 'array' ? value.items : [value]
}

/** What is no constant may be any event; a lone function is a handler of all events. */
function isCreating(event: Value, method: string): boolean {
  if (event.kind === 'function') return method === 'before'
  return itemsOf(event).some((item) => {
    const name = constantOf(item)
    return name === undefined ? method === 'before' && item.kind !== 'object' : CREATING.has(String(name))
  })
}

/** The last part of `'Shop.Orders'`, `this.entities.Orders` and `Orders.drafts`, under whatever name a file knows it. */
function entityName(value: Value): string | undefined {
  const constant = constantOf(value)
  const path = constant === undefined ? pathOf(value) : String(constant).split('.')
  const steps = path?.filter((step) => step !== 'drafts')
  const last = steps?.at(-1)
  if (last === undefined || (constant === undefined && steps?.length === 1)) return undefined
  return /^[\w$*]+$/.test(last) ? last : undefined
}
