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

const ANY_HOST = /^\*{1,2}$/

/** Grades a redirect address with a wildcard; undefined: it has none that matters. */
export function gradeRedirect(uri: string, multitenant: boolean): RedirectGrade | undefined {
  const any: RedirectGrade = { width: 'any', severity: 'HIGH', domain: '', likely: false }
  if (!uri.includes('*')) return undefined
  const parts = /^([a-z*]{1,20}):\/\/([^/:]{0,300})(?::[0-9*]{1,5})?(?:\/(.{0,2000}))?$/i.exec(uri)
  if (parts === null) return ANY_HOST.test(uri.split('/')[0] ?? '') ? any : undefined
  const [, scheme = '', host = ''] = parts
  // localhost is always allowed: a wildcard there changes nothing
  if (/^(?:localhost|127\.0\.0\.1)$/i.test(host)) return undefined
  if (ANY_HOST.test(host)) return any
  if (!host.includes('*')) return scheme.includes('*') ? any : { ...any, width: 'path', severity: 'INFO' }
  const labels = host.toLowerCase().split('.')
  const domain = labels.slice(labels.findLastIndex((label) => label.includes('*')) + 1).join('.')
  if (!domain.includes('.') && !domain.startsWith('${')) return any
  if (SHARED_DOMAIN.test(domain)) return { width: 'shared', severity: 'HIGH', domain, likely: domain.startsWith('${') }
  // a host per tenant below the app's own is how multitenant apps are addressed
  return scheme.includes('*') ? any : { width: 'domain', severity: multitenant ? 'INFO' : 'LOW', domain, likely: false }
}
