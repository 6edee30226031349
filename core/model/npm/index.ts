import type { FileKind } from '../../files.ts'
import { readPackageLock } from './package-lock.ts'
import { readPnpmLock } from './pnpm-lock.ts'
import type { LockedPackages } from './types.ts'
import { readYarnLock } from './yarn-lock.ts'

export { hostOf, isExactVersion } from './names.ts'
export { findNpmProject } from './project.ts'
export type {
  Dependency,
  LockedPackage,
  LockedPackages,
  LockOrigin,
  NpmPackage,
  NpmProject,
  NpmSetting,
  PackageScope,
  PackageScript,
} from './types.ts'

/** Reads a lock file by its kind. Throws a ParseFailure. */
export function readLock(path: string, kind: FileKind, text: string): LockedPackages {
  switch (kind.role) {
    case 'pnpm-lock':
      return { file: path, ...readPnpmLock(text) }
    case 'yarn-lock':
      return { file: path, ...readYarnLock(text) }
    default:
      return { file: path, ...readPackageLock(text) }
  }
}
