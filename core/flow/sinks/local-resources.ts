import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const TO_LOCAL = /^(?:toUrl|getModulePath|getResourcePath|resolveUri|getResourceUri)$/

const LOCAL_FILE = /^[^?]*\.(?:json|properties|xml|html?|txt|md|svg|css|csv)$/i
const ABSOLUTE = /^(?:\/|[a-z]+:)/i

/** A file of the app itself: a constant relative path, or what is made from the name of a module. Services are called below the app, too: `toUrl("shop/odata/v4/orders")`. */
export function isLocalResource(value: Value): boolean {
  const text = constantOf(value)
  if (typeof text === 'string') return (LOCAL_FILE.test(text) && !ABSOLUTE.test(text)) || isSettingsFile(text)
  const here = resolveValue(value)
  if (here.kind === 'call') {
    const [name] = here.args
    const module = name && constantOf(name)
    return isMadeOfModule(here) && (typeof module !== 'string' || LOCAL_FILE.test(module))
  }
  const parts = here.kind === 'concat' || here.kind === 'template' ? here.parts : []
  const last = parts.at(-1)
  const end = last && constantOf(last)
  return typeof end === 'string' && parts.some(isMadeOfModule) ? LOCAL_FILE.test(end) : parts.some(isLocalResource)
}

function isMadeOfModule(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && TO_LOCAL.test(lastNameOf(here.callee) ?? '')
}

/** What is deployed beside the app: `/config/app.json`, `/app-settings.json`. */
function isSettingsFile(text: string): boolean {
  return /^\/[\w./-]+\.json$/i.test(text) && /config|settings|environment/i.test(text)
}

/** An address that data is loaded from, not the data itself. */
export function isRemote(value: Value): boolean {
  const here = resolveValue(value)
  if (here.kind === 'concat' || here.kind === 'template') return !isLocalResource(here)
  return typeof constantOf(here) === 'string' && !isLocalResource(here)
}
