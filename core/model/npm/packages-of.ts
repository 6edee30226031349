import { folderOf, joinPath } from '../../paths.ts'
import type { LockedPackages } from '../../parse/lock/index.ts'
import type { NpmPackage, NpmProject } from './types.ts'

/** The packages that a lock file, or the package.json that is named itself, installs for. */
export function packagesOf(file: string, { packages }: Pick<NpmProject, 'packages'>): readonly NpmPackage[] {
  return packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
}

/**
 * The same with the workspaces that the lock file installs for although they have one of their own, where no descriptor names them: what is deployed is installed by its own.
 * Fact: npm documentation, "workspaces" (`npm install` in the root installs the dependencies of all workspaces).
 */
export function installedFor(
  { file, lock }: Pick<LockedPackages, 'file' | 'lock'>,
  npm: Pick<NpmProject, 'packages'>,
): readonly NpmPackage[] {
  const own = packagesOf(file, npm)
  const folders = new Set(lock?.importers?.map(({ folder }) => joinPath(folderOf(file), folder)))
  const others = npm.packages.filter((it) => it.deployedBy.length === 0 && folders.has(it.folder) && !own.includes(it))
  return own.length === 0 ? own : [...own, ...others]
}
