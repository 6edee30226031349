import type { CapRoot } from '../../model/cap/index.ts'
import type { LockedPackage, NpmPackage, NpmProject } from '../../model/npm/index.ts'

/** The package.json of a root. */
export function packageOf({ root }: CapRoot, { packages }: NpmProject): NpmPackage | undefined {
  return packages.find(({ folder }) => folder === root)
}

/** What the lock files of a package resolve a name to, whoever brings it in. */
export function lockedAs({ locks }: NpmPackage, name: string): readonly LockedPackage[] {
  return locks.flatMap(({ packages }) => packages.filter((it) => it.name === name))
}
