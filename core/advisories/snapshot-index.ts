import { divideRecords, unpackRecords } from './compact.ts'
import type { AdvisoryRecord } from './record.ts'
import type { AdvisoryAnswer, Interval } from './types.ts'

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
    const packed = divideRecords(ADVISORY_RECORDS)
    const read = new Map<string, readonly AdvisoryRecord[]>()
    loaded = {
      date: ADVISORY_DATE,
      // of hundreds of packages a project has a few
      of(name) {
        const own = packed.get(name)
        if (own === undefined) return []
        const records = read.get(name) ?? unpackRecords(own)
        read.set(name, records)
        return records
      },
    }
    return loaded
  }
}

/** All affected versions of the packages with a match. */
export function listIntervals(snapshot: Snapshot, matches: AdvisoryAnswer['matches']): ReadonlyMap<string, readonly Interval[]> {
  const names = new Set(matches.map(({ name }) => name))
  return new Map([...names].map((name) => [name, snapshot(name).flatMap(({ intervals }) => intervals)]))
}
