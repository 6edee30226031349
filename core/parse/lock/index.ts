import { readPackageLock } from './package-lock.ts'
import { readPnpmLock } from './pnpm-lock.ts'
import type { LockedPackages } from './types.ts'
import { readYarnLock } from './yarn-lock.ts'

export { findRoots, toPackages } from './graph.ts'
export { isBuildTool } from './build-tools.ts'
export { findEntries } from './yarn-lock.ts'
export { hostOf, isAlias, isExactVersion, isPackageName, registryOf, withoutUser } from './names.ts'
export type { LockedPackage, LockedPackages, LockOrigin, LockRoot, PackageScope } from './types.ts'

/** Reads a lock file by its role in the project. Throws a ParseFailure. */
export function readLock(path: string, kind: { readonly role?: string }, text: string): LockedPackages {
  switch (kind.role) {
    case 'pnpm-lock':
      return { file: path, ...readPnpmLock(text) }
    case 'yarn-lock':
      return { file: path, ...readYarnLock(text) }
    default:
      return { file: path, ...readPackageLock(text) }
  }
}
