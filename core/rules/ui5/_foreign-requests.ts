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

/** With the host before it, as far as it is constant: `http://localhost:3000/api/users?id=`; of a port in a variable, what stands around it. */
const WITH_HOST = /^https?:\/\/[^/?#]{0,200}(\/[^?#]{0,300})/i

/** The address with its host that a text, or the call of a request, has; undefined: it names no host. */
export function foreignAddressOf(value: Value): string | undefined {
  const text = textOf(value)
  return WITH_HOST.test(text) ? text : undefined
}

/** The same of a request: `fetch(url, …)`, `$.ajax({ url })`. */
export function foreignAddressOfCall({ args: [first] }: CallValue): string | undefined {
  const settings = first && resolveValue(first)
  const address = settings?.kind === 'object' ? fieldOf(settings, 'url')?.value : first
  return address && foreignAddressOf(address)
}

function textOf(value: Value): string {
  const made = resolveValue(value)
  if (made.kind === 'template') return made.texts.join('')
  if (made.kind !== 'concat') return leadingTextOf(made).text
  return made.parts.map((part) => String(constantOf(part) ?? '')).join('')
}

/**
 * Whether a server of the project may answer what a page sends: a CAP service that it has, unless the address names a host and a path at which none of them is served, and no server has routes of its
 * own.
 */
export function createServedReader({
  capRoots,
  scripts,
}: Pick<Project, 'capRoots' | 'scripts'>): (address: string | undefined) => boolean {
  const services = capRoots.flatMap(({ test, services: own }) => (test ? [] : own))
  const paths = services.flatMap(({ endpoints }) => endpoints.map(({ path }) => path.replace(/\/$/, '')))
  const mayAnswerAll = scripts.get(ownRoutes).length > 0
  return (address) => {
    if (services.length === 0) return false
    const path = WITH_HOST.exec(address ?? '')?.[1]
    return path === undefined || mayAnswerAll || paths.some((one) => path === one || path.startsWith(`${one}/`))
  }
}
