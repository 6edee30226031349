import type { FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { methodOf, type Callback } from '../../facts/callbacks.ts'
import { HANDLERS, REQUEST_NAME, RESPONSE_NAME, ROUTES } from '../tables/requests.ts'
import type { Origin } from '../types.ts'

/** A parameter that a framework fills. */
export interface FilledParameter {
  readonly fact: FunctionFact
  readonly parameter: number
  readonly origin: Origin
  /** Known by its name alone. */
  readonly weak: boolean
}

/** Requests and responses that functions of a script are given: handlers of services, routes, middlewares, and what is called so. */
export function* requestParameters(
  facts: ScriptFacts,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
): Generator<FilledParameter> {
  for (const fact of facts.functions) {
    const callback = callbacks.get(fact)
    const filled = callback === undefined ? [] : filledBy(callback, fact)
    yield* filled
    const known = new Set(filled.map(({ parameter }) => parameter))
    for (const [parameter, binding] of fact.parameters.entries()) {
      if (binding === undefined || known.has(parameter)) continue
      if (RESPONSE_NAME.test(binding.name)) yield { fact, parameter, origin: 'response', weak: true }
      else if (REQUEST_NAME.test(binding.name))
        yield { fact, parameter, origin: isHttp(fact) ? 'http-request' : 'cap-request', weak: true }
    }
  }
}

/** A request that stands beside a response is one of HTTP. */
function isHttp({ parameters }: FunctionFact): boolean {
  return parameters.some((binding) => binding !== undefined && RESPONSE_NAME.test(binding.name))
}

function filledBy(callback: Callback, fact: FunctionFact): readonly FilledParameter[] {
  const method = methodOf(callback)
  const { call, index } = callback
  if (method === undefined) return []
  const strong = (parameter: number, origin: Origin): FilledParameter => ({ fact, parameter, origin, weak: false })
  if (isRoute(method, call.args[0], index, fact)) {
    // four parameters: the first one is an error
    const first = fact.parameters.length === 4 ? 1 : 0
    return [strong(first, 'http-request'), strong(first + 1, 'response')]
  }
  if (index > 0 && HANDLERS.has(method) && (isOwn(call) || isEvent(call.args[0])))
    return [strong(method === 'after' ? 1 : 0, 'cap-request')]
  return []
}

/** A service registers its own handlers: `this.on('close', …)` is no event of a stream. */
function isOwn({ callee }: Callback['call']): boolean {
  return callee.kind === 'member' && callee.object.kind === 'this'
}

function isRoute(method: string, path: Value | undefined, index: number, fact: FunctionFact): boolean {
  if (!ROUTES.has(method)) return false
  if (index === 0) return method === 'use' && fact.parameters.length >= 3
  if (path?.kind === 'regex') return true
  return path?.kind === 'literal' && typeof path.value === 'string' && path.value.startsWith('/')
}

/** Names of events are texts or lists of them; streams and processes have events of their own. */
function isEvent(event: Value | undefined): boolean {
  if (event?.kind === 'literal') return typeof event.value === 'string' && !OF_STREAMS.has(event.value)
  return event !== undefined
}

const OF_STREAMS: ReadonlySet<string> = new Set(
  'data end error close finish drain pipe readable exit message connect disconnect listening bootstrap served connection upgrade request'.split(
    ' ',
  ),
)
