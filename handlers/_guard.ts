import type { H3Event } from 'h3'
import { Refusal } from '../core/index.ts'
import { isDashboard } from './_dashboard.ts'
import { readAddress, type PublicAddress } from './_address.ts'

export interface GuardPolicy {
  /** Names that the server answers to, without a port. Not bound to loopback, and none: every name. */
  readonly hosts: readonly string[]
  /** Bound to loopback: its own names are answered too, and no others, which is what stops DNS rebinding. */
  readonly loopback: boolean
  /** What `Authorization: Bearer` must say under /api/. */
  readonly token?: string
  /** Tokens with the name space that each opens; they are asked for as `token` is. */
  readonly tokens?: Readonly<Record<string, string>>
  /** Where its pages are opened from, beside the address of the request: behind a proxy that one is another. */
  readonly origins?: readonly string[]
  /** Whether `Forwarded` and `X-Forwarded-*` are believed. */
  readonly trustProxy?: boolean
  /** Whether the queue is shown to whoever has `token`. */
  readonly dashboard?: boolean
}

/** Asked by those who know neither its name nor a token. */
const PROBES = /^\/api\/(?:health|ready)\/?$/
const LOOPBACK_NAME = /^(?:localhost|[a-z0-9-]{1,63}\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Makes the middleware that speaks before everything else. A page in the user's browser can send requests to a server on his machine, so a
 * request must carry a name of ours and must not come from another site. It gives the name space that the request's token opens.
 * Throws the refusals `unknown-host`, `forbidden-origin`, `unauthorized`.
 */
export function createGuard(policy: GuardPolicy): (event: H3Event) => string {
  const hosts = new Set(policy.hosts.map((host) => toName(host)))
  const origins = new Set(policy.origins?.map((origin) => new URL(origin).origin))
  const originNames = new Set([...origins].map((origin) => toName(new URL(origin).host)))
  const tokens = Object.entries(policy.tokens ?? {})
  if (policy.token !== undefined) tokens.push(['', policy.token])
  return (event) => {
    const { pathname } = event.url
    const isProbe = PROBES.test(pathname)
    const address = readAddress(event, policy.trustProxy ?? false)
    const name = toName(address.host)
    if (!isProbe && !originNames.has(name) && !isKnownHost(name, hosts, policy.loopback)) throw new Refusal('unknown-host')
    const isForOperator = policy.dashboard === true && isDashboard(pathname)
    // the page's own files may be opened from anywhere
    if (pathname !== '/api' && !pathname.startsWith('/api/') && !isForOperator) return ''
    if (!isOwnOrigin(event, address, origins) || !isOwnSite(event)) throw new Refusal('forbidden-origin')
    if (isForOperator) {
      if (policy.token === undefined || !isOperator(event, policy.token)) throw new Refusal('unauthorized')
      return ''
    }
    if (isProbe || tokens.length === 0) return ''
    const space = findSpace(event, tokens)
    if (space === undefined) throw new Refusal('unauthorized')
    return space
  }
}

/** A Host header's name: lower case, without port and final dot. */
function toName(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
}

function isKnownHost(name: string, hosts: ReadonlySet<string>, loopback: boolean): boolean {
  if (hosts.has(name)) return true
  return loopback ? LOOPBACK_NAME.test(name) : hosts.size === 0
}

/** An Origin is sent by browsers. `null` (sandboxes, files, redirects) is nobody's own. */
function isOwnOrigin(event: H3Event, { host, secure }: PublicAddress, origins: ReadonlySet<string>): boolean {
  const sent = event.req.headers.get('origin')
  if (sent === null) return true
  try {
    const origin = new URL(sent)
    // http behind something that ends TLS is still https for the browser, never the other way round
    if (origins.has(origin.origin)) return true
    const schemes = secure ? ['https:'] : ['http:', 'https:']
    // through URL, because a default port may stand in one and not in the other
    return schemes.includes(origin.protocol) && origin.host === new URL(`${origin.protocol}//${host}`).host
  } catch {
    return false
  }
}

/** `same-site` is another port of localhost, or another subdomain: not ours. */
function isOwnSite(event: H3Event): boolean {
  const site = event.req.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** The name of the token that was sent. All are compared, so that the time does not tell which came near. */
function findSpace(event: H3Event, tokens: readonly (readonly [string, string])[]): string | undefined {
  const { scheme, sent } = readCredentials(event)
  if (scheme !== 'bearer') return undefined
  return tokens.filter(([, token]) => isSame(sent, token)).map(([name]) => name)[0]
}

/** A browser that opens an address can send a token as a password alone, behind a name of the user's choice (RFC 7617). */
function isOperator(event: H3Event, token: string): boolean {
  const { scheme, sent } = readCredentials(event)
  if (scheme === 'bearer') return isSame(sent, token)
  if (scheme !== 'basic') return false
  const pair = decodeBase64(sent)
  return isSame(pair.slice(pair.indexOf(':') + 1), token)
}

function readCredentials(event: H3Event): { readonly scheme: string; readonly sent: string } {
  const [scheme = '', sent = '', ...more] = (event.req.headers.get('authorization') ?? '').split(' ')
  return more.length > 0 ? { scheme: '', sent: '' } : { scheme: scheme.toLowerCase(), sent }
}

/** Text of bytes of which each is a character: a token has no others. */
function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Takes as long for every text that is sent, so that its time tells nothing of the token. */
function isSame(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length
  for (let index = 0; index < sent.length; index++) {
    difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length)
  }
  return difference === 0
}
