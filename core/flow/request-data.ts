import type { Access, FunctionFact, Value } from '../facts/index.ts'
import { isCds } from './frameworks/cap-receivers.ts'
import { methodOf, type Callback } from '../facts/callbacks.ts'
import { ROUTES } from './tables/requests.ts'
import { isRequestName } from '../model/script/index.ts'

/** What of a request its sender chooses. Facts: CAP documentation, "Events" (req.data, params, query, headers, http.req); Express 4 and 5. */
const SENT: ReadonlySet<string> = new Set([
  'data',
  'params',
  'query',
  'headers',
  'body',
  'cookies',
  'files',
  'file',
  'url',
  'originalUrl',
  'path',
  'hostname',
  'subject',
  '_',
  'http',
  'req',
  'get',
  'header',
  'param',
])

/** The same of `cds.context`; its user and tenant are checked ones. */
const OF_CONTEXT: ReadonlySet<string> = new Set(['data', 'params', 'query', 'headers', 'http', '_'])

/** Methods that register a handler of a CAP service. */
const REGISTERS: ReadonlySet<string> = new Set(['on', 'before', 'after', 'once', 'prepend'])

/** Whether a value comes with a request: `req.data.ID`, `req.headers['x']`, or the same by a destructured parameter of a handler. */
export function isRequestData({ root, steps, binding }: Access, callbacks: ReadonlyMap<FunctionFact, Callback>): boolean {
  const [first] = steps
  // XS classic: SAP HANA XS JavaScript API, $.request
  if (root === 'global:$' && first === 'request') return steps.length > 1
  if (first === undefined) return false
  // the request that is being handled, from anywhere: cds.context.http.req
  if (first === 'context' && isCds({ root })) return OF_CONTEXT.has(steps[1] ?? '') && steps.length > 2
  if (!SENT.has(first)) return false
  // an import that is called req is none
  if (binding === undefined) return false
  const definition = binding.definitions[0]
  if (definition?.kind !== 'parameter') return isRequestName(binding.name) && root.startsWith('parameter:')
  if (definition.path.length === 0 && isRequestName(binding.name)) return true
  return isRequestParameter(definition.parameter, callbacks.get(binding.function))
}

/** Handlers get the request first, those of `after` get it behind the result. */
function isRequestParameter(parameter: number | undefined, callback: Callback | undefined): boolean {
  if (callback === undefined) return false
  const method = methodOf(callback)
  if (method === undefined || callback.index === 0) return false
  if (REGISTERS.has(method)) return parameter === (method === 'after' ? 1 : 0)
  return parameter === 0 && ROUTES.has(method) && isRoute(callback.call.args[0])
}

function isRoute(path: Value | undefined): boolean {
  return path?.kind === 'literal' && typeof path.value === 'string' && path.value.startsWith('/')
}
