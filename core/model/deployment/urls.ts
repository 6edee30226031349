import type { Destination } from './types.ts'

export interface UrlParts {
  /** Lower case. */
  readonly scheme: string
  /** Between `//` and `@`; undefined: nobody. */
  readonly user: string | undefined
  /** Lower case, without the port; may hold references that only the deployer knows. */
  readonly host: string
  /** What follows `?`. */
  readonly query: string
}

/** An absolute URL as far as it can be read; undefined: none, or one that starts with a reference (`~{srv-api/srv-url}`). */
export function readUrl(text: string): UrlParts | undefined {
  const parts = /^\s{0,20}([a-z][a-z0-9+.*-]{0,20}):\/\/([^/?#\s]{1,500})([^\s]{0,3000})/i.exec(text)
  if (parts === null) return undefined
  const [, scheme = '', authority = '', rest = ''] = parts
  const sign = authority.lastIndexOf('@')
  const query = rest.indexOf('?')
  return {
    scheme: scheme.toLowerCase(),
    user: sign === -1 ? undefined : authority.slice(0, sign),
    host: authority
      .slice(sign + 1)
      .replace(/:[0-9*]{1,5}$/, '')
      .toLowerCase(),
    query: query === -1 ? '' : rest.slice(query + 1),
  }
}

/** A machine's own, or a name that no public name server knows: nobody in between, or nobody from outside. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)$/.test(host)
}

/** Names and addresses of a closed network. */
export function isInternal(host: string): boolean {
  return (
    /(?:^|\.)(?:internal|intranet|corp|local|lan|home|svc)$|\.svc\.cluster\.local$/.test(host) ||
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]{3,11}$/.test(host) ||
    (host !== '' && !host.includes('.') && !host.includes('{'))
  )
}

/** Part of it is known to the deployer alone. */
export function isOpen(host: string): boolean {
  return /[$~]\{|\{\{|<|__|\(\(/.test(host)
}

/** Domains of SAP, on which its clouds and a customer's own applications run. */
export function isSapHost(host: string): boolean {
  return /(?:^|\.)(?:ondemand\.com|sap\.com|sap|cloud\.sap|sapcloud\.io|sapcloud\.cn|platform\.sapcloud\.cn|successfactors\.(?:com|eu)|s4hana\.cloud|sapbydesign\.com|ariba\.com|concursolutions\.com|sapsf\.(?:com|eu|cn)|fieldglass\.net|s4hana\.cloud\.sap|hanacloud\.ondemand\.com)$/.test(
    host,
  )
}

/** Hosts of accounts of the Neo environment: a customer's own applications and Web IDE. Fact: SAP BTP, Neo environment, "Accessing applications": `<application>-<account>.dispatcher.<region>.hana.ondemand.com`. */
export function isAccountHost(host: string): boolean {
  return /^[\w-]{1,100}\.dispatcher\.(?:[\w-]{1,20}\.)?hana\.ondemand\.com$/.test(host)
}

/** UI5 itself, public example data, and public data without accounts; nobody asks for a login there. */
export function isPublicByNature(host: string): boolean {
  return PUBLIC_HOSTS.some((pattern) => pattern.test(host))
}

const PUBLIC_HOSTS: readonly RegExp[] = [
  /^(?:[a-z0-9-]{1,60}\.)?(?:sapui5|openui5)(?:[a-z0-9-]{0,60})?(?:\.[a-z0-9-]{1,20}){0,2}\.ondemand\.com$/,
  /^ui5\.sap\.com$|^(?:sdk\.)?openui5\.org$|^sandbox\.api\.sap\.com$/,
  /(?:^|\.)(?:odata\.org|googleapis\.com|openweathermap\.org|openstreetmap\.org|wikipedia\.org|restcountries\.(?:com|eu)|typicode\.com)$/,
  /^(?:api\.github\.com|raw\.githubusercontent\.com|httpbin\.org|cdn\.jsdelivr\.net|unpkg\.com|cdnjs\.cloudflare\.com)$/,
]

/** A destination hands the caller's token on: `HTML5.ForwardAuthToken`, or `forwardAuthToken` of the approuter. */
export function forwardsToken(destination: Destination): boolean {
  return ['HTML5.ForwardAuthToken', 'forwardAuthToken'].some((name) => isTrue(destination.property(name)?.text))
}

export function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^\s{0,5}true\s{0,5}$/i.test(text)
}
