import type { ProjectFile } from '../../files.ts'
import { at } from '../../parse/data.ts'
import type { LockedPackage } from '../../parse/lock/index.ts'
import { foldersAround, joinPath } from '../../paths.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'
import { liesWithin } from './installed-version.ts'
import type { CapRoot } from './types.ts'

/** The package.json of a root. */
export function packageOf({ root }: CapRoot, { byFolder }: NpmProject): NpmPackage | undefined {
  return byFolder.get(root)
}

/** What the lock files of a package resolve a name to, whoever brings it in. */
export function lockedAs({ locks }: NpmPackage, name: string): readonly LockedPackage[] {
  return locks.flatMap(({ packages }) => packages.filter((it) => it.name === name))
}

/** The version of a package that runs: what the lock file resolves, else the range that the root's own package.json names. */
function versionOf(root: CapRoot, npm: NpmProject, name: string): string | undefined {
  const own = packageOf(root, npm)
  const named = own?.dependencies.find((it) => it.name === name && it.member !== 'devDependencies')
  if (own === undefined || named === undefined) return undefined
  return lockedAs(own, name).find(({ direct }) => direct)?.version ?? named.range
}

/** Every version that the root's CAP may be lies within; false where nothing tells. */
export function cdsWithin(root: CapRoot, npm: NpmProject, versions: string): boolean {
  const version = versionOf(root, npm, '@sap/cds')
  return version !== undefined && liesWithin(version, versions)
}

/**
 * Where a root has a package from: the package.json of its `srv`, its own, or one of a folder around it, the nearest first; undefined: it has not.
 */
export function dependencyOf(
  { root }: CapRoot,
  files: ReadonlyMap<string, ProjectFile>,
  name: string,
): 'production' | 'development' | undefined {
  for (const folder of [joinPath(root, 'srv'), root, ...foldersAround(root)]) {
    const content = files.get(joinPath(folder, 'package.json'))?.content
    const manifest = content?.as === 'data' ? content.roots[0] : undefined
    if (['dependencies', 'optionalDependencies'].some((part) => at(manifest, part, name) !== undefined)) return 'production'
    if (at(manifest, 'devDependencies', name) !== undefined) return 'development'
  }
  return undefined
}
