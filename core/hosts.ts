/** Hosts of documentation, beside the names that RFC 2606 and RFC 6761 reserve. */
const DOCUMENTATION_HOSTS: ReadonlySet<string> = new Set(
  (
    'host hostname myhost yourhost somehost thehost server myserver yourserver servername domain mydomain yourdomain site mysite yoursite url address ' +
    'host.com host.tld hostname.com server.com servername.com domain.com domain.tld mydomain.com yourdomain.com mysite.com yoursite.com site.com ' +
    'foo.com bar.com foo.bar company.com mycompany.com yourcompany.com acme.com acme.org'
  ).split(' '),
)

export type HostClass = 'local' | 'documentation' | 'private' | 'public'

/** Addresses that no router of the internet forwards (RFC 1918, RFC 3927, RFC 6598, RFC 4193; RFC 6890: `0.`, `192.0.0.`, `198.18.`, those of groups and reserved ones; not
 *  192.0.0.9 and 192.0.0.10, IANA IPv4 Special-Purpose Address Registry). All four numbers: `10.corp.cloud` is a name. `10.0.0.x` stands for one. */
const PRIVATE_ADDRESS =
  /^(?:(?:0|10|22[4-9]|2[345]\d)(?:\.(?:\d{1,3}|x{1,3}|\*)){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|198\.1[89])(?:\.(?:\d{1,3}|x{1,3}|\*)){2}|192\.0\.0\.(?!(?:9|10)$)(?:\d{1,3}|x{1,3}|\*))$|^\[f[cd]/
/** Addresses of documentation (RFC 5737, RFC 3849). */
const DOCUMENTATION_ADDRESS = /^(?:(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}|\[2001:db8:[\da-f:]{1,40}\])$/
/** Endings that public DNS does not know (RFC 6762, RFC 8375, `.internal` of ICANN). */
const PRIVATE_ENDING = /\.(?:local|internal|intern|intranet|lan|corp|home|private|localdomain|svc|home\.arpa)$/

/** A host that everybody reaches; none is none. */
export function isPublicHost(host: string | undefined): boolean {
  return host !== undefined && classifyHost(host) === 'public'
}

/** Where a host leads: to the machine itself, to nobody (documentation), into a network of its own, or to everybody. */
export function classifyHost(host: string): HostClass {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (/^(?:localhost|(?:[\w-]{1,60}\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)$/.test(name))
    return 'local'
  if (/(?:^|\.)example(?:\.(?:com|org|net|edu))?$|\.(?:test|invalid)$|^\[?[<.\u2026]/.test(name)) return 'documentation'
  if (DOCUMENTATION_HOSTS.has(name) || DOCUMENTATION_ADDRESS.test(name)) return 'documentation'
  const isPrivate = !/[.[]/.test(name) || PRIVATE_ADDRESS.test(name) || PRIVATE_ENDING.test(name)
  return isPrivate ? 'private' : 'public'
}

/** Whether a host shows a port of a developer's workspace, which asks for the developer's login unless he opens it, and ends with the workspace. */
export function isWorkspacePreview(host: string): boolean {
  return WORKSPACE_PREVIEW.test(host)
}

/**
 * Facts: SAP Help, "SAP Business Application Studio", "Expose a Local Port" (`port8080-workspaces-ws-….applicationstudio.cloud.sap`); GitHub Docs, "Forwarding ports in your
 * codespace" (private unless it is made public); Gitpod and Google Cloud Workstations name the port first, too.
 */
const WORKSPACE_PREVIEW =
  /^(?:port\d{2,5}-)?workspaces-ws-[\w-]{1,40}\.[\w-]{1,30}(?:\.trial)?\.applicationstudio\.cloud\.sap$|^[\w-]{1,80}-\d{2,5}\.(?:app|preview\.app)\.github\.dev$|^\d{2,5}-[\w-]{1,80}\.(?:[\w-]{1,20}\.)?gitpod\.io$|^\d{2,5}-[\w.-]{1,80}\.cloudworkstations\.dev$/i
