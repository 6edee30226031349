import { constantOf } from '../../facts/constants.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { pathOf } from '../../facts/paths.ts'
import type { CallValue, FunctionFact, ScriptFacts } from '../../facts/types.ts'
import { findCallbacks, methodOf, type Callback } from '../../flow/callbacks.ts'
import { wordOf, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { scriptsKeptBy } from '../../model/kept-scripts.ts'
import type { Span } from '../../types.ts'
import { asksForRoles, entityName, itemsOf } from './_handlers.ts'

/** What handlers ask a role for: all of a service, or the entities and actions of these names. */
type Guarded = 'all' | ReadonlySet<string>

/** The elements of a service for which its implementation asks for no role. Needs the keyword `user.is`, and to keep what `asksForRoles`. */
export function uncheckedInCode(root: CapRoot, service: CapService, elements: readonly CapElement[]): readonly CapElement[] {
  const names = new Set<string>()
  for (const { path, content } of scriptsKeptBy(root.files, asksForRoles)) {
    const within = asksForRoles(content.facts) ? implementationIn(path, content.facts, root, service) : undefined
    if (within === undefined) continue
    const guarded = guardedBy(content.facts, within)
    if (guarded === 'all') return []
    for (const name of guarded) names.add(name)
  }
  if (names.size === 0) return elements
  return elements.filter(({ name, entity }) => ![name, entity].some((one) => one !== undefined && names.has(lastPart(one))))
}

/** Where CAP looks for the implementation of a service. Fact: @sap/cds 9.9.3, lib/srv/factory.js. */
const FOLDERS = ['', 'lib/', 'handlers/']

/** The part of a script that implements a service: beside its file, where `@impl` says, a class of its name. */
function implementationIn(path: string, facts: ScriptFacts, { root }: CapRoot, service: CapService): Span | undefined {
  const { file } = service.place
  const [whole] = facts.functions
  const own = facts.classes.find(({ name, parent }) => name === lastPart(service.name) && parent !== undefined)
  if (own !== undefined) return own
  const withoutEnding = path.replace(/\.[cm]?[jt]s$/, '')
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const base = file.slice(folder.length).replace(/\.cds$/i, '')
  const beside = FOLDERS.map((one) => `${folder}${one}${base}`)
  const said = wordOf(service.annotations.get('impl')?.value)
  if (said !== undefined) {
    const relative = said.replace(/^(?:\.?\/)+/, '').replace(/\.[cm]?[jt]s$/, '')
    beside.push(`${folder}${relative}`, root === '' ? relative : `${root}/${relative}`)
  }
  if (beside.includes(withoutEnding)) return whole
  return isServedHere(facts, service) ? whole : undefined
}

/** `cds.serve('Shop').with(srv => …)`. */
function isServedHere({ calls }: ScriptFacts, { name }: CapService): boolean {
  return calls.some(({ callee, args: [first] }) => {
    if (first === undefined || pathOf(callee)?.slice(-1)[0] !== 'serve') return false
    return [name, lastPart(name)].includes(String(constantOf(first)))
  })
}

function guardedBy(facts: ScriptFacts, within: Span): Guarded {
  const callbacks = findCallbacks(facts)
  const names = new Set<string>()
  for (const call of facts.calls) {
    if (call.start < within.start || call.end > within.end || !asksForRole(call)) continue
    const guarded = guardedAt(call, callbacks, facts)
    if (guarded === 'all') return 'all'
    for (const name of guarded) names.add(name)
  }
  return names
}

function asksForRole({ callee }: CallValue): boolean {
  return pathOf(callee)?.slice(-2).join('.') === 'user.is'
}

const EVENTS = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|INSERT|WRITE|NEW|PATCH|EDIT|SAVE|CANCEL|each)$/

/** What the handler around a question is for; what nobody can tell may be all. */
function guardedAt(call: CallValue, callbacks: ReadonlyMap<FunctionFact, Callback>, facts: ScriptFacts): Guarded {
  for (let here: FunctionFact | undefined = call.function; here !== undefined; here = here.parent) {
    const callback = callbacks.get(here)
    const method = callback === undefined ? undefined : methodOf(callback)
    if (callback === undefined || method === undefined || !/^(?:before|on|after)$/.test(method)) continue
    // what is asked behind the deed, or without a rejection, guards nothing
    if (method === 'after' || !rejects(here, facts)) return new Set()
    return handledBy(callback)
  }
  return 'all'
}

function handledBy({ call: { args }, index }: Callback): Guarded {
  const [event, target] = args
  if (event === undefined || index === 0) return 'all'
  const events = itemsOf(event).map((item) => constantOf(item))
  if (events.some((name) => typeof name !== 'string')) return 'all'
  const names = index === 1 || target === undefined ? ['*'] : itemsOf(target).map(entityName)
  const entities = new Set(names.flatMap((name) => name ?? []))
  if (names.some((name) => name === undefined)) return 'all'
  if (!entities.has('*')) return entities
  // without an entity, an event that is not one of the database is an action
  return events.some((name) => name === '*' || EVENTS.test(String(name))) ? 'all' : new Set(events.map(String))
}

function rejects({ start, end }: Span, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) =>
      call.start >= start &&
      call.end <= end &&
      /^(?:reject|error|sendStatus|status|\w*Error)$/.test(lastNameOf(call.callee) ?? ''),
  )
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
