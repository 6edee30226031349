import type { Report, ReportFinding, Severity } from '../../core/index.ts'

/** One package to move, with the findings that this ends. */
export interface Upgrade {
  readonly name: string
  readonly from: readonly string[]
  /** The one version that clears all of them. Undefined: none is known, or a release of it that the lock file can't name. */
  readonly to?: string
  /** `parent`: what requires the affected packages must let go of them; `unfixed`: no version is known to be better. */
  readonly kind: 'move' | 'parent' | 'unfixed'
  readonly breaking: boolean
  readonly severity: Severity
  /** Of the worst advisory. */
  readonly title: string
  /** Names of the affected packages. */
  readonly packages: readonly string[]
  readonly advisories: number
}

export interface Upgrades {
  /** Of what may reach production, the most severe first. */
  readonly production: readonly Upgrade[]
  /** Findings about what only development needs. */
  readonly development: readonly ReportFinding[]
}

const SUMMED: ReadonlySet<string> = new Set(['npm/known-vulnerability', 'npm/sap-advisory-not-in-osv'])

/** Findings about vulnerable versions: what a reader does about them is told by the package to move. */
export function isSummed({ ruleId, package: affected }: ReportFinding): boolean {
  return SUMMED.has(ruleId) && affected !== undefined
}

/** Sums findings about vulnerable versions by the package to move, in the order of the findings. */
export function sumUpgrades(report: Report, findings: readonly ReportFinding[]): Upgrades {
  const scopes = new Map(
    report.results.npm.packages.map(({ name, version, range, scope }) => [`${name}@${version ?? range}`, scope]),
  )
  const production = new Map<string, ReportFinding[]>()
  const development: ReportFinding[] = []
  for (const finding of findings.filter(isSummed)) {
    const { package: { name, version } = { name: '', version: '' }, upgrade } = finding
    if (scopes.get(`${name}@${version}`) === 'development') {
      development.push(finding)
      continue
    }
    const key = upgrade === undefined ? `unfixed ${name}` : upgrade.package
    production.set(key, [...(production.get(key) ?? []), finding])
  }
  return { production: [...production.values()].flatMap(toUpgrade), development }
}

function toUpgrade(findings: readonly ReportFinding[]): Upgrade[] {
  const [first] = findings
  if (first?.package === undefined) return []
  const moves = findings.flatMap(({ upgrade }) => (upgrade === undefined ? [] : [upgrade]))
  const to = moves
    .flatMap((move) => (move.to === undefined ? [] : [move.to]))
    .sort(compareVersions)
    .at(-1)
  const from =
    moves.length === 0 ? findings.map(({ package: affected }) => affected?.version ?? '') : moves.map((move) => move.from)
  return [
    {
      name: moves[0]?.package ?? first.package.name,
      from: [...new Set(from)],
      to,
      kind: moves.length === 0 ? 'unfixed' : to === undefined ? 'parent' : 'move',
      breaking: moves.some(({ breaking }) => breaking),
      severity: first.severity,
      title: first.advisories?.[0]?.title ?? first.title,
      packages: [...new Set(findings.map(({ package: affected }) => affected?.name ?? ''))],
      advisories: countIn(findings),
    },
  ]
}

/** How many advisories some findings list, each once: several folders may have the same package. */
export function countIn(findings: readonly ReportFinding[]): number {
  return new Set(findings.flatMap(({ advisories = [] }) => advisories.map(({ id }) => id))).size
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
