import type { LockedPackages } from '../../parse/lock/index.ts'
import type { PackageManifest } from './manifests.ts'

/** Runtimes that a packager puts into what is delivered, although both are devDependencies. Facts: Electron documentation, "Packaging Your Application"; electron-builder refuses it among `dependencies`. */
const RUNTIMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['electron', ['electron-builder', 'electron-packager', '@electron/packager', '@electron-forge/cli']],
])

/** The runtime that users get with the program is not for development, whatever the lock file says; what only installs it is. */
export function scopeShipped(locked: LockedPackages, manifests: readonly PackageManifest[]): LockedPackages {
  const shipped = new Set(
    manifests.flatMap(({ dependencies }) => {
      const names = new Set(dependencies.map(({ name }) => name))
      return [...RUNTIMES].flatMap(([runtime, packagers]) =>
        names.has(runtime) && packagers.some((packager) => names.has(packager)) ? runtime : [],
      )
    }),
  )
  if (shipped.size === 0) return locked
  const packages = locked.packages.map((one) =>
    one.direct && shipped.has(one.name) ? { ...one, scope: 'production' as const } : one,
  )
  return { ...locked, packages }
}
