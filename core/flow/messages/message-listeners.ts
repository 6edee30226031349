import { accessesOf, resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { functionOf, methodAround } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import { lastName } from '../../paths.ts'
import { classOf } from '../values/objects.ts'

/** A function that gets the messages of other windows. The span is that of its registration, without the function. */
export interface MessageListener extends Span {
  readonly handler: FunctionFact
  /** Which of its parameters is the event: `bind` may fill those before. */
  readonly parameter: number
  /** Registered by jQuery, whose event holds that of the browser. */
  readonly isWrapped: boolean
}

const MAX_LISTENERS = 100

/** Listeners of windows alone: those of workers, ports, sockets and channels get messages of their own making. */
export function findMessageListeners(facts: ScriptFacts): MessageListener[] {
  const listeners: MessageListener[] = []
  const add = (given: Value | undefined, span: Span, isWrapped: boolean): void => {
    // each is looked for among all functions
    const found = given === undefined || listeners.length >= MAX_LISTENERS ? undefined : resolveHandler(given, facts, 0)
    if (found !== undefined) listeners.push({ ...found, start: span.start, end: span.end, isWrapped })
  }
  const wrappers = findWrappers(facts)
  for (const call of facts.calls) {
    const wrapper = wrappers.get(functionOf(call.callee))
    if (wrapper !== undefined) {
      const [owner, event, handler] = wrapper.map((position) => call.args[position])
      if (event !== undefined && 'value' in event && event.value === 'message' && owner !== undefined && isWindow(owner, facts))
        add(handler, { start: call.start, end: event.end }, false)
      continue
    }
    const [event, ...rest] = call.args
    if (
      event?.kind !== 'literal' ||
      typeof event.value !== 'string' ||
      !/^(?:message(?:[.\s]|$)|\S{1,40}\s+message(?:[.\s]|$))/.test(event.value)
    )
      continue
    if (!registersForWindow(call, facts)) continue
    const given = rest.findLast(({ kind }) => kind !== 'literal' && kind !== 'object' && kind !== 'this') ?? rest[0]
    const isNative = lastNameOf(call.callee) === 'addEventListener'
    add(isNative ? rest[0] : given, { start: call.start, end: event.end }, !isNative)
  }
  for (const { target, value } of facts.assignments)
    if (target.name === 'onmessage' && isWindow(target.object, facts)) add(value, target, false)
  return listeners
}

/** Where a function gets the window, the name of the event and the listener that it hands on. */
type WrapperPositions = readonly [owner: number, event: number, handler: number]

/** Functions that hand three of their parameters to addEventListener: `bindEvent(window, 'message', handler)`. */
function findWrappers(facts: ScriptFacts): ReadonlyMap<FunctionFact | undefined, WrapperPositions> {
  const wrappers = new Map<FunctionFact | undefined, WrapperPositions>()
  for (const { callee, args, function: within } of facts.calls) {
    if (lastNameOf(callee) !== 'addEventListener' || !('object' in callee)) continue
    const [owner = -1, event = -1, handler = -1] = [callee.object, args[0], args[1]].map((part) => parameterIn(part, within))
    if (owner !== -1 && event !== -1 && handler !== -1) wrappers.set(within, [owner, event, handler])
  }
  return wrappers
}

function parameterIn(part: Value | undefined, within: FunctionFact): number {
  return part !== undefined && 'binding' in part
    ? within.parameters.findIndex((one) => one !== undefined && one === part.binding)
    : -1
}

const JQUERY: ReadonlySet<string> = new Set(['on', 'bind', 'one'])

function registersForWindow({ callee }: CallValue, facts: ScriptFacts): boolean {
  const name = lastNameOf(callee)
  if (name === 'attachBrowserEvent') return true
  if (name === 'addEventListener') {
    if (callee.kind === 'reference') return callee.binding === undefined && !isWorker(facts)
    return callee.kind === 'member' && isWindow(callee.object, facts)
  }
  if (name === undefined || !JQUERY.has(name) || callee.kind !== 'member') return false
  const wrapped = resolveValue(callee.object)
  if (wrapped.kind !== 'call') return false
  const [inside] = wrapped.args
  return inside !== undefined && isWindow(inside, facts) && /^(?:\$|jQuery)$/.test(lastNameOf(wrapped.callee) ?? '')
}

/** `window`, another name of it, or the window of a frame. `self` is one only where it is not that of a worker. */
function isWindow(value: Value, facts: ScriptFacts): boolean {
  if (value.kind === 'reference' && value.binding === undefined && value.name === 'self') return !isWorker(facts)
  return accessesOf(value).some(({ root, steps }) => {
    const last = steps.at(-1) ?? root
    if (/^global:(?:window|globalThis|top|parent|opener|frames)$/.test(last)) return true
    if (/^(?:contentWindow|defaultView|opener)$/.test(last)) return true
    return /(?:^|[.:_])o?win(?:dow)?$/i.test(last)
  })
}

/** A script that only knows itself: no page, and the functions of workers. */
export function isWorker({ globals }: ScriptFacts): boolean {
  if (globals.has('window') || globals.has('document') || globals.has('sap') || globals.has('jQuery')) return false
  return globals.has('importScripts') || globals.has('self') || globals.has('postMessage')
}

const MAX_HOPS = 6
/** Calls that give back the function that they get, in another form. */
const WRAPPERS: ReadonlySet<string> = new Set(['proxy', 'debounce', 'throttle', 'bind', 'hitch', 'useCallback'])

interface Resolved {
  readonly handler: FunctionFact
  readonly parameter: number
}

function resolveHandler(given: Value, facts: ScriptFacts, hops: number): Resolved | undefined {
  if (hops > MAX_HOPS) return undefined
  const value = resolveValue(given)
  if (value.kind === 'function') return { handler: value.function, parameter: 0 }
  if (value.kind === 'member') return resolveMember(value, facts, hops)
  const held = handlingObject(value)
  if (held !== undefined) return held
  if (value.kind !== 'call' || value.callee.kind !== 'member') {
    const [first] = value.kind === 'call' && WRAPPERS.has(lastNameOf(value.callee) ?? '') ? value.args : []
    return first && resolveHandler(first, facts, hops + 1)
  }
  const { object, name = '' } = value.callee
  const [first, second] = value.args
  if (name === 'bind' && object.kind !== 'reference' && object.kind !== 'member' && object.kind !== 'function') return undefined
  if (name === 'bind' && first?.kind !== 'function') {
    const found = resolveHandler(object, facts, hops + 1)
    if (found !== undefined) return { handler: found.handler, parameter: found.parameter + Math.max(0, value.args.length - 1) }
  }
  if (!WRAPPERS.has(name) || first === undefined) return undefined
  // jQuery.proxy(this, 'onMessage')
  if (second?.kind === 'literal' && first.kind === 'this') return resolveName(String(second.value), undefined, facts, hops)
  return resolveHandler(first, facts, hops + 1)
}

/** `this`, `{ handleEvent(event) {…} }`, `new Receiver()`. Fact: DOM standard, EventListener. */
function handlingObject(value: Value): Resolved | undefined {
  const owner = value.kind === 'this' ? ownerAround(value) : value.kind === 'new' ? classOf(value.callee) : value
  const members =
    owner === undefined
      ? []
      : 'members' in owner
        ? owner.members
        : owner.kind === 'object'
          ? owner.fields.map(({ key, value: field }) => ({ name: key, value: field }))
          : []
  const handler = members.find(({ name }) => name === 'handleEvent')?.value
  const given = handler && resolveValue(handler)
  return given?.kind === 'function' ? { handler: given.function, parameter: 0 } : undefined
}

function resolveMember(value: Extract<Value, { kind: 'member' }>, facts: ScriptFacts, hops: number): Resolved | undefined {
  const owner = resolveValue(value.object)
  return value.name === undefined ? undefined : resolveName(value.name, owner, facts, hops)
}

/** The only method of that name in the file, or the one beside the code that names it. */
function resolveName(name: string, object: Value | undefined, facts: ScriptFacts, hops: number): Resolved | undefined {
  // this.onMessage = origins.guarded(this.onMessage.bind(this)): what stands around it may check
  if (facts.assignments.some(({ target, value }) => target.name === name && isWrapped(value, name))) return undefined
  const named = facts.functions.filter((one) => one.kind !== 'initializer' && lastName(one.name) === name)
  const [only] = named
  if (only !== undefined && named.length === 1) return { handler: only, parameter: 0 }
  const own = ownerAround(object)
  const beside = named.find(({ owner }) => owner !== undefined && owner === own)
  if (beside !== undefined) return { handler: beside, parameter: 0 }
  const given = facts.assignments.find(({ target }) => target.name === name)?.value ?? fieldNamed(name, facts)
  return given && resolveHandler(given, facts, hops + 1)
}

function isWrapped(value: Value, name: string): boolean {
  if (value.kind !== 'call' || WRAPPERS.has(lastNameOf(value.callee) ?? '')) return false
  return value.args.some((argument) => {
    const bound = argument.kind === 'call' && argument.callee.kind === 'member' ? argument.callee.object : argument
    return bound.kind === 'member' && bound.name === name
  })
}

function fieldNamed(name: string, { classes }: ScriptFacts): Value | undefined {
  return classes.flatMap(({ members }) => members).find((member) => member.name === name)?.value
}

/** The class or object whose method `this` stands in. */
function ownerAround(object: Value | undefined): FunctionFact['owner'] {
  return object?.kind === 'this' ? methodAround(object.function)?.owner : undefined
}
