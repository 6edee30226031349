import { stringConstantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_FIELD, EVENT_SOURCE, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'
import { isReachedBy } from '../fields/members.ts'
import { CONNECTIONS } from '../tables/page-sinks.ts'

/** The name of the store of an event that code of the app fires itself. */
export function eventStore(kind: 'control' | 'element' | 'emitter', name: string): string {
  return `own-event ${kind}/${name}`
}

/** Stands for the name of an event that nobody can tell. */
export const ANY_EVENT = '*'

/** What listeners of an event get: also that of events whose name is chosen at run time. */
function hear(
  kind: 'control' | 'element' | 'emitter',
  name: string,
  node: number,
  { ends: { ports } }: FlowDraft,
  path: readonly string[] = [],
): void {
  for (const event of [name, ANY_EVENT]) ports.push({ node, access: 'read', store: eventStore(kind, event), path })
}

/** Adds what code of the app hands to its own listeners: events of controls and of event providers, of elements, of emitters. */
export function addCustomEvent(call: CallValue, draft: FlowDraft): void {
  const { callee } = call
  if (callee.kind !== 'member' || callee.name === undefined) return
  const { name, object } = callee
  if (/^fire[A-Z]/.test(name)) addFired(call, name, draft)
  else if (/^attach[A-Z]/.test(name)) addAttached(call, name, object, draft)
  else if (name === 'dispatchEvent') addDispatchedEvent(call, draft)
  else if (name === 'addEventListener') addListener(call, object, draft)
  else if (name === 'emit' || name === 'trigger' || name === 'triggerHandler') addEmitted(call, draft)
  else if (name === 'on' || name === 'once' || name === 'one' || name === 'addListener') addHeard(call, object, draft)
}

/** `fireEvent("received", { text })`, `fireReceived({ text })`. */
function addFired({ args }: CallValue, name: string, draft: FlowDraft): void {
  const isNamed = name === 'fireEvent'
  // the name may come with the data
  const event = isNamed ? (eventOf(args[0]) ?? ANY_EVENT) : lowerFirst(name.slice('fire'.length))
  const given = args[isNamed ? 1 : 0]
  if (given === undefined || given.kind === 'literal') return
  draft.ends.ports.push({ node: draft.use(given), access: 'write', store: eventStore('control', event), path: [] })
}

/** `attachEvent("received", handler, this)`, `attachReceived(data, handler, this)`: the handler gets the event, and asks it for what it is attached to. */
function addAttached({ args }: CallValue, name: string, object: Value, draft: FlowDraft): void {
  const isNamed = /^attachEvent(?:Once)?$/.test(name)
  const event = isNamed ? eventOf(args[0]) : lowerFirst(name.slice('attach'.length))
  const handler = handlerIn(isNamed ? args.slice(1) : args, draft)
  if (event === undefined || handler === undefined) return
  const node = draft.graph.derive(draft.use(object), handler, WRITE, EVENT_SOURCE)
  hear('control', event, node, draft)
  invoke(handler, [node], draft)
}

/** The argument that is a function: written out, by name, bound; else the first that may be one. */
function handlerIn(args: readonly Value[], { owners }: FlowDraft): Value | undefined {
  return (
    args.find((argument) => owners.functionsBehind(argument).length > 0) ??
    args.find(({ kind }) => kind === 'reference' || kind === 'member' || kind === 'call')
  )
}

/** `dispatchEvent(new CustomEvent("picked", { detail }))`. */
function addDispatchedEvent({ args: [given] }: CallValue, draft: FlowDraft): void {
  const made = given && resolveValue(given)
  if (made?.kind !== 'new' || lastNameOf(made.callee) !== 'CustomEvent') return
  const [type, settings] = made.args
  const event = textOf(type) ?? ANY_EVENT
  const detail = settings && fieldOf(resolveValue(settings), 'detail')?.value
  if (detail === undefined) return
  const node = draft.graph.wrap(draft.use(detail), ['detail'], detail)
  draft.ends.ports.push({ node, access: 'write', store: eventStore('element', event), path: [] })
}

const SOCKETS = /^global:(?:WebSocket|EventSource) new$/

/** `addEventListener("picked", handler)`; a socket brings what the server sends. */
function addListener({ args }: CallValue, object: Value, draft: FlowDraft): void {
  const event = textOf(args[0])
  const [, handler] = args
  if (event === undefined || handler === undefined) return
  const node = draft.graph.add(handler)
  if (isReachedBy(SOCKETS, object, draft)) addMessage(node, handler, draft)
  hear('element', event, node, draft)
  invoke(handler, [node], draft)
}

function addMessage(event: number, place: Value, draft: FlowDraft): void {
  const data = draft.graph.add(place)
  draft.ends.sources.push({ node: data, origin: 'backend', weak: false })
  const [listened] = draft.owners.functionsBehind(place)[0]?.parameters ?? []
  draft.show(data, `${listened?.name ?? 'event'}.data`)
  draft.graph.connect(data, event, WRITE, 'data')
}

/** `socket.onmessage = (event) => …`. */
export function addSocketHandlers(draft: FlowDraft): void {
  for (const { target, value } of draft.facts.assignments) {
    if (target.name !== 'onmessage' || !isReachedBy(SOCKETS, target.object, draft)) continue
    const event = draft.graph.add(value)
    addMessage(event, value, draft)
    invoke(value, [event], draft)
  }
}

/** `emitter.emit("picked", text)`, `$(node).trigger("picked", [text])`. */
function addEmitted({ args }: CallValue, draft: FlowDraft): void {
  const [type, ...given] = args
  const event = textOf(type) ?? ANY_EVENT
  for (const value of given)
    if (value.kind !== 'literal')
      draft.ends.ports.push({ node: draft.use(value), access: 'write', store: eventStore('emitter', event), path: [] })
}

/** `emitter.on("picked", (text) => …)`, `$(node).on("picked", (event, text) => …)`. */
function addHeard({ args }: CallValue, object: Value, draft: FlowDraft): void {
  const event = textOf(args[0])
  const handler = event === undefined || args.length < 2 ? undefined : handlerIn(args.slice(1), draft)
  if (event === undefined || handler === undefined) return
  const node = draft.graph.add(handler)
  if (isReachedBy(CONNECTIONS, object, draft)) {
    const data = draft.graph.add(handler)
    draft.ends.sources.push({ node: data, origin: 'backend', weak: false })
    draft.show(data, event)
    invoke(handler, [data], draft)
  }
  hear('emitter', event, node, draft)
  const item = draft.graph.add(handler)
  hear('emitter', event, item, draft, [ANY_FIELD])
  invoke(handler, [node, node], draft)
  invoke(handler, [item, item], draft)
}

/** Handlers that a control of the app's own is made with: `new PasteArea({ pasted: (event) => … })`. */
export function addMadeHandlers(call: CallValue, draft: FlowDraft): void {
  if (call.kind !== 'new') return
  for (const argument of call.args) {
    if (argument.kind !== 'object') continue
    for (const { key, value } of argument.fields) {
      if (key === undefined || draft.owners.functionsBehind(value).length === 0) continue
      const node = draft.graph.add(value)
      hear('control', key, node, draft)
      invoke(value, [node], draft)
    }
  }
}

function textOf(value: Value | undefined): string | undefined {
  const text = stringConstantOf(value)
  return text !== undefined && text !== '' ? text : undefined
}

/** The name of an event: a text, or a member that is called like a constant, `EVENTS.ITEM_PICKED` for `itemPicked`. */
function eventOf(value: Value | undefined): string | undefined {
  const text = textOf(value)
  if (text !== undefined || value?.kind !== 'member' || !/^[A-Z]/.test(value.name ?? '')) return text
  const name = value.name ?? ''
  if (!/^[A-Z\d_]+$/.test(name)) return lowerFirst(name)
  return name.toLowerCase().replaceAll(/_([a-z\d])/g, (_, next: string) => next.toUpperCase())
}

/** `change` of `Change`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
