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
    .flatMap((application) => [...routeHosts(application)])
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

/** Whether a host lies in one of these domains. */
export function isIn(domains: ReadonlySet<string>, host: string): boolean {
  return domains.has(domainOf(host))
}

/** The domain that a host lies in, by its last two labels. */
export function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.')
}
