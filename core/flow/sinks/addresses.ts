import {
  asSum,
  fieldOf,
  resolveValue,
  type CallValue,
  type Value,
  constantOf,
  stringConstantOf,
  pathsOf,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { directParts } from '../../facts/values.ts'
import { classifyHost, isWorkspacePreview } from '../../hosts.ts'
import { isRequestName, leadingAddressOf, leadingTextOf } from '../../model/script/index.ts'
import { OWN_USER } from '../tables/web.ts'
import type { SinkDetail } from '../types.ts'

/** What stands before the value in an address. `first`: the part that decides about scheme and host, where that is no constant. */
export function addressParts(given: Value): {
  readonly detail: SinkDetail
  readonly first: Value | undefined
  /** A constant host stands before it, which the value may go on with. */
  readonly isBehindHost?: true
} {
  const value = resourceNamed(given)
  const { text: written } = leadingAddressOf(value)
  const text = written + beginOf(value)
  if (/^(?:(?:http|ws)s?:\/\/[^/]{1,300}\/|\/(?![/\\]))[^?]{0,2000}\?/i.test(text))
    return { detail: 'query', first: originOf(value) }
  if (/^(?:http|ws)s?:\/\/[^/]{1,300}\//i.test(text)) return { detail: 'fixed-host', first: originOf(value) }
  if (/^\/(?![/\\])/.test(text)) return { detail: 'fixed-path', first: undefined }
  // `https://${host}/…`: the next part is the host
  if (/^(?:(?:http|ws)s?:)?\/\/[^/]{0,300}$/i.test(text))
    return { detail: 'begin', first: undefined, ...(BEHIND_HOST.test(written) && hasOnePart(value) && { isBehindHost: true }) }
  const here = asSum(resolveValue(value))
  if (here.kind !== 'concat' && here.kind !== 'template') return { detail: 'begin', first: undefined }
  const first = firstPartOf(value, 0)
  if (text !== '') return { detail: 'later', first: undefined }
  // const root = mirror ? `https://${mirror}` : '/api': what was marked as standing behind a host decides about none
  const isEither = first?.kind === 'literal' && here.parts[0] !== undefined && resolveValue(here.parts[0]).kind === 'choice'
  return { detail: 'later', first: isEither ? here.parts[0] : first }
}

/** `http://host:8000` */
const BEHIND_HOST = /^(?:https?:)?\/\/[\w.-]{1,260}(?::\d{0,5})?$/i

/** Of several values behind a constant the first may end the host, or another one may not stand right behind it. */
function hasOnePart(value: Value): boolean {
  return directParts(asSum(resolveValue(value))).filter((part) => constantOf(part) === undefined).length === 1
}

/** What an address begins with, where no constant says its host: `new URL(base).origin` of `new URL(base).origin + '/api'`. */
function originOf(value: Value): Value | undefined {
  return leadingTextOf(value).text === '' && leadingAddressOf(value).text !== '' ? firstPartOf(value, 0) : undefined
}

/** The name of a resource, of which `sap.ui.require.toUrl` makes its address: what stands behind its beginning chooses no host. */
function resourceNamed(given: Value): Value {
  const made = resolveValue(given)
  const [name] = made.kind === 'call' && lastNameOf(made.callee) === 'toUrl' ? made.args : []
  return name !== undefined && leadingTextOf(name).text !== '' ? name : given
}

const MAX_DEPTH = 8

/** What a text begins with, by the name under which it stands there: what was asked about that name still holds. */
function firstPartOf(value: Value, depth: number): Value | undefined {
  const here = asSum(resolveValue(value))
  if (depth > MAX_DEPTH) return undefined
  if (here.kind === 'concat') return here.parts[0] && firstPartOf(here.parts[0], depth + 1)
  if (here.kind === 'template') {
    const [text = ''] = here.texts
    const [part] = here.parts
    if (text !== '') return { kind: 'literal', start: here.start, end: here.end, value: text }
    return part && firstPartOf(part, depth + 1)
  }
  if (here.kind === 'choice')
    return here.options.map((option) => firstPartOf(option, depth + 1)).find((part) => part !== undefined)
  return constantOf(here) === undefined ? value : here
}

/** `?search=` of `/items${text ? `?search=${text}` : ''}`: what the one part that is written in full begins with. */
function beginOf(value: Value): string {
  const here = asSum(resolveValue(value))
  const [, part] = here.kind === 'concat' ? here.parts : here.kind === 'template' ? [undefined, here.parts[0]] : []
  // what of a request always begins with a slash: `https://own.example${req.originalUrl}`
  if (part?.kind === 'member' && OF_OWN_PATH.test(part.name ?? '') && isRequest(part.object)) return '/'
  if (part !== undefined && endsHost(part, here)) return '/'
  if (part?.kind !== 'choice') return ''
  return part.options.map((option) => leadingTextOf(option).text).find((text) => text.startsWith('?')) ?? ''
}

const OF_OWN_PATH = /^(?:path|url|originalUrl|baseUrl)$/

/** Parts of the own address that begin with a slash, a question mark or a number sign; the latter two may be empty. Fact: HTML standard, "Location". */
function endsHost(part: Value, here: Value): boolean {
  const isLast = directParts(here).at(-1) === part
  return pathsOf(part).some((path) => (isLast ? OF_LOCATION : OF_LOCATION_PATH).test(path.join('.')))
}

const OF_LOCATION = /^global:(?:(?:window|document|globalThis|self)\.)?location\.(?:pathname|search|hash)$/
const OF_LOCATION_PATH = /^global:(?:(?:window|document|globalThis|self)\.)?location\.pathname$/

function isRequest(value: Value): boolean {
  return value.kind === 'reference' && isRequestName(value.name)
}

const TO_LOCAL = /^(?:toUrl|getModulePath|getResourcePath|resolveUri|getResourceUri)$/

/** A descriptor that a script beside the page writes is as much the app's own as a file. */
const LOCAL_FILE = /^[^?]*\.(?:json|properties|xml|html?|txt|md|svg|css|csv)$|^(?:[^?]*\/)?manifest\.[a-z]{2,5}$/i
const ABSOLUTE = /^(?:\/|[a-z]+:)/i

/** A file of the app itself: a constant relative path, or what is made from the name of a module. Services are called below the app, too: `toUrl("shop/odata/v4/orders")`. */
export function isLocalResource(value: Value, depth = 0): boolean {
  // a name may be a part of itself
  if (depth > MAX_NESTED) return false
  const text = stringConstantOf(value)
  if (text !== undefined) return (LOCAL_FILE.test(text) && !ABSOLUTE.test(text)) || isSettingsFile(text)
  const here = resolveValue(value)
  if (here.kind === 'call') {
    const [name] = here.args
    const module = stringConstantOf(name)
    return isMadeOfModule(here) && (module === undefined || LOCAL_FILE.test(module))
  }
  const parts = here.kind === 'concat' || here.kind === 'template' ? here.parts : []
  const last = parts.at(-1)
  const end = stringConstantOf(last)
  return end !== undefined && parts.some(isMadeOfModule)
    ? LOCAL_FILE.test(end)
    : parts.some((part) => isLocalResource(part, depth + 1))
}

const MAX_NESTED = 20

/** `sap.ui.require.toUrl(…)`, `this.getResourcePath()`; a function of the file that has such a name makes an address of anything. */
function isMadeOfModule(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && TO_LOCAL.test(lastNameOf(here.callee) ?? '') && functionOf(here.callee) === undefined
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

/** Whether a request of a page is answered with its own user: `fetch(base + '/api/user')`, `model.callFunction('/currentUser')`, `{ url: '/user-api/currentUser' }`. */
export function asksForOwnUser({ args: [first] }: CallValue, text: string): boolean {
  if (first === undefined) return false
  const address = addressAsked(first)
  const written = text.slice(address.start, address.end).replace(/["'`]$/, '')
  return OWN_USER.test(String(constantOf(address) ?? written))
}

/**
 * Whether a request of a page is sent to the machine of whoever opens the page, or to the workspace of a developer, and to nothing else: `fetch('http://localhost:4004' + path)`. Where the
 * code chooses between addresses, another one counts.
 */
export function asksMachine({ args: [first] }: CallValue): boolean {
  if (first === undefined) return false
  const { text, isWhole } = leadingTextOf(addressAsked(first))
  const [, host] = HOST.exec(isWhole ? `${text}/` : text) ?? []
  return host !== undefined && (classifyHost(host) === 'local' || isWorkspacePreview(host))
}

/** With what ends it: what is put behind a name may belong to it. */
const HOST = /^(?:http|ws)s?:\/\/([\w.-]{1,200}|\[::1\])(?:(?::\d{1,5})?[/?#]|:\d{1,5}$)/i

function addressAsked(first: Value): Value {
  return resolveValue(fieldOf(resolveValue(first), 'url')?.value ?? first)
}
