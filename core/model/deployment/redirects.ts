import type { Severity } from '../../types.ts'

/** How wide a redirect address is; `any`: every host. */
export interface RedirectGrade {
  readonly width: 'any' | 'shared' | 'domain' | 'path'
  readonly severity: Severity
  /** The hosts' common end. */
  readonly domain: string
  /** The domain is the deployer's default, which is shared unless somebody has set a domain of his own. */
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

/** Ends under which everybody has a domain: `co.uk`, `com.br`. */
const PUBLIC_END = /^(?:co|com|net|org|gov|edu|ac)\.[a-z]{2}$/

const ANY_HOST = /^\*{1,2}$/

/** Grades a redirect address with a wildcard; undefined: it has none that matters. */
export function gradeRedirect(uri: string, multitenant: boolean): RedirectGrade | undefined {
  const any: RedirectGrade = { width: 'any', severity: 'HIGH', domain: '', likely: false }
  if (!uri.includes('*')) return undefined
  // a reference may hold what would else end the host
  const plain = uri.replace(/[$~]\{[^{}]{1,200}\}/g, (reference) => reference.replaceAll('/', '|').replaceAll(':', ';'))
  const parts = /^([a-z*]{1,20}):\/\/([^/:]{0,300})(?::[0-9*]{1,5})?(?:\/(.{0,2000}))?$/i.exec(plain)
  if (parts === null) return ANY_HOST.test(plain.split('/')[0] ?? '') ? any : undefined
  const [, scheme = '', host = ''] = parts
  // localhost is always allowed: a wildcard there changes nothing
  if (/^(?:localhost|127\.0\.0\.1)$/i.test(host)) return undefined
  if (ANY_HOST.test(host)) return any
  if (!host.includes('*')) return scheme.includes('*') ? any : { ...any, width: 'path', severity: 'INFO' }
  const domain = domainAfter(host.toLowerCase().slice(host.lastIndexOf('*') + 1))
  if ((!domain.includes('.') && !/[$~]\{/.test(domain)) || PUBLIC_END.test(domain)) return any
  if ((SHARED_DOMAIN.test(domain) && !OWN_HOST.test(domain)) || HOSTING.test(domain))
    // a code is of no use without the client secret
    return { width: 'shared', severity: 'MEDIUM', domain, likely: domain.startsWith('${') }
  // a host per tenant below the app's own is how multitenant apps are addressed
  return scheme.includes('*') ? any : { width: 'domain', severity: multitenant ? 'INFO' : 'LOW', domain, likely: false }
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
