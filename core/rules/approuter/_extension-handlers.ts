import { fieldOf, findOrigin, pathsOf, resolveValue, valuesOf } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { append } from '../../lists.ts'
import type { FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Span } from '../../types.ts'
import { ANSWERS, isFrom, refusesStrangers } from './_refused-strangers.ts'

/** Paths that probes, monitors and the login request. */
const HARMLESS = /health|ready|alive|ping|logout|version|metrics/i
/** Handlers that forward or serve files. */
const FORWARDS = /^(?:createProxyMiddleware|proxy|httpProxy|static|serveStatic|express|Router)$/

/** Before the approuter has made any check. */
const EARLY: readonly string[] = ['first', 'firstWS']
/** Behind the checks, which the route of a request decides about. */
const LATE: readonly string[] = ['beforeRequestHandler', 'beforeRequestHandlerWS']
const SLOTS: readonly string[] = [...EARLY, ...LATE]

/** Words of which a file has one that inserts handlers. */
export const EXTENSION_KEYWORDS: readonly string[] = ['@sap/approuter', 'insertMiddleware']

/** A handler that answers requests itself. */
export interface AnsweringHandler extends Span {
  readonly slot: string
  /** What URLs begin with that it gets; `/`: all. */
  readonly path: string
  /** It reads a member of the user of the session, `req.user.token`: without one it throws. */
  readonly readsUser: boolean
  /** It answers credentials of its environment. */
  readonly tellsSecrets: boolean
}

/** Handlers that answer before any check. */
export function* earlyHandlers(facts: ScriptFacts): Generator<AnsweringHandler> {
  for (const handler of answeringHandlers(facts)) if (EARLY.includes(handler.slot)) yield handler
}

/** Handlers that answer behind the checks. */
export const lateHandlers: Extract<AnsweringHandler> = defineExtract({
  name: 'approuter-late-handlers',
  keywords: EXTENSION_KEYWORDS,
  prefilter: (text) => text.includes('beforeRequestHandler'),
  *collect({ facts }) {
    for (const handler of answeringHandlers(facts)) if (LATE.includes(handler.slot)) yield handler
  },
})

function* answeringHandlers(facts: ScriptFacts): Generator<AnsweringHandler> {
  const partsOf = createPartsReader(facts)
  for (const { slot, path, handler, start, end } of [...insertedByCalls(facts), ...insertedByExtensions(facts)]) {
    if (HARMLESS.test(path)) continue
    const parts = partsOf(handler)
    if (answers(handler, parts) && !refusesStrangers(handler, parts))
      yield { slot, path, readsUser: readsUser(handler, parts), tellsSecrets: tellsSecrets(handler, parts), start, end }
  }
}

/** What lies within a handler, and what of the whole file is asked of it. */
interface HandlerParts extends Pick<ScriptFacts, 'calls' | 'guards' | 'assignments'> {
  /** Whether a member of `user` of this parameter is read: `req.user.token`. */
  readsUserOf(request: unknown): boolean
  /** Paths that are given to methods of an application. */
  pathsOf(app: unknown): readonly string[]
}

/** Handlers may be many: the file is looked through once for all of them. */
function createPartsReader(facts: ScriptFacts): (written: Value) => HandlerParts {
  const callsIn = createInnerIndex(facts.calls)
  const guardsIn = createInnerIndex(facts.guards)
  const assignmentsIn = createInnerIndex(facts.assignments)
  let asked: ReadonlySet<unknown> | undefined
  let paths: ReadonlyMap<unknown, readonly string[]> | undefined
  const ofFile = {
    readsUserOf: (request: unknown) => (asked ??= askedForUser(facts)).has(request),
    pathsOf: (app: unknown) => (paths ??= pathsByApp(facts)).get(app) ?? [],
  }
  return (written) => {
    const handler = resolveValue(written)
    if (handler.kind !== 'function') return { calls: [], guards: [], assignments: [], ...ofFile }
    const { function: own } = handler
    return { calls: callsIn(own), guards: guardsIn(own), assignments: assignmentsIn(own), ...ofFile }
  }
}

function askedForUser(facts: ScriptFacts): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  for (const { value } of valuesOf(facts)) {
    if (value.kind !== 'member' || value.object.kind !== 'member') continue
    const { name, object } = value.object
    if (name === 'user' && object.kind === 'reference' && object.binding !== undefined) found.add(object.binding)
  }
  return found
}

function pathsByApp({ calls }: ScriptFacts): ReadonlyMap<unknown, readonly string[]> {
  const found = new Map<unknown, string[]>()
  for (const { callee, args } of calls) {
    const [path] = args
    const app = callee.kind === 'member' && callee.object.kind === 'reference' ? callee.object.binding : undefined
    if (app !== undefined && path?.kind === 'literal' && String(path.value).startsWith('/'))
      append(found, app, String(path.value))
  }
  return found
}

/** Functions that get requests of logged-in users, those behind the checks; with `below` those alone that get all URLs below it. */
export function lateFunctions(facts: ScriptFacts, below?: string): ReadonlySet<FunctionFact> {
  const inserted = [...insertedByCalls(facts), ...insertedByExtensions(facts)]
  return new Set(
    inserted.flatMap(({ slot, path, handler }) =>
      LATE.includes(slot) && (below === undefined || path === below) ? (functionOf(handler) ?? []) : [],
    ),
  )
}

/** A handler that a start script or an extension inserts. */
interface Inserted extends Span {
  readonly slot: string
  readonly path: string
  readonly handler: Value
}

/** `ar.first.use(path, handler)`; without a path the handler gets every request. */
function* insertedByCalls({ calls }: ScriptFacts): Generator<Inserted> {
  for (const { callee, args, start, end } of calls) {
    const slot = slotOf(callee)
    const [path, handler = path] = args
    if (slot !== undefined && handler !== undefined) yield { slot, path: textOf(path), handler, start, end }
  }
}

/** `module.exports = { insertMiddleware: { first: [handler, { path, handler }] } }`, and the same in the options of `start`. */
function* insertedByExtensions({ exports, calls }: ScriptFacts): Generator<Inserted> {
  const options = calls.flatMap(({ callee, args }) => (lastNameOf(callee) === 'start' ? args : []))
  const listed = options.flatMap((value) => itemsOf(partOf(value, 'extensions')))
  const inserted = [...exports.map(({ value }) => value), ...listed].map((extension) => partOf(extension, 'insertMiddleware'))
  for (const { name, value } of exports) if (name === 'insertMiddleware') inserted.push(value)
  for (const slots of inserted) {
    for (const slot of SLOTS) {
      for (const item of itemsOf(partOf(slots, slot))) {
        const handler = partOf(item, 'handler') ?? item
        yield { slot, path: textOf(partOf(item, 'path')), handler, start: item.start, end: item.end }
      }
    }
  }
}

function textOf(value: Value | undefined): string {
  return value?.kind === 'literal' ? String(value.value) : '/'
}

function partOf(value: Value | undefined, name: string): Value | undefined {
  return fieldOf(value && resolveValue(value), name)?.value
}

function itemsOf(value: Value | undefined): readonly Value[] {
  const list = value && resolveValue(value)
  return list?.kind === 'array' ? list.items : []
}

/** A slot of what @sap/approuter returns, also behind other handlers of the chain. */
function slotOf(callee: Value): string | undefined {
  for (const [root, , slot = '', ...rest] of pathsOf(callee)) {
    if (root !== 'module:@sap/approuter' || !SLOTS.includes(slot)) continue
    if (rest.at(-1) === 'use') return slot
  }
  return undefined
}

function answers(written: Value, parts: HandlerParts): boolean {
  const handler = resolveValue(written)
  if (handler.kind === 'call' || handler.kind === 'new')
    return FORWARDS.test(lastNameOf(handler.callee) ?? '') && !isForProbes(written, parts)
  const own = handler.kind === 'function' ? handler.function : undefined
  if (own === undefined) return false
  const callsNext = parts.calls.some(({ callee }) => lastNameOf(callee) === 'next')
  const [, response] = own.parameters
  return parts.calls.some(({ callee }) => {
    if (callee.kind !== 'member' || !ANSWERS.has(callee.name ?? '')) return false
    // one that ends some requests and calls next for the others is a guard
    if (callsNext && callee.name === 'end') return false
    return response !== undefined && isFrom(callee.object, response)
  })
}

function readsUser(written: Value, parts: HandlerParts): boolean {
  const handler = resolveValue(written)
  const [request] = handler.kind === 'function' ? handler.function.parameters : []
  return request !== undefined && parts.readsUserOf(request)
}

/** What of the environment is a credential, by the name that it is read or answered by. */
const SECRETS = /VCAP_SERVICES|credentials|secret|passw|token|api_?key|private_?key/i

/** `res.end(JSON.stringify({ key: services.credentials.API_KEY }))`: a value of the environment reaches an answer, and a name says what it is. */
function tellsSecrets(written: Value, parts: HandlerParts): boolean {
  const handler = resolveValue(written)
  const own = handler.kind === 'function' ? handler.function : undefined
  const [, response] = own?.parameters ?? []
  if (own === undefined || response === undefined) return false
  return parts.calls.some(({ callee, args }) => {
    const isAnswer = callee.kind === 'member' && ANSWERS.has(callee.name ?? '') && isFrom(callee.object, response)
    return isAnswer && args.some((given) => leadsToSecret(given))
  })
}

function leadsToSecret(answer: Value): boolean {
  const names: string[] = []
  const source = findOrigin(answer, (part) => {
    const paths = pathsOf(part)
    names.push(...paths.map((path) => path.slice(1).join('.')), lastNameOf(part) ?? '')
    return paths.some(([root, name]) => root === 'global:process' && name === 'env') ? 'source' : undefined
  })
  return source !== undefined && names.some((name) => SECRETS.test(name))
}

/** An application of express that has paths for probes only. */
function isForProbes(app: Value, { pathsOf }: HandlerParts): boolean {
  if (app.kind !== 'reference' || app.binding === undefined) return false
  const paths = pathsOf(app.binding)
  return paths.length > 0 && paths.every((path) => HARMLESS.test(path))
}
