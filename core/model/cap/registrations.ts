import { functionOf, functionOfThis } from '../../facts/callbacks.ts'
import { constantOf } from '../../facts/constants.ts'
import { pathOf } from '../../facts/paths.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { fieldOf, resolveValue } from '../../facts/values.ts'
import { loopOf } from '../script/index.ts'
import { decoratedHandlers } from './decorated-handlers.ts'
import { createServiceReader, type ScriptService } from './script-services.ts'

export type HandlerPhase = 'before' | 'on' | 'after' | 'prepend' | 'reject'

/** What a call says that registers a handler with a service: `srv.before('CREATE', 'Books', …)`. */
export interface Registration {
  readonly call: CallValue
  readonly phase: HandlerPhase
  /** Names of events, `*` for all of them; undefined: one that is no constant. */
  readonly events: readonly (string | undefined)[]
  /** It names entities, whether they can be told or not. */
  readonly isTargeted: boolean
  /** Last parts of the names of the entities; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** What is registered, as it is written. */
  readonly handler: Value | undefined
}

/** A registration with the function of the script that it registers, and the service. */
export interface HandlerFunction extends Registration {
  readonly service: ScriptService
  /** Undefined: it is imported, or nobody can tell. */
  readonly fact: FunctionFact | undefined
  /** The handler without `bind`. */
  readonly callee: Value
  /** Position of the request among its parameters. */
  readonly parameter: number
}

const PHASES: Readonly<Record<string, HandlerPhase>> = {
  before: 'before',
  on: 'on',
  once: 'on',
  after: 'after',
  prepend: 'prepend',
  reject: 'reject',
}

/** Events of streams, processes and servers, which register listeners by the same methods. */
const OF_STREAMS: ReadonlySet<string> = new Set(
  (
    'data end error close finish drain pipe readable exit message connect disconnect listening bootstrap served serving shutdown connection upgrade request ' +
    'uncaughtException unhandledRejection SIGTERM SIGINT'
  ).split(' '),
)

/** The registration that a call is, by its shape alone. */
export function registrationOf(call: CallValue): Registration | undefined {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined || !Object.hasOwn(PHASES, callee.name)) return undefined
  const phase = PHASES[callee.name]
  const [event] = args
  if (phase === undefined || event === undefined) return undefined
  const handler = phase === 'reject' ? undefined : args.length > 1 || event.kind === 'function' ? args.at(-1) : undefined
  const [, target] = args
  const isTargeted = target !== undefined && target !== handler && target.kind !== 'function'
  const entities = isTargeted && target !== undefined ? entitiesOf(target) : undefined
  return { call, phase, events: eventsOf(event, phase), isTargeted, entities, handler }
}

/** A lone function is a handler of all events, where `before` takes it. */
function eventsOf(event: Value, phase: HandlerPhase): (string | undefined)[] {
  if (event.kind === 'function') return phase === 'before' ? ['*'] : []
  return itemsOf(event).flatMap((item) => {
    const name = constantOf(item)
    if (name !== undefined) return [String(name)]
    // generated names of actions: `import { submitOrder } from '#cds-models/CatalogService'`
    return item.kind === 'object' ? [] : [importedName(item)]
  })
}

function importedName(value: Value): string | undefined {
  const path = pathOf(value)
  return path?.[0]?.startsWith('module:#cds-models/') === true ? path.at(-1) : undefined
}

/** The handlers of services that a script registers, in the order of the text; behind them those that decorators register. */
export function findHandlers(facts: ScriptFacts): HandlerFunction[] {
  let serviceOf: ((value: Value) => ScriptService) | undefined
  const registered = facts.calls.flatMap((call): HandlerFunction[] => {
    const registration = registrationOf(call)
    if (registration?.handler === undefined || call.callee.kind !== 'member') return []
    const { callee, shift } = unbound(registration.handler)
    if (callee.kind === 'literal' || callee.kind === 'object' || callee.kind === 'array') return []
    serviceOf ??= createServiceReader(facts)
    const service = serviceOf(call.callee.object)
    // an action may be called as an event of a stream; streams name no entity
    if (service.kind === 'unknown' && !registration.isTargeted && registration.events.some((name) => OF_STREAMS.has(name ?? '')))
      return []
    if (service.kind === 'foreign' || service.kind === 'cds') return []
    // behind the result, or behind the error
    const isSecond = registration.phase === 'after' || (registration.phase === 'on' && registration.events.includes('error'))
    const parameter = shift + (isSecond ? 1 : 0)
    return [{ ...registration, service, callee, fact: handlerFunction(callee, facts) ?? madeBy(callee, facts), parameter }]
  })
  const decorated = decoratedHandlers(facts)
  return decorated.length === 0 ? registered : [...registered, ...decorated]
}

/** Tells the innermost handler that a place of a script lies in; a script may register thousands. */
export function createHandlerReader(handlers: readonly HandlerFunction[]): (start: number) => HandlerFunction | undefined {
  const known = handlers.flatMap((handler) => (handler.fact === undefined ? [] : [{ handler, fact: handler.fact }]))
  const around = createSpanIndex(known, ({ fact }) => fact)
  return (start) => around(start)[0]?.handler
}

/** `this.onRead.bind(this)`, `guarded(handler)`: the function inside, and how many of its first parameters are filled already. */
export function unbound(value: Value): { readonly callee: Value; readonly shift: number } {
  const here = resolveValue(value)
  if (here.kind !== 'call') return { callee: here.kind === 'function' ? here : value, shift: 0 }
  if (here.callee.kind === 'member' && here.callee.name === 'bind')
    return { callee: here.callee.object, shift: Math.max(0, here.args.length - 1) }
  const inner = here.args.find((argument) => functionOf(argument) !== undefined)
  return { callee: inner ?? value, shift: 0 }
}

/** The function of the script that a handler is: by itself, by its name, a method of its class or of an object. */
export function handlerFunction(callee: Value, facts: ScriptFacts): FunctionFact | undefined {
  const direct = functionOf(callee)
  if (direct !== undefined || callee.kind !== 'member' || callee.name === undefined) return direct
  const { object, name } = callee
  if (object.kind === 'this') {
    const around = functionOfThis(object.function)
    return (
      methodOf(around.owner, name) ?? facts.assignments.map((it) => assigned(it.target, it.value, around, name)).find(Boolean)
    )
  }
  const behind = resolveValue(object)
  if (behind.kind === 'object') return functionOf(fieldOf(behind, name)?.value)
  const made = behind.kind === 'new' ? resolveValue(behind.callee) : behind
  return made.kind === 'class' ? methodOf(made.class, name) : undefined
}

/** `blockHandler(true)` where `const blockHandler = (isBlocked) => async (req) => …`: the one function that the call gives back. */
function madeBy(value: Value, facts: ScriptFacts): FunctionFact | undefined {
  const call = resolveValue(value)
  const factory = 'callee' in call ? handlerFunction(call.callee, facts) : undefined
  const made = factory?.returns.map(functionOf) ?? []
  return made.length === 1 ? made[0] : undefined
}

/** `this.onRead = (req) => …` in the class. */
function assigned(target: Value, value: Value, around: FunctionFact, name: string): FunctionFact | undefined {
  if (target.kind !== 'member' || target.name !== name || target.object.kind !== 'this') return undefined
  return target.object.function.owner === around.owner ? functionOf(value) : undefined
}

function methodOf(owner: FunctionFact['owner'], name: string): FunctionFact | undefined {
  if (owner === undefined) return undefined
  if (!('members' in owner)) return functionOf(fieldOf(owner, name)?.value)
  return functionOf(owner.members.findLast((member) => member.name === name)?.value)
}

/** Names of entities, by their last parts, also of a loop over a list of them; undefined: one that nobody can tell, or all of them. */
export function entitiesOf(target: Value): readonly string[] | undefined {
  const names = (loopOf(target)?.items ?? itemsOf(target)).map((item) =>
    typeof item === 'string' ? lastPart(item.split('.')) : item && entityName(item),
  )
  const known = names.flatMap((name) => name ?? [])
  return known.length < names.length || known.includes('*') ? undefined : known
}

/** The items of a list that is written out, or the value itself. */
export function itemsOf(value: Value): readonly Value[] {
  const here = resolveValue(value)
  return here.kind === 'array' ? here.items : [value]
}

/** The last part of `'Shop.Orders'`, `this.entities.Orders` and `Orders.drafts`, under whatever name a file knows it. */
export function entityName(value: Value): string | undefined {
  const constant = constantOf(value)
  const path = constant === undefined ? pathOf(value) : String(constant).split('.')
  const steps = path?.filter((step) => step !== 'drafts')
  return constant === undefined && steps?.length === 1 ? undefined : lastPart(steps)
}

/** Of `cds.entities['my.Books']`, too. */
function lastPart(steps: readonly string[] | undefined): string | undefined {
  const last = steps?.at(-1)?.split('.').at(-1)
  return last !== undefined && /^[\w$*]+$/.test(last) ? last : undefined
}
