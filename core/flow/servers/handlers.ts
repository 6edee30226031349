import { isAllowed } from '../../conditions/constraint.ts'
import { resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { functionOf, methodOf, type Callback } from '../../facts/callbacks.ts'
import { CRUD_EVENT, unbound, type HandlerFunction } from '../../model/cap/index.ts'
import { RESPONSE_NAME, ROUTES } from '../tables/requests.ts'
import { SUBSCRIPTION_CLEANS } from '../models/faults.ts'
import type { FlowSource, Origin } from '../types.ts'
import { pathsOfCallee } from '../calls/callees.ts'
import { addCalled } from '../calls/called.ts'
import { addHandedFunction } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addEventHandler } from './events.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { withVerb } from '../frameworks/registrations.ts'
import type { CheckingScript } from '../graph/input.ts'
import { provedAt } from '../checks/proofs.ts'
import { lastName } from '../../paths.ts'
import { isRequestName } from '../../model/script/index.ts'

/** A parameter that a framework fills. */
export interface FilledParameter {
  readonly fact: FunctionFact
  readonly parameter: number
  readonly origin: Origin
  /** Known by its name alone. */
  readonly weak: boolean
  readonly handled?: FlowSource['handled']
  /** Rules for which it is harmless. */
  readonly cleaned?: readonly string[]
  readonly isBehind?: true
  /** Of rows: the last part of the entity's name. */
  readonly entity?: string
}

/** Requests and responses that functions of a script are given: handlers of services, routes, middlewares, and what is called so. */
export function* requestParameters(
  facts: ScriptFacts,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  handlers: readonly HandlerFunction[],
): Generator<FilledParameter> {
  const handled = new Map<FunctionFact, FilledParameter>()
  for (const handler of handlers) {
    const { fact, parameter } = handler
    if (fact === undefined) continue
    // what a function of the project makes of a handler, tells what that gets: a name says less
    const weak = handler.service.kind === 'unknown' || isWrapped(handler)
    handled.set(fact, { fact, parameter, weak, ...eventOf(handler) })
  }
  const results = new Map(
    handlers.flatMap((handler) => (handler.fact === undefined ? [] : [[handler.fact, resultsOf(handler, handler.fact)]])),
  )
  const isCap = knowsCap(facts) || handlers.length > 0
  for (const fact of facts.functions) {
    const own = handled.get(fact)
    const callback = callbacks.get(fact)
    const filled =
      own !== undefined ? [own, ...(results.get(fact) ?? [])] : callback === undefined ? [] : filledByRoute(callback, fact)
    yield* filled
    const known = new Set(filled.map(({ parameter }) => parameter))
    for (const [parameter, binding] of fact.parameters.entries()) {
      if (binding === undefined || known.has(parameter)) continue
      if (RESPONSE_NAME.test(binding.name)) yield { fact, parameter, origin: 'response', weak: true }
      else if (isRequestName(binding.name)) {
        const isOfHttp = isHttp(fact)
        if (isOfHttp || !isCap) yield { fact, parameter, origin: 'http-request', weak: true }
        if (!isOfHttp) yield { fact, parameter, origin: 'cap-request', weak: true }
      }
    }
  }
}

/** `srv.on('submit', guarded(handler))` of a function of the project. */
function isWrapped({ handler }: HandlerFunction): boolean {
  const made = handler && resolveValue(handler)
  if (made?.kind !== 'call' || (made.callee.kind === 'member' && made.callee.name === 'bind')) return false
  return functionOf(made.callee) !== undefined || pathsOfCallee(made.callee).some((path) => /^module:\.{1,2}\//.test(path))
}

const WRITTEN = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|SAVE|NEW)$/

/** What an after handler gets beside the request: what was written, as the client sent it, or rows that were read. Fact: capire, "srv.after". */
function resultsOf(handler: HandlerFunction, fact: FunctionFact): readonly FilledParameter[] {
  const { phase, events, entities = [] } = handler
  if (phase !== 'after' || handler.parameter !== 1 || events.length === 0) return []
  if (events.every((name) => WRITTEN.test(name ?? '')))
    return [{ fact, parameter: 0, weak: false, ...eventOf(handler), origin: 'request' }]
  if (!events.every((name) => name === 'READ' || name === 'each')) return []
  return entities.flatMap((name) =>
    (['stored', 'personal'] as const).map((origin): FilledParameter => ({
      fact,
      parameter: 0,
      origin,
      weak: false,
      entity: lastName(name),
    })),
  )
}

/** `router.param('page', (req, res, next, page) => …)` that refuses what has the wrong form. Fact: Express 5, "router.param". */
export function checkedParametersOf({ facts, parts }: Pick<CheckingScript, 'facts' | 'parts'>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { callee, args } of facts.calls) {
    const [name, given] = args
    const fact = callee.kind === 'member' && callee.name === 'param' ? functionOf(given) : undefined
    const value = fact?.parameters[3]
    if (fact === undefined || value === undefined || name?.kind !== 'literal') continue
    const reference = { kind: 'reference', start: value.start, end: value.end, name: value.name, binding: value } as const
    const proofs = provedAt({ ...reference, start: fact.end - 1, end: fact.end }, parts.guardsIn(fact), parts)
    if (proofs.some(isAllowed)) found.add(String(name.value))
  }
  return found
}

/** In its files `req.query` is a query that CAP made. */
function knowsCap({ imports, globals }: ScriptFacts): boolean {
  return (
    imports.some(({ source }) => /^(?:@sap\/cds|@cap-js|#cds-models)/.test(source)) ||
    ['cds', 'SELECT', 'INSERT', 'UPSERT', 'UPDATE', 'DELETE'].some((name) => globals.has(name))
  )
}

/** Requests that functions of other files get: `srv.on('x', handlers.onX)`, `router.get('/x', controller.show)`. */
export function addImportedHandlers(
  handlers: readonly HandlerFunction[],
  draft: FlowDraft,
): ReadonlyMap<HandlerFunction, number> {
  const requests = new Map<HandlerFunction, number>()
  const call = (callee: Value, at: number, given: readonly Omit<FlowSource, 'node'>[]): readonly number[] => {
    const place = { start: callee.start, end: callee.end }
    const nodes = given.map((source) => {
      const node = draft.graph.add(place)
      draft.ends.sources.push({ node, ...source })
      return node
    })
    const args = [...Array.from({ length: at }, () => draft.graph.add(place)), ...nodes]
    addCalled(callee, pathsOfCallee(callee), { result: draft.graph.add(place), args: () => args }, draft)
    return nodes
  }
  for (const handler of handlers) {
    const { fact, callee, parameter } = handler
    const source = { weak: false, ...eventOf(handler) }
    if (fact !== undefined) {
      const made = isWrapped(handler) ? handler.handler : undefined
      if (made !== undefined) addHandedFunction(made, [], draft.graph.add(callee), draft, [{ parameter, source }])
      continue
    }
    for (const node of call(callee, parameter, [source])) {
      addEventHandler(handler, node, draft)
      requests.set(handler, node)
    }
    if (handler.handler === undefined) continue
    const at = parameter - unbound(handler.handler).shift
    addHandedFunction(handler.handler, [], draft.graph.add(callee), draft, [{ parameter: at, source }])
  }
  for (const { callee, args } of draft.facts.calls) {
    const [path, ...others] = args
    if (callee.kind !== 'member' || !isRoutePath(callee.name ?? '', path)) continue
    for (const given of others) {
      const handler = unbound(given)
      if (given.kind === 'function' || functionOf(handler.callee) !== undefined) continue
      const sources = [
        { origin: 'http-request', weak: false },
        { origin: 'response', weak: false },
      ] as const
      call(handler.callee, handler.shift, sources)
      const handed = sources.map((source, parameter) => ({ parameter, source }))
      addHandedFunction(given, [], draft.graph.add(given), draft, handed)
    }
  }
  return requests
}

/** What it is that a handler gets, and for which event. */
export function eventOf({
  service,
  phase,
  events,
  entities,
}: HandlerFunction): Pick<FlowSource, 'origin' | 'cleaned' | 'isBehind'> & Required<Pick<FlowSource, 'handled'>> {
  const isConnected = service.kind === 'connected'
  const names = events.flatMap((name) => name ?? [])
  // what a connected service sends comes from a broker or another system, unless it is one of this project
  // and no action of a service is called like a topic
  const isMessage =
    phase === 'on' &&
    (isConnected ? !names.some((name) => CRUD_EVENT.test(name)) : names.length > 0 && names.every((name) => TOPIC.test(name)))
  return {
    origin: isMessage ? 'message' : 'cap-request',
    ...(phase !== 'before' && phase !== 'prepend' && { isBehind: true }),
    ...(entities?.length === 1 && entities[0] === 'tenant' && { cleaned: SUBSCRIPTION_CLEANS }),
    handled: {
      service: service.name,
      isConnected: isConnected || isMessage,
      events: names.length < events.length ? [] : names,
      entities,
    },
  }
}

/** `crm/partner/created`, `topic:sap.s4.beh.Partner.Changed.v1`. */
const TOPIC = /^[^\s/]{1,100}\/\S{1,200}$|^topic:|\.v\d{1,4}$/

/** A request that stands beside a response is one of HTTP. */
function isHttp({ parameters }: FunctionFact): boolean {
  return parameters.some((binding) => binding !== undefined && RESPONSE_NAME.test(binding.name))
}

function filledByRoute(callback: Callback, fact: FunctionFact): readonly FilledParameter[] {
  const { index } = callback
  const call = withVerb(callback.call)
  const method = call === callback.call ? methodOf(callback) : lastNameOf(call.callee)
  const isRoute = index === 0 ? method === 'use' && fact.parameters.length >= 3 : isRoutePath(method ?? '', call.args[0])
  if (!isRoute) return []
  const strong = (parameter: number, origin: Origin): FilledParameter => ({ fact, parameter, origin, weak: false })
  // four parameters: the first one is an error
  const first = fact.parameters.length === 4 ? 1 : 0
  return [strong(first, 'http-request'), strong(first + 1, 'response')]
}

function isRoutePath(method: string, path: Value | undefined): boolean {
  if (!ROUTES.has(method)) return false
  if (path?.kind === 'regex') return true
  return path?.kind === 'literal' && typeof path.value === 'string' && path.value.startsWith('/')
}
