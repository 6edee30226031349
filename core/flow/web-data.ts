import { accessesOf, type Access, type FunctionFact, type Value } from '../facts/index.ts'

/** What of `document` the address or the page that led here decides. */
const OF_DOCUMENT: ReadonlySet<string> = new Set(['location', 'URL', 'documentURI', 'referrer', 'cookie'])

/** Whether a value comes from outside into a page: its address, URL parameters, a message, the arguments of a route. */
export function isWebData(value: Value, handlers: ReadonlySet<FunctionFact>): boolean {
  if (value.kind === 'call' && value.callee.kind === 'member' && isRouteArguments(value.callee.name, value.args[0])) return true
  if (value.kind !== 'reference' && value.kind !== 'member' && value.kind !== 'call') return false
  return accessesOf(value).some((access) => isWebAccess(access, handlers))
}

function isRouteArguments(method: string | undefined, argument: Value | undefined): boolean {
  return method === 'getParameter' && argument?.kind === 'literal' && argument.value === 'arguments'
}

function isWebAccess({ root, steps, binding }: Access, handlers: ReadonlySet<FunctionFact>): boolean {
  const [first] = steps
  switch (root) {
    case 'global:location':
      return true
    case 'global:document':
      return first !== undefined && OF_DOCUMENT.has(first)
    case 'module:sap/base/util/UriParameters':
      return true
    default:
  }
  // jQuery.sap.getUriParameters(), HashChanger.getInstance().getHash(), event.getParameters().arguments
  if (steps.includes('getUriParameters') || (steps.at(-1) === '()' && steps.at(-2) === 'getHash')) return true
  if (steps.some((step, index) => step === 'arguments' && steps[index - 2] === 'getParameters')) return true
  return first === 'data' && binding?.kind === 'parameter' && handlers.has(binding.function)
}
