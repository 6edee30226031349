import gt from 'semver/functions/gt.js'
import valid from 'semver/functions/valid.js'
import subset from 'semver/ranges/subset.js'
import type { Advisory, AdvisoryAnswer } from '../../advisories/types.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Match, Severity } from '../../types.ts'

/** A package of the project in a version that an advisory names. */
export interface Affected {
  readonly found: LockedPackage
  readonly advisory: Advisory
  /** The version that has the fixes of all advisories about the version found; undefined where one of them has no fix. */
  readonly repaired?: string
}

/** The highest of the fixed versions: it ends all of these advisories. Undefined where one has no fix. */
export function findRepaired(advisories: readonly Advisory[]): string | undefined {
  let highest: string | undefined
  for (const { fixed } of advisories) {
    if (fixed === undefined || valid(fixed) === null) return undefined
    if (highest === undefined || gt(fixed, highest)) highest = fixed
  }
  return highest
}

/** The affected packages of a lock file or package.json; a range only where every version that it allows is affected. */
export function* affectedIn({ packages }: LockedPackages, { matches }: AdvisoryAnswer): Generator<Affected> {
  const known = new Map<string, Advisory[]>()
  for (const { name, version, advisory } of matches) {
    const there = known.get(`${name}@${version}`)
    if (there === undefined) known.set(`${name}@${version}`, [advisory])
    else there.push(advisory)
  }
  const repairedBy = new Map<readonly Advisory[], ReturnType<typeof findRepaired>>()
  for (const found of packages) {
    const advisories = known.get(`${found.name}@${found.version}`)
    if (advisories === undefined) continue
    // one package may be installed in thousands of folders
    if (!repairedBy.has(advisories)) repairedBy.set(advisories, findRepaired(advisories))
    const repaired = repairedBy.get(advisories)
    for (const advisory of advisories)
      if (found.range === undefined || subset(found.range, advisory.affected))
        yield { found, advisory, ...(repaired !== undefined && { repaired }) }
  }
}

/** What every finding about an advisory says: place, arguments, identity. */
export function toAdvisoryMatch(
  file: string,
  { found, advisory, repaired }: Affected,
): Match & { readonly args: Record<string, string> } {
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
      fixed: repaired ?? fixed,
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

/** An advisory's severity; what only development needs is LOW at most. */
export function severityOf({ found: { scope }, advisory }: Affected): Severity {
  return scope === 'development' && advisory.severity !== 'INFO' ? 'LOW' : advisory.severity
}
