import { accessesOf, fieldOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf, type Callback } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { privilegedSpans, type HandlerFunction, type PrivilegedSpan } from '../../model/cap/index.ts'
import type { FlowSink } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { builderBehind } from '../frameworks/query-sinks.ts'
import { entityOf } from './rows.ts'
import { addChosenTypes } from '../sinks/content-types.ts'
import { rejectionHandlers } from './failures.ts'
import { createQuietReader } from './quiet-tries.ts'
import { addIdentities } from '../sources/identities.ts'
import { addPollution } from '../sinks/pollution.ts'
import { addFound, addFoundParts } from '../sinks/sink-parts.ts'
import type { Span } from '../../types.ts'
import { isCds } from '../frameworks/cap-receivers.ts'
import { TELLS_REQUEST } from '../tables/http-sinks.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Adds what only servers have: users and tenants that are assigned, errors that are caught, work that is done later or with more rights. */
export function addServerFlow(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  addIdentities(draft)
  addErrors(draft)
  addReturnedErrors(handlers, draft)
  addRejections(draft)
  addPrivileged(handlers, draft)
  addPollution(draft)
  addArchives(draft)
  addChosenTypes(draft)
}

/** `catch (error)`, `.catch((error) => …)`, the first parameter of a middleware for errors and of a callback that is called so. */
function addErrors(draft: FlowDraft): void {
  const { facts, graph, text, step } = draft
  const originOf = createErrorReader(draft)
  const isQuiet = createQuietReader(facts, text, step)
  // theirs may be the exception of a request, which says more
  const rejected = new Set([...rejectionHandlers(facts)].map(({ handler }) => functionOf(handler)))
  for (const binding of facts.bindings) {
    const [definition] = binding.definitions
    if (
      binding.kind !== 'catch' &&
      !(definition?.kind === 'parameter' && isErrorParameter(binding.function, binding.name, definition))
    )
      continue
    if (rejected.has(binding.function) && binding.function.parameters.includes(binding)) continue
    if (definition?.tried !== undefined && isQuiet(definition.tried)) continue
    const { node } = graph.of(binding)
    draft.ends.sources.push({ node, origin: originOf(definition?.tried), weak: false })
    if (definition !== undefined && definition.path.length > 0) draft.show(node, undefined, definition.path)
  }
}

/** `srv.on('fetchRates', async () => { try { … } catch (error) { return error } })`: the client gets it as JSON. What is read of it tells less, unless it is all that it has. */
function addReturnedErrors(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  for (const { phase, fact } of handlers)
    for (const value of phase === 'on' ? (fact?.returns ?? []) : [])
      addFound(
        'binding' in value && value.binding?.kind === 'catch' ? FOUND_SINKS.returnedError : FOUND_SINKS.returnedText,
        value,
        draft,
        { name: 'return' },
      )
}

/** The parameter of `.catch((error) => …)` and of `.then(done, (error) => …)`, whatever it is called, a pattern too. */
function addRejections(draft: FlowDraft): void {
  const { facts, ends, parameters } = draft
  const originOf = createErrorReader(draft)
  for (const { tried, handler } of rejectionHandlers(facts)) {
    const fact = functionOf(handler)
    const node = fact && parameters.nodeOf(fact, 0)
    if (node !== undefined) ends.sources.push({ node, origin: originOf(tried), weak: false })
  }
}

/** What is thrown where others are asked for something tells how they were asked. Gives the origin of what comes out of a span. */
function createErrorReader({ facts }: FlowDraft): (tried: Span | undefined) => 'error' | 'request-error' {
  const asks = ({ callee }: CallValue): boolean => accessesOf(callee).some(({ root }) => TELLS_REQUEST.has(root))
  const isAsked = facts.imports.some(({ source }) => TELLS_REQUEST.has(`module:${source}`))
  const starts = isAsked ? facts.calls.flatMap((call) => (asks(call) ? [call.start] : [])).sort((a, b) => a - b) : []
  return (tried) => {
    if (tried === undefined) return 'error'
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) < tried.start) low = middle + 1
      else high = middle
    }
    return (starts[low] ?? Infinity) < tried.end ? 'request-error' : 'error'
  }
}

const ERROR_NAME = /^_?(?:e|err|error|exception|ex)$/i

function isErrorParameter(
  fact: FunctionFact,
  name: string,
  { parameter, path }: { readonly parameter: number | undefined; readonly path: readonly string[] },
): boolean {
  // a method with four is a middleware for errors all the same. Fact: Express 5, "Error handling"
  const isCalledSo = fact.kind !== 'method' || fact.parameters.length === 4
  return parameter === 0 && path.length === 0 && ERROR_NAME.test(name) && isCalledSo
}

/** What is written or queued as the privileged user. */
function addPrivileged(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  const spans = privilegedSpans(draft.facts)
  for (const call of draft.facts.calls)
    if (call.kind === 'call' && isChange(call) && !isWithinContext(call, draft))
      addAll(call.args, FOUND_SINKS.trustedRow, call, draft)
  if (handlers.length === 0 && spans.length === 0) return
  for (const call of draft.facts.calls) {
    if (call.kind !== 'call') continue
    const queued = queuedBy(call, draft.server.callbacks)
    const isPrivileged = spans.some((span) => isWithin(call, span))
    if (!isPrivileged) continue
    const spawned = isSpawned(call, draft)
    if (!spawned) addPrivilegedQuery(call, spans, draft)
    if (queued) addAll(call.args.slice(1), FOUND_SINKS.queuedRow, call, draft)
    if (spawned && isWrite(call)) addAll(call.args, FOUND_SINKS.spawnedRow, call, draft)
  }
}

/** What a query of the privileged user reads or changes, where a client decides about it. It is told where the user is said. */
function addPrivilegedQuery(call: CallValue, spans: readonly PrivilegedSpan[], draft: FlowDraft): void {
  const { callee, args } = call
  const builder = builderBehind(callee)
  const name = lastNameOf(callee) ?? ''
  if (builder === undefined || builder === 'INSERT' || !/^(?:where|and|with|set|entries|byKey|from|UPDATE|DELETE)$/.test(name))
    return
  const entity = entityOf(call)
  const span = spans.find((one) => isWithin(call, one))
  if (entity === undefined || span === undefined) return
  const told = { name: `${builder}(${entity})`, api: { subject: entity }, at: span.user }
  // behind the entity stands a key
  for (const argument of /^(?:from|UPDATE|DELETE)$/.test(name) ? args.slice(1) : args)
    addFoundParts(FOUND_SINKS.privilegedQuery, argument, draft, () => told)
}

function addAll(values: readonly Value[], kind: Pick<FlowSink, 'fault' | 'detail'>, call: CallValue, draft: FlowDraft): void {
  for (const value of values) addFoundParts(kind, value, draft, () => ({ name: nameOf(call.callee), call: call.end }))
}

/** `cds.queued(srv).tx({ user }).send('pay', data)`. */
function queuedBy({ callee }: CallValue, callbacks: ReadonlyMap<FunctionFact, Callback>): boolean {
  if (callee.kind !== 'member' || !/^(?:send|emit|schedule)$/.test(callee.name ?? '')) return false
  let here = resolveValue(callee.object)
  for (let hops = 0; hops < 8; hops++) {
    // queued.tx({ user }, (tx) => tx.send(…))
    const binding = here.kind === 'reference' ? here.binding : undefined
    const around = binding?.kind === 'parameter' ? callbacks.get(binding.function)?.call.callee : undefined
    if (around?.kind === 'member' && /^(?:tx|transaction)$/.test(around.name ?? '')) here = resolveValue(around.object)
    else if (here.kind === 'await') here = resolveValue(here.value)
    else if (here.kind === 'call') {
      const name = lastNameOf(here.callee)
      if (name === 'queued' || name === 'outboxed') return true
      if (here.callee.kind !== 'member') return false
      here = resolveValue(here.callee.object)
    } else return false
  }
  return false
}

function isSpawned(call: CallValue, { facts }: FlowDraft): boolean {
  return facts.calls.some((one) => lastNameOf(one.callee) === 'spawn' && isWithin(call, one))
}

const MAX_CALLERS = 3

/** `cds.tx({ tenant, user }, () => INSERT…)`: whoever it is done for was chosen, which is looked at by itself. So it is in a function that is only called there. */
function isWithinContext(call: CallValue, draft: FlowDraft, depth = 0): boolean {
  const { function: within } = call
  const { facts, step } = draft
  step(facts.calls.length >> 3)
  if (facts.calls.some((one) => isWithin(call, one) && (isContext(one) || runsInContext(one, draft)))) return true
  if (depth >= MAX_CALLERS || within.kind === 'file') return false
  const callers = facts.calls.filter(({ callee }) => functionOf(callee) === within)
  return callers.length > 0 && callers.every((one) => isWithinContext(one, draft, depth + 1))
}

function isContext({ callee, args: [options] }: CallValue): boolean {
  if (!/^(?:tx|transaction|spawn)$/.test(lastNameOf(callee) ?? '')) return false
  const given = options && resolveValue(options)
  return given?.kind === 'object' && fieldOf(given, 'tenant') !== undefined
}

/** `asCustomer(tenant, () => INSERT…)`, with a function of the file that hands its work on: `cds.tx({ tenant }, work)`. */
function runsInContext({ callee, args }: CallValue, { facts }: FlowDraft): boolean {
  const called = functionOf(callee)
  return (
    called !== undefined &&
    facts.calls.some(
      (one) =>
        one.function === called &&
        isContext(one) &&
        one.args.some((given) => {
          const work =
            given.kind === 'reference' ? called.parameters.findIndex((one) => one !== undefined && one === given.binding) : -1
          return work >= 0 && args[work]?.kind === 'function'
        }),
    )
  )
}

/** A write, or a deletion of the rows that a condition names. */
function isChange(call: CallValue): boolean {
  if (isWrite(call)) return true
  const { callee } = call
  return (
    callee.kind === 'member' &&
    callee.name === 'where' &&
    !setsTimesAlone(callee.object) &&
    accessesOf(callee).some(({ root, steps }) =>
      /(?:^| )(?:DELETE|UPDATE)(?: |$)/.test([root.replace('global:', ''), ...steps].join(' ')),
    )
  )
}

/** `UPDATE(X).set({ modifiedAt: new Date().toISOString() })`: which row it is for says little. */
function setsTimesAlone(query: Value): boolean {
  if (query.kind !== 'call' || !/^(?:set|with|data)$/.test(lastNameOf(query.callee) ?? '')) return false
  const [data] = query.args
  const fields = data?.kind === 'object' ? data.fields : []
  return fields.length > 0 && fields.every(({ value }) => accessesOf(value).some(({ root }) => root === 'global:Date'))
}

/** `INSERT.into(X).entries(data)`, `UPDATE(X).set(data)`, `srv.create(X, data)`. */
function isWrite({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member' || args.length === 0) return false
  const { name = '' } = callee
  const built = accessesOf(callee).some(({ root, steps }) => {
    const [first, second] = steps
    const builder = isCds({ root }) ? (first === 'ql' ? second : first) : root.replace('global:', '')
    return builder === 'INSERT' || builder === 'UPSERT' || builder === 'UPDATE'
  })
  return built && /^(?:entries|rows|values|set|with|data)$/.test(name)
}

/** XS classic: `for (var name in new $.util.Zip(body))`. */
function addArchives({ facts, graph, ends: { sources }, show }: FlowDraft): void {
  if (!facts.globals.has('$')) return
  for (const binding of facts.bindings)
    for (const { kind, value } of binding.definitions) {
      const made = kind === 'key' && value !== undefined ? resolveValue(value) : undefined
      if (
        made?.kind !== 'new' ||
        !accessesOf(made.callee).some(({ root, steps }) => root === 'global:$' && steps.join(' ') === 'util Zip')
      )
        continue
      const { node } = graph.of(binding)
      sources.push({ node, origin: 'archive-entry', weak: false })
      show(node, { kind: 'reference', start: binding.start, end: binding.end, name: binding.name, binding })
    }
}
