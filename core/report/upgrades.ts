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

/** Affected package versions and their advisories, each once, in however many folders and by whichever rules they are told. */
export function countAdvisories(findings: readonly Pick<ReportFinding, 'package' | 'advisories'>[]): ReportUpgrade['repairs'] {
  const about = findings.flatMap(({ package: affected, advisories = [] }) =>
    affected === undefined ? [] : [{ version: `${affected.name}@${affected.version}`, advisories }],
  )
  const ids = about.flatMap(({ advisories }) => advisories.map(({ id }) => id))
  return { packages: new Set(about.map(({ version }) => version)).size, advisories: new Set(ids).size }
}
