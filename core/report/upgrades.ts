import { groupBy } from '../lists.ts'
import type { ReportFinding, ReportUpgrade } from './types.ts'

/** Findings about packages by what to move, in the order of the findings; two lock files in one folder tell the same installation. */
export function sumUpgrades(findings: readonly ReportFinding[]): ReportUpgrade[] {
  const movable = findings.flatMap(({ upgrade, ...finding }) => (upgrade === undefined ? [] : [{ ...finding, upgrade }]))
  const groups = groupBy(movable, ({ file, upgrade }) =>
    JSON.stringify([file.slice(0, file.lastIndexOf('/') + 1), upgrade.package, upgrade.from]),
  )
  return [...groups.values()].flatMap((group) => {
    // what ends advisories about the package itself names the version
    const [first] = group.toSorted((a, b) => Number(a.upgrade.to === undefined) - Number(b.upgrade.to === undefined))
    return first === undefined ? [] : [{ ...first.upgrade, file: first.file, repairs: countAdvisories(group) }]
  })
}

/** Affected package versions and their advisories, each version once, whichever rules tell it. */
export function countAdvisories(findings: readonly Pick<ReportFinding, 'package' | 'advisories'>[]): ReportUpgrade['repairs'] {
  const known = new Map<string, Set<string>>()
  for (const { package: affected, advisories = [] } of findings) {
    if (affected === undefined) continue
    const key = `${affected.name}@${affected.version}`
    const ids = known.get(key) ?? new Set()
    known.set(key, ids)
    for (const { id } of advisories) ids.add(id)
  }
  return { packages: known.size, advisories: [...known.values()].reduce((sum, { size }) => sum + size, 0) }
}
