import type { NpmPackage, NpmProject } from './types.ts'

/** The packages that a lock file, or the package.json that is named itself, installs for. */
export function packagesOf(file: string, { packages }: Pick<NpmProject, 'packages'>): readonly NpmPackage[] {
  return packages.filter((it) => it.file === file || it.locks.some((lock) => lock.file === file))
}
