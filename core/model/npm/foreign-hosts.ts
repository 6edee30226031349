import { isAlias, registryOf, type LockedPackage, type LockedPackages } from '../../parse/lock/index.ts'
import { SAP_SCOPES } from './sap-names.ts'
import type { NpmProject } from './types.ts'

/** Packages of a lock file from one host that is neither the one that most come from nor one that the project's settings name. */
export interface ForeignHost {
  readonly host: string
  readonly packages: readonly LockedPackage[]
  /**
   * Why it may be there. `private-scope`: it serves scopes of the project's own company, which no setting maps to it; `sap-scope`: scopes of SAP, whole,
   * so somebody's own settings map them; `mirror`: it serves many under the paths of a registry; `unknown`: nothing of that.
   */
  readonly reason: 'private-scope' | 'sap-scope' | 'mirror' | 'unknown'
}

const MIRROR_FROM = 3

/** The foreign hosts of a lock file, in the order of the text. Packages that a package.json names by address are left out: that is told there. */
export function findForeignHosts({ packages, lock }: LockedPackages, npm: NpmProject): ForeignHost[] {
  if (lock === undefined || lock.ownHost === '') return []
  const named = new Set([lock.ownHost])
  for (const { key, value } of npm.settings) {
    const host = key === 'registry' || key.endsWith(':registry') ? registryOf(value) : undefined
    if (host !== undefined) named.add(host)
  }
  const wanted = new Set(npm.packages.flatMap(({ dependencies }) => dependencies.map(({ range }) => range)))
  const byHost = new Map<string, LockedPackage[]>()
  let ownCount = 0
  const hostsOfScope = new Map<string, Set<string>>()
  for (const found of packages) {
    const host = registryOf(found.resolved ?? '')
    if (host === undefined) continue
    const scope = scopeOf(found.name)
    if (scope !== undefined) hostsOfScope.set(scope, (hostsOfScope.get(scope) ?? new Set()).add(host))
    if (host === lock.ownHost) ownCount++
    if (named.has(host) || isAlias(found.resolved ?? '') || wanted.has(found.resolved ?? '')) continue
    const known = byHost.get(host)
    if (known === undefined) byHost.set(host, [found])
    else known.push(found)
  }
  const own = new Set(npm.packages.map(({ name }) => scopeOf(name ?? '')))
  // where as many come from elsewhere, nobody can tell which one is foreign
  return [...byHost]
    .filter(([, served]) => served.length < ownCount)
    .map(([host, served]) => {
      const scopes = new Set(served.map(({ name }) => scopeOf(name)))
      const isWhole = [...scopes].every((scope) => scope !== undefined && hostsOfScope.get(scope)?.size === 1)
      const isSap = [...scopes].every((scope) => scope !== undefined && SAP_SCOPES.has(scope))
      const isLikeRegistry = served.every(isAtPathOfRegistry)
      if (isWhole && isSap) return { host, packages: served, reason: 'sap-scope' }
      if (isWhole && ([...scopes].every((scope) => own.has(scope)) || !isLikeRegistry))
        return { host, packages: served, reason: 'private-scope' }
      return { host, packages: served, reason: isLikeRegistry && served.length >= MIRROR_FROM ? 'mirror' : 'unknown' }
    })
}

function scopeOf(name: string): string | undefined {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined
}

/** `https://host/name/-/name-1.0.0.tgz`: the paths of a public registry and its mirrors; company registries have a folder before. */
function isAtPathOfRegistry({ name, resolved = '' }: LockedPackage): boolean {
  return resolved.replace(/^https?:\/\/[^/]{1,300}/i, '').startsWith(`/${name}/-/`)
}
