import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { CapRoot } from '../../model/cap/index.ts'
import type { NpmPackage, NpmProject } from '../../model/npm/index.ts'
import type { LockedPackage } from '../../parse/lock/index.ts'

/** The package.json of a root. */
export function packageOf({ root }: CapRoot, { packages }: NpmProject): NpmPackage | undefined {
  return packages.find(({ folder }) => folder === root)
}

/** What the lock files of a package resolve a name to, whoever brings it in. */
export function lockedAs({ locks }: NpmPackage, name: string): readonly LockedPackage[] {
  return locks.flatMap(({ packages }) => packages.filter((it) => it.name === name))
}

/** The version of a package that runs: what the lock file resolves, else the range that the root's own package.json names. */
export function versionOf(root: CapRoot, npm: NpmProject, name: string): string | undefined {
  const own = packageOf(root, npm)
  const named = own?.dependencies.find((it) => it.name === name && it.member !== 'devDependencies')
  if (own === undefined || named === undefined) return undefined
  return lockedAs(own, name).find(({ direct }) => direct)?.version ?? named.range
}

/** Every version that the root's CAP may be lies within; false where nothing tells. */
export function cdsWithin(root: CapRoot, npm: NpmProject, versions: string): boolean {
  const version = versionOf(root, npm, '@sap/cds')
  if (version === undefined || version.length > 200 || validRange(version) === null) return false
  return subset(version, versions, { includePrerelease: true })
}
