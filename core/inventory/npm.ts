import type { LockedPackages } from '../parse/lock/index.ts'
import type { ReportPackage } from '../report/types.ts'

/**
 * The packages that lock files resolved or a package.json names, each name and version once; of what nothing resolves, the range in the place of the version. What
 * production needs is not called development.
 */
export function listPackages(locks: readonly LockedPackages[], step: () => void): ReportPackage[] {
  const rows = new Map<string, ReportPackage>()
  for (const { packages } of locks) {
    for (const { name, version, range, path, scope } of packages) {
      step()
      const key = `${name}@${range ?? version}`
      const known = rows.get(key)
      if (known !== undefined && (known.scope !== 'development' || scope === 'development')) continue
      rows.set(key, {
        name,
        ...(range === undefined ? { version } : { range }),
        ...(path !== undefined && { path }),
        ...(scope !== undefined && { scope }),
      })
    }
  }
  return [...rows.values()]
}
