import parse from 'semver/functions/parse.js'
import type { SemVer } from 'semver'
import type { Interval } from './types.ts'

/** The first interval that a version lies in, by semver's order. */
export type FindInterval = (version: SemVer) => Interval | undefined

/** An interval, its bounds read: without them from the first version, and to the last. */
export interface Bounds {
  readonly interval: Interval
  readonly from: SemVer | undefined
  readonly to: SemVer | undefined
  readonly isExclusive: boolean
}

/** Without those whose bounds are no versions: of them nothing can be told. */
export function readBounds(intervals: readonly Interval[]): Bounds[] {
  return intervals.flatMap((interval) => {
    const { introduced, fixed, lastAffected } = interval
    const from = introduced === '0' ? undefined : parse(introduced)
    const end = fixed ?? lastAffected
    const to = end === undefined ? undefined : parse(end)
    return from === null || to === null ? [] : [{ interval, from, to, isExclusive: fixed !== undefined }]
  })
}

export function isBelow(version: SemVer, { from }: Bounds): boolean {
  return from !== undefined && version.compare(from) < 0
}

export function isAbove(version: SemVer, { to, isExclusive }: Bounds): boolean {
  if (to === undefined) return false
  return isExclusive ? version.compare(to) >= 0 : version.compare(to) > 0
}

/** Reads the bounds once for many versions. */
export function prepareIntervals(intervals: readonly Interval[]): FindInterval {
  const all = readBounds(intervals)
  return (version) => all.find((bounds) => !isBelow(version, bounds) && !isAbove(version, bounds))?.interval
}

/** The interval that a version lies in; undefined: it is not affected, or is no version. */
export function intervalOf({ intervals }: { readonly intervals: readonly Interval[] }, version: string): Interval | undefined {
  const asked = parse(version)
  return asked === null ? undefined : prepareIntervals(intervals)(asked)
}

export function isVersion(text: string): boolean {
  return parse(text) !== null
}
