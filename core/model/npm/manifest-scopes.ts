import {
  findEntries,
  findRoots,
  toPackages,
  type LockedPackages,
  type LockRoot,
  type PackageScope,
} from '../../parse/lock/index.ts'
import type { PackageManifest } from './manifests.ts'
import type { DependencyMember } from './types.ts'

const SCOPES: Partial<Record<DependencyMember, PackageScope>> = {
  dependencies: 'production',
  optionalDependencies: 'production',
  devDependencies: 'development',
}

/**
 * yarn.lock doesn't say what is for development, nor package-lock.json of version 1 what the project names: what the package.json files around it name does,
 * through the lists of the lock file itself. A package is for development where one of their devDependencies leads to it and nothing else does; what nothing
 * leads to stays unknown. Facts: yarn documentation, "yarn.lock" (1.x), "Manifest (package.json)" (4.x); npm documentation, "package-lock.json" (v6).
 */
export function scopeByManifests(locked: LockedPackages, manifests: readonly PackageManifest[]): LockedPackages {
  const graph = locked.lock?.unscoped
  if (graph === undefined || locked.lock === undefined) return locked
  const named: LockRoot[] = []
  for (const { dependencies } of manifests)
    for (const { name, member, range } of dependencies) {
      const scope = SCOPES[member]
      if (scope !== undefined) for (const key of findEntries(graph, name, range)) named.push({ key, scope })
    }
  if (named.length === 0) return locked
  const known = new Set(named.map(({ key }) => key))
  const others = (graph.roots ?? findRoots(graph.nodes)).filter(({ key }) => !known.has(key))
  const { packages } = toPackages({ nodes: graph.nodes, roots: [...named, ...others], hostless: graph.hostless })
  return { ...locked, packages }
}
