import subset from 'semver/ranges/subset.js'
import type { Advisory, AdvisoryAnswer } from '../../advisories/types.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Match, Severity } from '../../types.ts'

/** A package of the project in a version that an advisory names. */
export interface Affected {
  readonly found: LockedPackage
  readonly advisory: Advisory
}

/** The affected packages of a lock file or package.json; a range only where every version that it allows is affected. */
export function* affectedIn({ packages }: LockedPackages, { matches }: AdvisoryAnswer): Generator<Affected> {
  const known = new Map<string, Advisory[]>()
  for (const { name, version, advisory } of matches) {
    const there = known.get(`${name}@${version}`)
    if (there === undefined) known.set(`${name}@${version}`, [advisory])
    else there.push(advisory)
  }
  for (const found of packages)
    for (const advisory of known.get(`${found.name}@${found.version}`) ?? [])
      if (found.range === undefined || subset(found.range, advisory.affected)) yield { found, advisory }
}

/** What every finding about an advisory says: place, arguments, identity. */
export function toAdvisoryMatch(file: string, { found, advisory }: Affected): Match & { readonly args: Record<string, string> } {
  const { id, title, affected, fixed = '' } = advisory
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return {
    at: { file, span: { start: found.start, end: found.end } },
    args: {
      package: found.name,
      version: found.range ?? found.version,
      id,
      title: title.en,
      titre: title.fr,
      affected,
      fixed,
      path: found.path ?? found.name,
    },
    confidence: found.range === undefined ? 'high' : 'medium',
    key: id,
    // two lock files in one folder tell the same installation
    sameAs: `${folder} ${found.name}@${found.version} ${id}`,
  }
}

/** Whether an advisory is one of SAP that databases of reviewed advisories don't have with its versions: it has no id of theirs. */
export function isOfSapAlone({ id, package: name, malware }: Advisory): boolean {
  return !malware && !id.startsWith('GHSA-') && name.startsWith('@sap/')
}

/** Run while the project is built: what is weak in them reaches production all the same. */
const BUILD_TOOLS: ReadonlySet<string> = new Set(['mbt', '@ui5/cli', '@sap/cds-dk'])

const LOWER: Readonly<Record<Severity, Severity>> = { CRITICAL: 'HIGH', HIGH: 'MEDIUM', MEDIUM: 'LOW', LOW: 'LOW', INFO: 'INFO' }

/** An advisory's severity; one step less for what only development needs. */
export function severityOf({ found: { name, scope }, advisory }: Affected): Severity {
  return scope === 'development' && !BUILD_TOOLS.has(name) ? LOWER[advisory.severity] : advisory.severity
}
