import type { Report, ReportFinding } from '../../core/index.ts'

/** The advisories of one package in one version, and the lowest version that clears them all. */
export interface Upgrade {
  readonly name: string
  readonly from: string
  /** Undefined: at least one of them names no fixed version. */
  readonly to?: string
  readonly findings: readonly ReportFinding[]
}

export interface Upgrades {
  /** Of what may reach production, the most severe first. */
  readonly production: readonly Upgrade[]
  readonly development: readonly Upgrade[]
}

/** Sums findings about advisories by the package to move, in the order of the findings. */
export function sumUpgrades(report: Report, findings: readonly ReportFinding[]): Upgrades {
  const isDevelopment = new Map(
    report.results.npm.packages.map(({ name, version, scope }) => [`${name}@${version}`, scope === 'development']),
  )
  const groups = new Map<string, ReportFinding[]>()
  for (const finding of findings) {
    if (finding.package === undefined) continue
    const key = `${finding.package.name}@${finding.package.version}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  const of = (wanted: boolean): Upgrade[] =>
    [...groups].flatMap(([key, group]) => ((isDevelopment.get(key) ?? false) === wanted ? toUpgrade(group) : []))
  return { production: of(false), development: of(true) }
}

function toUpgrade(findings: readonly ReportFinding[]): Upgrade[] {
  const [first] = findings
  if (first?.package === undefined) return []
  const { name, version: from } = first.package
  const fixes = findings.flatMap(({ advisories = [] }) => advisories.map(({ fixedIn }) => fixedIn))
  const versions = fixes.filter((version) => version !== undefined)
  const to = versions.length < fixes.length ? undefined : versions.sort(compareVersions).at(-1)
  return [{ name, from, to, findings }]
}

/** Orders released versions of npm: numbers as numbers, a pre-release before its release. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b.includes('-')) - Number(a.includes('-')) || (a < b ? -1 : 1)
}
