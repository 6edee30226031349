import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { textItems } from './services.ts'
import type { Deployment } from './types.ts'
import { isSapHost, readUrl } from './urls.ts'

/** Domains that the project names as its own: in routes of its applications, and in redirect addresses of its login. SAP's shared ones are nobody's. */
export function ownDomains({ applications, services }: Deployment): ReadonlySet<string> {
  const domains = new Set<string>()
  const add = (host: string | undefined): void => {
    if (host === undefined || isSapHost(host) || /[*{]/.test(host)) return
    const labels = host.split('.')
    if (labels.length > 1) domains.add(labels.slice(-2).join('.'))
  }
  for (const { node, resolve } of applications) {
    for (const list of [at(node, 'parameters', 'routes'), at(node, 'routes')]) {
      for (const item of itemsOf(list)) {
        const route = stringOf(at(item, 'route'))
        if (route !== undefined) add(readUrl(`https://${resolve(route)}`)?.host)
      }
    }
  }
  for (const { config, resolve } of services)
    for (const { text } of textItems(at(config, 'oauth2-configuration', 'redirect-uris'))) add(readUrl(resolve(text))?.host)
  return domains
}

/** The host of a route that the project names for its approuter, without references. */
export function findApprouterHost({ applications }: Deployment): string | undefined {
  for (const { node, isApprouter, resolve } of applications) {
    if (!isApprouter) continue
    for (const list of [at(node, 'parameters', 'routes'), at(node, 'routes')]) {
      for (const item of itemsOf(list)) {
        const host = readUrl(`https://${resolve(stringOf(at(item, 'route')) ?? '')}`)?.host
        if (host !== undefined && !/[*${}<]/.test(host)) return host
      }
    }
  }
  return undefined
}

/** Whether a host lies in one of these domains. */
export function isIn(domains: ReadonlySet<string>, host: string): boolean {
  return domains.has(host.split('.').slice(-2).join('.'))
}
