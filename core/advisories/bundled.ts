import { groupBy } from '../lists.ts'
import { unpackRecords } from './compact.ts'
import { intervalOf, type Interval } from './intervals.ts'
import { mergeAliases, toAdvisory, type AdvisoryRecord } from './record.ts'
import type { AdvisoryAnswer, AdvisoryPort, PackageVersion } from './types.ts'

/** Answers from the bundled snapshot alone, on purpose: nothing is missing. */
export function createBundledAdvisories(): AdvisoryPort {
  const load = createSnapshot()
  return { query: async (packages) => answerBundled(await load(), packages, true) }
}

/** The records of a package. */
export type Snapshot = (name: string) => readonly AdvisoryRecord[]

/** A snapshot of the vulnerability database as of a day. */
export interface DatedSnapshot {
  /** ISO 8601. */
  readonly date: string
  readonly of: Snapshot
}

/** The bundled snapshot; loaded and read when it is first needed. */
export function createSnapshot(): () => Promise<DatedSnapshot> {
  let loaded: DatedSnapshot | undefined
  return async () => {
    if (loaded !== undefined) return loaded
    const { ADVISORY_DATE, ADVISORY_RECORDS } = await import('./snapshot.ts')
    const records = groupBy(unpackRecords(ADVISORY_RECORDS), (record) => record.package)
    loaded = { date: ADVISORY_DATE, of: (name) => records.get(name) ?? [] }
    return loaded
  }
}

export function answerBundled(
  { date, of }: DatedSnapshot,
  packages: readonly PackageVersion[],
  complete: boolean,
): AdvisoryAnswer {
  const matches = packages.flatMap(({ name, version }) => matchRecords(of(name), name, version))
  return { source: 'bundled', date, complete, matches, others: listIntervals(of, matches) }
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
