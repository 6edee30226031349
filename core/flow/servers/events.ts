import {
  accessesOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { createServiceReader, CRUD_EVENT, type HandlerFunction, type ScriptService } from '../../model/cap/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { addHandedFunction } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { EMITTERS } from '../tables/calling.ts'
import { lastName } from '../../paths.ts'

/** Methods of services that are no action of the model. Fact: capire, "cds.Service" (Node.js). */
const OF_SERVICES: ReadonlySet<string> = new Set(
  (
    'on before after once prepend reject emit send dispatch handle run read create insert upsert update delete get post put patch tx transaction ' +
    'foreach stream init impl connect disconnect entities operations events reflect exists schedule subscribe then catch constructor'
  ).split(' '),
)
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/
/** Calls that give the same service in another state: `srv.tx(req)`, `cds.queued(srv)`. */
const WRAPPING = /^(?:outboxed|queued|unboxed|unqueued)$/

/** Adds what a call hands over to the handlers of a service: `srv.emit('ordered', data)`, `srv.send('order', data)`, `srv.order(data)`. */
export function createEventReader({ facts }: { readonly facts: ScriptFacts }): (call: CallValue, draft: FlowDraft) => void {
  const read = createServiceReader(facts)
  return (call, draft) => {
    const { callee } = call
    if (call.kind !== 'call' || callee.kind !== 'member' || callee.name === undefined) return
    const isPlain = callee.name === 'emit' || callee.name === 'send' || callee.name === 'schedule'
    if (!isPlain && (OF_SERVICES.has(callee.name) || call.args.length === 0)) return
    const service = serviceOf(callee.object, read)
    if (callee.name === 'emit' && isEmitter(service, callee.object)) addEmitted(call, draft)
    if (isPlain ? service.kind === 'foreign' || service.kind === 'cds' : service.kind !== 'connected') return
    const sent = isPlain ? sentBy(call) : calledBy(call, callee.name)
    if (sent === undefined) return
    const write = (value: Value, path: readonly string[]): void =>
      void draft.ends.ports.push({ node: draft.use(value), access: 'write', store: storeOf('event', sent.event), path })
    for (const { value, path } of sent.values) write(value, path)
    draft.ends.ports.push({ node: draft.use(call), access: 'read', store: storeOf('result', sent.event), path: [] })
  }
}

/** Adds that a handler gets what is sent under the names of its events, and that the senders get what it gives back. */
export function addEventHandler({ events, fact, phase }: HandlerFunction, node: number, draft: FlowDraft): void {
  for (const event of new Set(events)) {
    if (event === undefined || CRUD_EVENT.test(event)) continue
    draft.ends.ports.push({ node, access: 'read', store: storeOf('event', event), path: [] })
    if (fact !== undefined && phase === 'on')
      draft.ends.ports.push({ node: draft.graph.of(fact).node, access: 'write', store: storeOf('result', event), path: [] })
  }
}

/** An emitter of Node.js hands its arguments to the listeners one by one. Fact: Node.js 24, "emitter.emit". */
function addEmitted({ args: [event, ...given] }: CallValue, draft: FlowDraft): void {
  const name = stringConstantOf(event)
  if (name === undefined) return
  for (const [index, value] of given.entries())
    draft.ends.ports.push({ node: draft.use(value), access: 'write', store: `emitter-event ${name}`, path: [String(index)] })
}

/** Adds what listeners of emitters are given: `bus.on('attached', (ID, file) => …)`. */
export function addListeners(draft: FlowDraft): void {
  const { facts } = draft
  let read: ReturnType<typeof createServiceReader> | undefined
  for (const call of facts.calls) {
    const { callee, args } = call
    const [event, given] = args
    if (callee.kind !== 'member' || !/^(?:on|once|addListener|prependListener)$/.test(callee.name ?? '') || given === undefined)
      continue
    const name = stringConstantOf(event)
    if (name === undefined || args.length !== 2) continue
    read ??= createServiceReader(facts)
    if (!isEmitter(serviceOf(callee.object, read), callee.object)) continue
    const nodes = Array.from({ length: MAX_GIVEN }, () => draft.graph.add(given))
    for (const [index, node] of nodes.entries())
      draft.ends.ports.push({ node, access: 'read', store: `emitter-event ${name}`, path: [String(index)] })
    const fact = functionOf(given)
    const target = fact && draft.calling.functions.get(fact)
    const result = draft.graph.add(given)
    if (target === undefined) addHandedFunction(given, nodes, result, draft)
    else draft.calling.calls.push({ result, args: nodes, targets: [target] })
  }
}

const MAX_GIVEN = 4

/** No service, by all that the file tells. */
function isEmitter({ kind }: ScriptService, receiver: Value): boolean {
  if (kind === 'unknown') return true
  return (
    kind === 'foreign' && accessesOf(receiver).some(({ root, steps }) => EMITTERS.has(root) || steps.includes('EventEmitter'))
  )
}

interface Sent {
  readonly event: string
  readonly values: readonly { readonly value: Value; readonly path: readonly string[] }[]
}

function sentBy({ args }: CallValue): Sent | undefined {
  const [first, data, headers] = args
  if (first === undefined) return undefined
  const message = resolveValue(first)
  const given = message.kind === 'object' ? fieldOf(message, 'event')?.value : first
  const event = stringConstantOf(given)
  if (event === undefined || VERB.test(event)) return undefined
  const parts =
    message.kind === 'object' ? [fieldOf(message, 'data')?.value, fieldOf(message, 'headers')?.value] : [data, headers]
  const values = parts.flatMap((value, index) =>
    value === undefined ? [] : [{ value, path: [index === 0 ? 'data' : 'headers'] }],
  )
  return { event, values }
}

/** `srv.order({ book })`; of `srv.order(book)` only the model knows the names. */
function calledBy({ args }: CallValue, event: string): Sent {
  const [first] = args
  const isObject = args.length === 1 && first !== undefined && resolveValue(first).kind !== 'literal'
  const paths = isObject ? [['data'], ['data', '*']] : [['data', '*']]
  return { event, values: args.flatMap((value) => paths.map((path) => ({ value, path }))) }
}

function serviceOf(value: Value, read: (value: Value) => ScriptService): ScriptService {
  const here = resolveValue(value)
  if (here.kind !== 'call' || here.callee.kind !== 'member') return read(value)
  const { name, object } = here.callee
  if (name === 'tx' || name === 'transaction') return read(object)
  const [wrapped] = here.args
  return name !== undefined && WRAPPING.test(name) && wrapped !== undefined ? read(wrapped) : read(value)
}

/** A service's own name for an event, and the qualified one of the model, are the same. */
function storeOf(kind: 'event' | 'result', event: string): string {
  return `service-${kind} ${event.includes('/') ? event : lastName(event)}`
}
