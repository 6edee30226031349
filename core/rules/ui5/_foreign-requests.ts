import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { isDeveloperFile, isOfUi5App, leadingTextOf } from '../../model/script/index.ts'
import type { Project } from '../subjects.ts'

/** Servers of the project that have routes of their own, whatever their paths. */
export const ownRoutes: Extract<true> = defineExtract({
  name: 'ui5-own-routes',
  keywords: ['.get(', '.post(', '.put(', '.use(', '.route('],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collectText(text) {
    if (ROUTE.test(text)) yield true
  },
})
const ROUTE =
  /\b(?:app|router|server|express\(\)|\w{1,30}(?:App|Router|Routes?|Server))\.(?:get|post|put|patch|delete|use|route|all)\(/

/** What stands for a part of an address that no constant tells. */
const HOLE = '\0'
/** With the host before it: `http://localhost:3000/api/users?id=`; its port may be in a variable. */
const WITH_HOST = /^https?:\/\/([^/?#]{0,200})(\/[^?#]{0,300})/i
/** `http://localhost:3000` + base + "/users": the path may begin there. */
const ENDS_HOST = /[\w\]]\0$/

/** The address with its host that a text, or the call of a request, has; undefined: it names no host. */
export function foreignAddressOf(value: Value): string | undefined {
  const text = textOf(value)
  const host = WITH_HOST.exec(text)?.[1]
  return host === undefined || ENDS_HOST.test(host) ? undefined : text
}

/** The same of a request: `fetch(url, …)`, `$.ajax({ url })`. */
export function foreignAddressOfCall({ args: [first] }: CallValue): string | undefined {
  const settings = first && resolveValue(first)
  const address = settings?.kind === 'object' ? fieldOf(settings, 'url')?.value : first
  return address && foreignAddressOf(address)
}

function textOf(value: Value): string {
  const made = resolveValue(value)
  const partOf = (part: Value): string => String(constantOf(part) ?? HOLE)
  if (made.kind === 'template')
    return made.texts.map((text, index) => text + (made.parts[index] === undefined ? '' : partOf(made.parts[index]))).join('')
  return made.kind === 'concat' ? made.parts.map(partOf).join('') : leadingTextOf(made).text
}

/** In front of the path that the model gives a service. */
const PROTOCOL = /^\/(?:odata\/v\d|rest)(?=\/)/

/**
 * Whether a server of the project may answer what a page sends: a CAP service that it has, unless the address names a host and a path at which none of them is served, and no server has routes of its
 * own. An approuter may put a part in front of the path of a service, and an adapter serves the same services by another protocol: `/backend/odata/v2/shop`.
 */
export function createServedReader({
  capRoots,
  scripts,
}: Pick<Project, 'capRoots' | 'scripts'>): (address: string | undefined) => boolean {
  const services = capRoots.flatMap(({ test, services: own }) => (test ? [] : own))
  const paths = services.flatMap(({ endpoints }) => endpoints.map(({ path }) => path.replace(/\/$/, '')))
  const parts = paths.map((path) => `${path.replace(PROTOCOL, '')}/`)
  const mayAnswerAll = scripts.get(ownRoutes).length > 0
  return (address) => {
    if (services.length === 0) return false
    const path = WITH_HOST.exec(address ?? '')?.[2]
    if (path === undefined || mayAnswerAll) return true
    const [known = '', ...unknown] = path.split(HOLE)
    return parts.some((part) => `${path}/`.includes(part)) || (unknown.length > 0 && paths.some((one) => one.startsWith(known)))
  }
}
