import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const TO_LOCAL = /^(?:toUrl|getModulePath|getResourcePath|resolveUri|getResourceUri)$/

const LOCAL_FILE = /^[^?]*\.(?:json|properties|xml|html?|txt|md|svg|css|csv)$/i
const ABSOLUTE = /^(?:\/|[a-z]+:)/i

/** A file of the app itself: a constant relative path, or what is made from the name of a module. */
export function isLocalResource(value: Value): boolean {
  const text = constantOf(value)
  if (typeof text === 'string') return (LOCAL_FILE.test(text) && !ABSOLUTE.test(text)) || isSettingsFile(text)
  const here = resolveValue(value)
  if (here.kind === 'call') return TO_LOCAL.test(lastNameOf(here.callee) ?? '')
  const parts = here.kind === 'concat' || here.kind === 'template' ? here.parts : []
  return parts.some(isLocalResource)
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
