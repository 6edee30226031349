import type { LockedPackages } from '../parse/lock/index.ts'
import type { ReportPackage } from '../report/types.ts'

/** The packages that lock files resolved or a package.json pins, each name and version once; what production needs is not called development. */
export function listPackages(locks: readonly LockedPackages[], step: () => void): ReportPackage[] {
  const rows = new Map<string, ReportPackage>()
  for (const { packages } of locks) {
    for (const { name, version, range, path, scope } of packages) {
      step()
      // nothing is resolved
      if (range !== undefined) continue
      const known = rows.get(`${name}@${version}`)
      if (known !== undefined && (known.scope !== 'development' || scope === 'development')) continue
      rows.set(`${name}@${version}`, {
        name,
        version,
        ...(path !== undefined && { path }),
        ...(scope !== undefined && { scope }),
      })
    }
  }
  return [...rows.values()]
}
