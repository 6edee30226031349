import {
  constantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { Constant } from '../../facts/constants.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { beginningOf, directParts } from '../../facts/values.ts'
import { append } from '../../lists.ts'
import {
  ANSWER_SOURCES,
  CALLBACK_SOURCES,
  CHAINED,
  LISTENING,
  PAGE_CALLBACK_SOURCES,
  type CallbackSource,
} from '../models/callback-sources.ts'
import { PREFIXED } from '../tables/web.ts'
import { ANY_FIELD } from '../types.ts'
import { addHandedFunction } from '../calls/callables.ts'
import { pathsOfCallee } from '../calls/callees.ts'
import { connectFitting } from '../checks/schemas.ts'
import { invoke } from '../values/objects.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** An access path: from a call to the function that it is given, the parameter, and from there to the data. */
interface Access {
  readonly argument: number
  readonly fields: readonly string[]
  readonly parameter: number
  readonly path: readonly string[]
}

interface Row extends Access, Pick<CallbackSource, 'origin' | 'cleaned' | 'weak' | 'schema'> {
  readonly parameters: number | undefined
  readonly event: string | undefined
  readonly listener: (Access & Pick<NonNullable<CallbackSource['listener']>, 'method' | 'event' | 'besides'>) | undefined
}

/** By the path of a call; what they say is read where a call has it. */
type Rows = ReadonlyMap<string, readonly CallbackSource[]>
/** How a function is called with what these nodes hold. */
type Invoke = (called: Value, args: readonly number[], draft: FlowDraft) => void

const SERVER_ROWS = toRows([...CALLBACK_SOURCES, ...ANSWER_SOURCES])
const PAGE_ROWS = toRows(PAGE_CALLBACK_SOURCES)

function toRows(sources: readonly CallbackSource[]): Rows {
  const rows = new Map<string, CallbackSource[]>()
  for (const source of sources) for (const path of source.calls) append(rows, path, source)
  return rows
}

function toRow({ origin, cleaned, weak, schema, event, parameters, at, listener }: CallbackSource): Row {
  return {
    ...toAccess(at),
    parameters,
    origin,
    cleaned,
    weak,
    ...(schema && { schema }),
    event,
    listener: listener && { ...listener, ...toAccess(listener.at) },
  }
}

function toAccess(at: string): Access {
  const steps = [...at.matchAll(/(Argument|Member|Parameter|ArrayElement)(?:\[([^\]]{1,80})\])?/g)]
  const split = steps.findIndex(([, kind]) => kind === 'Parameter')
  const named = (from: number, to?: number): readonly string[] =>
    steps.slice(from, to).map(([, kind, name = '']) => (kind === 'ArrayElement' ? ANY_FIELD : name))
  const [argument, ...fields] = named(0, split)
  return { argument: Number(argument), fields, parameter: Number(steps[split]?.[2]), path: named(split + 1) }
}

/** Adds what packages hand to the functions that they are given: `consumer.run({ eachMessage: ({ message }) => … })`. */
export function addCallbackSources(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const run: Invoke = (called, args) => addHandedFunction(called, args, draft.graph.add(called), draft)
  addRows(call, paths, SERVER_ROWS, run, draft)
  if (isGivenSocket(call, draft)) addSource(call.args[1], GIVEN_SOCKET, run, draft)
}

/** Fact: ws 8.18, engine.io 6.6 and node:dgram call a listener of `message` with what the other side sent. */
const GIVEN_SOCKET: Access & Pick<Row, 'weak'> = { argument: 1, fields: [], parameter: 0, path: [], weak: true }

/** `module.exports = (socket) => socket.on('message', (data) => …)`: a connection that another file accepted, by its name. */
function isGivenSocket(
  call: CallValue,
  { facts, step }: FlowDraft,
): call is CallValue & { readonly args: readonly [Value, Value] } {
  const { callee, args } = call
  if (!('object' in callee) || args.length !== 2 || !LISTENING.has(callee.name ?? '') || eventOf(call) !== 'message') return false
  const { object } = callee
  if (!('binding' in object) || !/^(?:(?:web)?sock(?:et)?|ws)$/i.test(object.name)) return false
  const { binding } = object
  const position = binding?.function.parameters.indexOf(binding) ?? -1
  if (position < 0) return false
  step(facts.calls.length)
  // listen(new WebSocket(address)) connects to a server of its own choice
  return facts.calls.every(
    (one) => functionOf(one.callee) !== binding?.function || !('args' in resolveValue(one.args[position] ?? one)),
  )
}

/** Adds what a browser hands to them: `launchQueue.setConsumer(({ targetURL }) => …)`. */
export function addPageCallbackSources(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  addRows(call, paths, PAGE_ROWS, invoke, draft)
}

function addRows(call: CallValue, paths: readonly string[], rows: Rows, run: Invoke, draft: FlowDraft): void {
  for (const path of paths)
    for (const source of rows.get(path) ?? rows.get(listeningPath(path)) ?? []) {
      const row = toRow(source)
      if (row.event !== undefined && eventOf(call) !== row.event) continue
      const called = functionIn(call, row)
      if (called === undefined || !isTakenBy(functionOf(called), row)) continue
      if (row.listener === undefined) addSource(called, row, run, draft, schemaOf(call, row))
      else addListeners(functionOf(called)?.parameters[row.parameter], row.listener, run, draft)
    }
}

/** The path of `on` for its other names, and without the listeners that the same object was given before: `client.on('error', f).once('message', g)`. */
function listeningPath(path: string): string {
  const steps = path.split(' ')
  if (!LISTENING.has(steps.at(-1) ?? '')) return path
  const isChained = (step: string | undefined, next: string | undefined): boolean => next === '()' && CHAINED.has(step ?? '')
  const own = steps.filter((step, index) => !isChained(step, steps[index + 1]) && !isChained(steps[index - 1], step))
  return [...own.slice(0, -1), 'on'].join(' ')
}

/** What was given listeners before: `request` of `request.on('error', f)`. */
export function emitterBehind(value: Value): Value {
  const made = resolveValue(value)
  const begin = beginningOf(made, (name) => CHAINED.has(name))
  return begin === made ? value : begin
}

function isTakenBy(called: FunctionFact | undefined, { parameters }: Pick<Row, 'parameters'>): boolean {
  return parameters === undefined || called?.parameters.length === parameters
}

/** The parameters that get what such rows say, of the functions that `new` is given itself. */
export function handedParameters(call: CallValue, sources: readonly CallbackSource[]): readonly Binding[] {
  const paths = new Set(pathsOfCallee(call.callee).map((path) => `${path} ${call.kind}`))
  return sources.flatMap((source) => {
    if (!source.calls.some((path) => paths.has(path))) return []
    const row = toRow(source)
    const given = functionIn(call, row)
    const called = given && functionOf(given)
    return (isTakenBy(called, row) && called?.parameters[row.parameter]) || []
  })
}

/** What a connection hands to the functions that listen to it. */
function addListeners(
  connection: Binding | undefined,
  listener: NonNullable<Row['listener']>,
  run: Invoke,
  draft: FlowDraft,
): void {
  if (connection === undefined) return
  const { method, event, besides } = listener
  for (const call of draft.facts.calls) {
    const name = lastNameOf(call.callee) ?? ''
    if (name !== method && !(method === 'on' && LISTENING.has(name))) continue
    const [given] = directParts(call.callee)
    const object = given && emitterBehind(given)
    if (object === undefined || !('binding' in object) || object.binding !== connection) continue
    const named = eventOf(call)
    if (event === undefined ? besides?.some((one) => one === named) === true : named !== event) continue
    const called = functionIn(call, listener)
    if (called !== undefined) addSource(called, listener, run, draft)
  }
  draft.step(draft.facts.calls.length)
}

function eventOf({ args: [event] }: CallValue): Constant | undefined {
  return event && constantOf(event)
}

function functionIn({ args }: CallValue, { argument, fields }: Access): Value | undefined {
  return fields.reduce<Value | undefined>((value, name) => value && fieldOf(resolveValue(value), name)?.value, args[argument])
}

function schemaOf({ args }: CallValue, { schema }: Row): Value | undefined {
  const given = schema && args[schema.argument]
  return schema?.field === undefined ? given : given && fieldOf(resolveValue(given), schema.field)?.value
}

function addSource(
  called: Value,
  { parameter, path, origin = 'request', cleaned, weak = false }: Access & Partial<Row>,
  run: Invoke,
  draft: FlowDraft,
  schema?: Value,
): void {
  const { graph, ends } = draft
  const nodes = Array.from({ length: parameter + 1 }, () => graph.add(called))
  const sent = graph.add(called)
  ends.sources.push({ node: sent, origin, weak, ...(cleaned && { cleaned }) })
  // an address that as a whole leads nowhere else: its parts are those of the address of the page
  if (cleaned?.includes(PREFIXED) === true) ends.sources.push({ node: sent, origin: 'location', weak })
  const named = origin === 'stored' ? functionOf(called)?.parameters[parameter] : undefined
  if (named !== undefined) draft.show(sent, named.name)
  const data = schema === undefined ? sent : graph.add(called)
  if (schema !== undefined) connectFitting(schema, sent, data, draft)
  nodes[parameter] = graph.wrap(data, path, called)
  run(called, nodes, draft)
}
