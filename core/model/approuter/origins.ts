import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'

/** Who may be at a host that fits a pattern: anybody, whoever has an account on the platform, whoever registers a domain that ends alike, or the owner. */
export type OriginVerdict = 'any' | 'shared' | 'suffix' | 'own'

/** Domains under which everybody who has an account can register a host (SAP BTP Security Recommendations, BTP-UAA-0002), or that are public suffixes. */
const SHARED_DOMAIN =
  /^(?:(?:(?:hana|cfapps|launchpad|workzone|authentication|dispatcher|[a-z]{2}\d{1,2}(?:-\d{3})?)\.){0,5}ondemand\.com|(?:applicationstudio\.)?cloud\.sap|(?:github|gitlab)\.io|(?:netlify|vercel|web)\.app|(?:herokuapp|amazonaws)\.com|azurewebsites\.net|(?:pages|workers)\.dev|[a-z]{2,10}|co\.uk|com\.(?:br|au))$/

/** Judges one host of a CORS, WebSocket or framing allowlist. A wildcard stands for any part (@sap/approuter 23.0.0, allowlists). */
export function judgeOrigin(host: string): OriginVerdict {
  const pattern = host.trim().toLowerCase()
  if (!pattern.includes('*')) return 'own'
  const rest = pattern.slice(pattern.lastIndexOf('*') + 1)
  const domain = rest.replace(/^\./, '')
  if (domain === '') return 'any'
  if (SHARED_DOMAIN.test(domain)) return 'shared'
  // `*acme.com` is also what anybody may register: not-acme.com
  return rest === domain ? 'suffix' : 'own'
}

/** The entries of an allowlist: `[{ "host": "a.corp.com", "protocol": "https" }]`. A bare text is one that its author takes for a host. */
export function readOrigins(list: DataNode | undefined): { readonly host: string; readonly node: DataNode }[] {
  return itemsOf(list).flatMap((item) => {
    const node = item.kind === 'string' ? item : at(item, 'host')
    const host = stringOf(node)
    return node === undefined || host === undefined ? [] : [{ host, node }]
  })
}
