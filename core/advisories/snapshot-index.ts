import { groupBy } from '../lists.ts'
import { unpackRecords } from './compact.ts'
import type { Interval } from './intervals.ts'
import type { AdvisoryRecord } from './record.ts'
import { ADVISORY_RECORDS } from './snapshot.ts'
import type { AdvisoryAnswer } from './types.ts'

/** The snapshot's records by package; read when they are first needed. */
export type Snapshot = (name: string) => readonly AdvisoryRecord[]

export function createSnapshot(): Snapshot {
  let records: Map<string, AdvisoryRecord[]> | undefined
  return (name) => {
    records ??= groupBy(unpackRecords(ADVISORY_RECORDS), (record) => record.package)
    return records.get(name) ?? []
  }
}

/** All affected versions of the packages with a match. */
export function listIntervals(snapshot: Snapshot, matches: AdvisoryAnswer['matches']): ReadonlyMap<string, readonly Interval[]> {
  const names = new Set(matches.map(({ name }) => name))
  return new Map([...names].map((name) => [name, snapshot(name).flatMap(({ intervals }) => intervals)]))
}
