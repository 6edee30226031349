import { accessesOf, resolveValue, type Access, type FunctionFact, type Value } from '../facts/index.ts'

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
  // getComponentData().startupParameters: what the address of the launchpad gives an app
  if (steps.includes('startupParameters') && (root === 'this' || steps.includes('getComponentData'))) return true
  // jQuery.sap.getUriParameters(), HashChanger.getInstance().getHash(), event.getParameters().arguments
  if (steps.includes('getUriParameters') || (steps.at(-1) === '()' && steps.at(-2) === 'getHash')) return true
  if (steps.some((step, index) => step === 'arguments' && steps[index - 2] === 'getParameters')) return true
  return first === 'data' && binding?.kind === 'parameter' && handlers.has(binding.function)
}

/** Methods by which models and their contexts give what they hold. */
const READERS: ReadonlySet<string> = new Set(['getProperty', 'getObject', 'getData', 'requestProperty', 'requestObject'])

/** Whether a value is read from a model of UI5 that holds data: what a backend, and so any user of it, has written. Texts of the app are none. */
export function isModelData(value: Value): boolean {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || !READERS.has(value.callee.name ?? '')) return false
  const { object } = value.callee
  if (isTextModel(object)) return false
  const name = object.kind === 'reference' || object.kind === 'member' ? (object.name ?? '') : ''
  if (/(?:model|context|ctx)$/i.test(name) && !/i18n|device/i.test(name)) return true
  return accessesOf(object).some(({ root, steps }) => {
    const called = steps.at(-1) === '()' ? steps.at(-2) : undefined
    if (called === 'getModel' || called === 'getBindingContext') return true
    return steps.at(-1) === 'new' && /^module:sap\/ui\/model\/.{1,40}Model$/.test(root)
  })
}

/** `getModel("i18n")`, `getModel("device")`, also by a name that it was given. */
function isTextModel(value: Value): boolean {
  const call = resolveValue(value)
  const [name] = call.kind === 'call' ? call.args : []
  return name?.kind === 'literal' && /i18n|^device$/i.test(String(name.value))
}
