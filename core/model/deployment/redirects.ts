import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Application } from './types.ts'
import { isOpen, readUrl } from './urls.ts'

/**
 * How wide a redirect address with a wildcard is. `any`: every host · `shared`: every host of a domain on which everybody may have one · `domain`: those of a domain of
 * one's own · `beside`: those whose names end with that of an app, on the domain of the app · `local`: those of the machine of the user · `path`: every path of one host.
 */
export interface RedirectHosts {
  readonly width: 'any' | 'shared' | 'domain' | 'beside' | 'local' | 'path'
  /** The hosts' common end. */
  readonly domain: string
  /** What the domain is only the deployer knows: it may be the default one, which is shared unless somebody has set another, or a placeholder. */
  readonly likely: boolean
}

/** Domains under which everybody who has an account can register a host (SAP BTP Security Recommendations, BTP-UAA-0002). */
const SHARED_DOMAIN =
  /^(?:(?:[a-z0-9-]{1,40}\.){0,4}hana\.ondemand\.com|(?:[a-z0-9-]{1,40}\.){0,2}ondemand\.com|(?:[a-z0-9-]{1,40}\.){0,2}applicationstudio\.cloud\.sap|cloud\.sap|\$\{(?:default-)?domain\})$/

/** Below one app's host (a host of Cloud Foundry's shared domains has no dots) or one's own cluster nobody else registers anything; below SAP's launchpads every subaccount has a host. */
const OWN_HOST =
  /^(?!(?:[a-z0-9-]{1,20}\.)?(?:launchpad|workzone|cpp|cloudportal)\.)[a-z0-9_.-]{1,100}\.cfapps\.[a-z0-9-]{1,20}\.hana\.ondemand\.com$|^(?!stage\.)[a-z0-9-]{1,40}(?:\.stage)?\.kyma\.ondemand\.com$/

/** Where other clouds give a host to everybody who asks. */
const HOSTING =
  /(?:^|\.)(?:azurewebsites\.net|azurestaticapps\.net|cloudapp\.azure\.com|herokuapp\.com|vercel\.app|netlify\.app|github\.io|gitlab\.io|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|appspot\.com|run\.app|onrender\.com|amazonaws\.com|amplifyapp\.com|cloudfront\.net|elasticbeanstalk\.com|ngrok\.io|ngrok\.app|ngrok-free\.app|trycloudflare\.com)$/

/** Whether a host is one of those, where the parts of one application may have several. */
export function isHosted(host: string): boolean {
  return HOSTING.test(host)
}

/** Ends under which everybody has a domain: `co.uk`, `com.br`. */
const PUBLIC_END = /^(?:co|com|net|org|gov|edu|ac)\.[a-z]{2}$/

/** The address of an application, which is below a shared domain unless somebody has set another one. Fact: SAP BTP, "MTA: parameters" (`default-uri`, `default-url`). */
const ADDRESS =
  /^(?:\$\{(?:default-ur[il]|default-host\}\.\$\{default-domain|host\}\.\$\{(?:default-)?domain)\}|~\{[^{}]{0,200}(?:ur[il]|host|domain)[^{}]{0,40}\})$/i

/** To be filled in by hand, or by a template. */
const PLACEHOLDER = /<[^<>]{1,100}>|\{\{[^{}]{1,200}\}\}/g

const ANY_HOST = /^\*{1,2}$/

/**
 * Public pages that help developers with logins and show or keep whatever is sent to them. Facts: Postman Learning Center, "OAuth 2.0" (callback URL);
 * oauthdebugger.com, oidcdebugger.com, jwt.io, jwt.ms, openidconnect.net, oauth.tools, Google OAuth 2.0 Playground, webhook.site, Pipedream RequestBin, Beeceptor, httpbin.org.
 */
const DEBUGGING_PAGE =
  /^(?:oauth\.pstmn\.io|(?:www\.)?getpostman\.com|(?:www\.)?(?:oauthdebugger|oidcdebugger)\.com|(?:www\.)?jwt\.(?:io|ms)|(?:www\.)?openidconnect\.net|oauth\.tools|(?:[\w-]{1,63}\.)?webhook\.site|[\w-]{1,63}\.m\.pipedream\.net|(?:www\.)?requestbin\.(?:com|net)|[\w-]{1,63}\.(?:free\.)?beeceptor\.com|(?:www\.)?httpbin\.org|developers\.google\.com)$/

/** The host of a redirect address on a public page for debugging; undefined: it is another one. */
export function debuggingHostOf(uri: string): string | undefined {
  const host = readUrl(uri)?.host
  return host !== undefined && DEBUGGING_PAGE.test(host) ? host : undefined
}

/** How wide a redirect address is; undefined: it has no wildcard that matters. */
export function hostsOfRedirect(uri: string): RedirectHosts | undefined {
  const any: RedirectHosts = { width: 'any', domain: '', likely: false }
  if (!uri.includes('*')) return undefined
  // a reference may hold what would else end the host
  const plain = uri.replace(/[$~]\{[^{}]{1,200}\}/g, (reference) => reference.replaceAll('/', '|').replaceAll(':', ';'))
  const parts = /^([a-z*]{1,20}|[$~]\{[^{}]{1,200}\}):\/\/([^/:]{0,300})(?::[0-9*]{1,5})?(?:\/(.{0,2000}))?$/i.exec(plain)
  if (parts === null) return ANY_HOST.test(plain.split('/')[0] ?? '') ? any : undefined
  const [, scheme = '', host = ''] = parts
  // localhost is always allowed: a wildcard there changes nothing
  if (/^(?:localhost|127\.0\.0\.1)$/i.test(host)) return undefined
  if (ANY_HOST.test(host)) return any
  if (!host.includes('*')) return scheme.includes('*') ? any : { ...any, width: 'path' }
  const rest = host.toLowerCase().slice(host.lastIndexOf('*') + 1)
  const domain = domainAfter(rest)
  // RFC 6761, 6.3: names below localhost are loopback addresses
  if (domain === 'localhost') return { width: 'local', domain, likely: false }
  if ((!domain.includes('.') && !isOpen(domain)) || PUBLIC_END.test(domain)) return any
  const filled = domain.replace(PLACEHOLDER, 'x')
  if ((SHARED_DOMAIN.test(filled) && !OWN_HOST.test(filled)) || HOSTING.test(filled))
    return { width: 'shared', domain, likely: domain.startsWith('${') }
  // without a dot behind the star, the hosts are no tenants' but others beside that of the app: `evil-my-app.cfapps…`
  if (!rest.startsWith('.') && ADDRESS.test(domain)) return { width: 'beside', domain, likely: true }
  return scheme.includes('*') ? any : { width: 'domain', domain, likely: filled !== domain }
}

/**
 * What the hosts of a wildcard have in common: `*.a.b`, `*-x.a.b` and `*${space}.a.b` are below `a.b`; `*${default-uri}` and `*-${host}.${domain}` are
 * the addresses of an application's own tenants, below what the references stand for.
 */
function domainAfter(rest: string): string {
  // up to the first dot that is not part of a reference
  const label = /^(?:[^.${}~]|\$\{(?:space|org)\})*/.exec(rest)?.[0] ?? ''
  const found = rest[label.length] === '.' ? rest.slice(label.length + 1) : /[$~]\{/.test(rest) ? rest.replace(/^-/, '') : ''
  return found.replaceAll('|', '/').replaceAll(';', ':')
}

/**
 * Whether an application is given hosts of a domain of its owner alone, where nobody else can register one.
 * Facts: SAP BTP, "Cloud Foundry module parameters" (`domain`, `domains`, `routes`).
 */
export function hasOwnDomain({ node, resolve }: Application): boolean {
  const parameters = at(node, 'parameters')
  const routes = itemsOf(at(parameters, 'routes')).flatMap((item) => stringOf(at(item, 'route')) ?? stringOf(item) ?? [])
  const domains = [at(parameters, 'domain'), ...itemsOf(at(parameters, 'domains'))].flatMap((one) => stringOf(one) ?? [])
  const hosts = [...routes, ...domains].map((host) => resolve(host).split('/')[0] ?? '')
  return (
    hosts.length > 0 && hosts.every((host) => hostsOfRedirect(`https://*.${host}`)?.width === 'domain' && !host.includes('{'))
  )
}
