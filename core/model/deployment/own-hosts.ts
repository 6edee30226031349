import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { textItems } from './services.ts'
import type { Application, Deployment } from './types.ts'
import { isInternal, isSapHost, readUrl } from './urls.ts'

/** Domains that the project names as its own: in routes of its applications, and in redirect addresses of its login. SAP's shared ones are nobody's. */
export function ownDomains({ applications, services }: Deployment): ReadonlySet<string> {
  const domains = new Set<string>()
  const add = (host: string | undefined): void => {
    if (host === undefined || isSapHost(host) || /[*{]/.test(host)) return
    if (host.includes('.')) domains.add(domainOf(host))
  }
  for (const application of applications) for (const host of routeHosts(application)) add(host)
  for (const { config, resolve } of services)
    for (const { text } of textItems(at(config, 'oauth2-configuration', 'redirect-uris'))) add(readUrl(resolve(text))?.host)
  return domains
}

/** The host of a public route that the project names for its approuter; undefined where the deployer completes it. */
export function findApprouterHost({ applications }: Deployment): string | undefined {
  return applications
    .filter(({ isApprouter }) => isApprouter)
    .flatMap((application) => [...routeHosts(application), ...(heldHosts(application) ?? [])])
    .find((host) => !/[*${}<]/.test(host) && !isInternal(host))
}

function* routeHosts({ node, resolve }: Application): Generator<string> {
  for (const list of [at(node, 'parameters', 'routes'), at(node, 'routes')]) {
    for (const item of itemsOf(list)) {
      const route = stringOf(at(item, 'route'))
      const host = route === undefined ? undefined : readUrl(`https://${resolve(route)}`)?.host
      if (host !== undefined) yield host
    }
  }
}

/** Domains of Cloud Foundry on which everybody with an account may take a host that nobody has. Fact: SAP BTP, "Regions and API Endpoints for the Cloud Foundry Environment". */
const SHARED = /^[a-z0-9_-]{1,100}\.cfapps\.[a-z0-9-]{1,20}\.hana\.ondemand\.com$/

/**
 * Hosts of a shared domain among redirect addresses that no application of the project has, where the project says which hosts these have, and none of the addresses is
 * for one of them: the list was written for another place. One with the right host is for several landscapes, whose hosts the project need not tell.
 */
export function abandonedHosts(uris: readonly string[], { applications }: Deployment): ReadonlySet<string> {
  // an application with a login of its own may be meant, too
  const held = applications.filter(({ isApprouter, hasPublicRoute }) => isApprouter || hasPublicRoute).map(heldHosts)
  const all = new Set(held.flatMap((hosts) => hosts ?? []))
  const named = uris.flatMap((uri) => readUrl(uri.split('/*', 1)[0] ?? '')?.host ?? [])
  if (!applications.some(({ isApprouter }) => isApprouter) || held.includes(undefined) || named.some((host) => all.has(host)))
    return new Set()
  // an address with a wildcard in its host may be for theirs
  if (uris.some((uri) => /^[^:]{0,20}:\/\/[^/]{0,300}[*$~{<]|^\*/.test(uri))) return new Set()
  return new Set(named.filter((host) => SHARED.test(host)))
}

/** All hosts of an application; undefined: the platform or the deployer makes one of them. Facts: Cloud Foundry, "App manifest attribute reference" (`routes`, `host`, `domain`, `random-route`). */
function heldHosts(application: Application): readonly string[] | undefined {
  const { node, resolve } = application
  const parts = [node, at(node, 'parameters')]
  const textsOf = (...keys: readonly string[]): readonly string[] =>
    parts.flatMap((part) =>
      keys
        .flatMap((key) => [at(part, key), ...itemsOf(at(part, key))].flatMap((one) => stringOf(one) ?? []))
        .map((text) => resolve(text)),
    )
  const routes = [...routeHosts(application)]
  const domains = textsOf('domain', 'domains')
  const composed = textsOf('host', 'hosts').flatMap((host) => domains.map((domain) => `${host}.${domain}`))
  const hosts = [...routes, ...composed]
  const isMade = ['random-route', 'no-route', 'default-route', 'no-hostname'].some((key) =>
    parts.some((part) => at(part, key) !== undefined),
  )
  return hosts.length === 0 || isMade || hosts.some((host) => /[*${}<(]/.test(host)) ? undefined : hosts
}

/** Whether a host lies in one of these domains. */
export function isIn(domains: ReadonlySet<string>, host: string): boolean {
  return domains.has(domainOf(host))
}

/** The domain that a host lies in, by its last two labels. */
export function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.')
}
