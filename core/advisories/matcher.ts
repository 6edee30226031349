import parse from 'semver/functions/parse.js'
import type { SemVer } from 'semver'
import { prepareIntervals, type FindInterval } from './intervals.ts'
import { isOnlyHere, mergeAliases, rangeOf, toAdvisory, type AdvisoryRecord } from './record.ts'
import type { Snapshot } from './snapshot-index.ts'
import type { Advisory, AdvisoryAnswer, LoadedRecords, PackageVersion, Interval } from './types.ts'

/** Advisories about the packages of one project; one of 3,000 packages that nobody has updated for years has some hundred. */
export const MAX_MATCHES = 20_000

/** Tells what affects which version. What is read of a record and of a version is read once, whoever asks for it again. */
export interface Matcher {
  /** Of the snapshot, in which the record of an id agrees that the version is affected: else it is out of date. */
  knows(it: PackageVersion, id: string): boolean
  /** What the snapshot tells of a version, aliases merged. */
  match(it: PackageVersion): Advisory[]
  /** What a database tells: the records of these ids, and what it may lack. */
  resolve(it: PackageVersion, ids: readonly string[], loaded: LoadedRecords): Advisory[]
}

interface PreparedRecord {
  readonly record: AdvisoryRecord
  readonly find: FindInterval
  /** The range of all affected versions, made when it is told. */
  affected?: string
  /** By the interval in which the version lies. */
  readonly advisories: Map<Interval | undefined, Advisory>
}

interface PreparedPackage {
  readonly records: readonly PreparedRecord[]
  /** By id and alias, the first one. */
  readonly byId: ReadonlyMap<string, PreparedRecord>
}

export function createMatcher(snapshot: Snapshot): Matcher {
  const packages = new Map<string, PreparedPackage>()
  const outside = new Map<AdvisoryRecord, PreparedRecord>()
  /** By id, then by package: who publishes lies about thousands of packages costs no more than others. */
  const byPackage = new Map<string, ReadonlyMap<string, AdvisoryRecord>>()
  let last: { readonly text: string; readonly version: SemVer | null } | undefined

  const packageOf = (name: string): PreparedPackage => {
    const known = packages.get(name) ?? preparePackage(snapshot(name))
    packages.set(name, known)
    return known
  }
  const outsideOf = (record: AdvisoryRecord): PreparedRecord => {
    const known = outside.get(record) ?? prepare(record)
    outside.set(record, known)
    return known
  }
  const loadedOf = (id: string, name: string, loaded: LoadedRecords): AdvisoryRecord | undefined => {
    const known = byPackage.get(id) ?? new Map((loaded.get(id) ?? []).map((record) => [record.package, record]))
    byPackage.set(id, known)
    return known.get(name)
  }
  const versionOf = (text: string): SemVer | null => {
    if (last?.text !== text) last = { text, version: parse(text) }
    return last.version
  }
  const affecting = (records: readonly PreparedRecord[], version: SemVer | null): Advisory[] =>
    records.flatMap((one) => {
      const interval = version === null ? undefined : one.find(version)
      return interval === undefined ? [] : [advisoryOf(one, interval)]
    })
  const knownOf = ({ name, version }: PackageVersion, id: string): PreparedRecord | undefined => {
    const known = packageOf(name).byId.get(id)
    const asked = known && versionOf(version)
    return known !== undefined && asked && known.find(asked) !== undefined ? known : undefined
  }

  return {
    knows: (it, id) => knownOf(it, id) !== undefined,
    match: ({ name, version }) => {
      const { records } = packageOf(name)
      return records.length === 0 ? [] : mergeAliases(affecting(records, versionOf(version)))
    },
    resolve(it, ids, loaded) {
      const { records } = packageOf(it.name)
      if (ids.length === 0 && records.length === 0) return []
      const asked = versionOf(it.version)
      const told = ids.flatMap((id): Advisory[] => {
        const known = knownOf(it, id)
        const other = known === undefined ? loadedOf(id, it.name, loaded) : undefined
        const found = known ?? (other && outsideOf(other))
        return found === undefined ? [] : [advisoryOf(found, asked === null ? undefined : found.find(asked))]
      })
      const own = affecting(
        records.filter(({ record }) => isOnlyHere(record)),
        asked,
      )
      return mergeAliases([...told, ...own])
    },
  }
}

function prepare(record: AdvisoryRecord): PreparedRecord {
  return { record, find: prepareIntervals(record.intervals), advisories: new Map() }
}

function preparePackage(all: readonly AdvisoryRecord[]): PreparedPackage {
  const records = all.map(prepare)
  const byId = new Map<string, PreparedRecord>()
  for (const one of records) for (const id of [one.record.id, ...one.record.aliases]) if (!byId.has(id)) byId.set(id, one)
  return { records, byId }
}

function advisoryOf(one: PreparedRecord, interval: Interval | undefined): Advisory {
  const known = one.advisories.get(interval)
  if (known !== undefined) return known
  one.affected ??= rangeOf(one.record)
  const made = toAdvisory(one.record, interval, one.affected)
  one.advisories.set(interval, made)
  return made
}

/** Of packages in their order, until there are more than a report has room for. */
export function collectMatches<Package extends PackageVersion>(
  packages: readonly Package[],
  match: (it: Package, index: number) => readonly Advisory[],
): Pick<AdvisoryAnswer, 'matches' | 'lookedUp'> {
  const matches: { name: string; version: string; advisory: Advisory }[] = []
  for (const [index, it] of packages.entries()) {
    if (matches.length >= MAX_MATCHES) return { matches, lookedUp: index }
    for (const advisory of match(it, index)) matches.push({ name: it.name, version: it.version, advisory })
  }
  return { matches }
}
