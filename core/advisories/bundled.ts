import { groupBy } from '../lists.ts'
import { unpackRecords } from './compact.ts'
import { intervalOf, type Interval } from './intervals.ts'
import { mergeAliases, toAdvisory, type AdvisoryRecord } from './record.ts'
import { ADVISORY_DATE, ADVISORY_RECORDS } from './snapshot.ts'
import type { AdvisoryAnswer, AdvisoryPort, PackageVersion } from './types.ts'

/** Answers from the bundled snapshot alone, on purpose: nothing is missing. */
export function createBundledAdvisories(): AdvisoryPort {
  const snapshot = createSnapshot()
  return { query: async (packages) => answerBundled(snapshot, packages, true) }
}

/** The snapshot's records by package; read when they are first needed. */
export type Snapshot = (name: string) => readonly AdvisoryRecord[]

export function createSnapshot(): Snapshot {
  let records: Map<string, AdvisoryRecord[]> | undefined
  return (name) => {
    records ??= groupBy(unpackRecords(ADVISORY_RECORDS), (record) => record.package)
    return records.get(name) ?? []
  }
}

export function answerBundled(snapshot: Snapshot, packages: readonly PackageVersion[], complete: boolean): AdvisoryAnswer {
  const matches = packages.flatMap(({ name, version }) => matchRecords(snapshot(name), name, version))
  return { source: 'bundled', date: ADVISORY_DATE, complete, matches, others: listIntervals(snapshot, matches) }
}

/** All affected versions of the packages with a match. */
export function listIntervals(snapshot: Snapshot, matches: AdvisoryAnswer['matches']): ReadonlyMap<string, readonly Interval[]> {
  const names = new Set(matches.map(({ name }) => name))
  return new Map([...names].map((name) => [name, snapshot(name).flatMap(({ intervals }) => intervals)]))
}

/** The records of a package that affect a version, aliases merged. */
export function matchRecords(records: readonly AdvisoryRecord[], name: string, version: string): AdvisoryAnswer['matches'] {
  const advisories = records.flatMap((record) => {
    const interval = intervalOf(record, version)
    return interval === undefined ? [] : [toAdvisory(record, interval)]
  })
  return mergeAliases(advisories).map((advisory) => ({ name, version, advisory }))
}
