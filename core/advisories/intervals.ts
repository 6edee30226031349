import parse from 'semver/functions/parse.js'
import type { SemVer } from 'semver'
import type { Interval } from './types.ts'

/** The first interval that a version lies in, by semver's order. */
export type FindInterval = (version: SemVer) => Interval | undefined

/** Reads the bounds once for many versions. */
export function prepareIntervals(intervals: readonly Interval[]): FindInterval {
  const bounds = intervals.flatMap((interval) => {
    const { introduced, fixed, lastAffected } = interval
    const from = introduced === '0' ? undefined : parse(introduced)
    const end = fixed ?? lastAffected
    const to = end === undefined ? undefined : parse(end)
    // bounds from outside may be no versions: then nothing can be told
    return from === null || to === null ? [] : [{ interval, from, to, isExclusive: fixed !== undefined }]
  })
  return (version) =>
    bounds.find(({ from, to, isExclusive }) => {
      if (from !== undefined && version.compare(from) < 0) return false
      if (to === undefined) return true
      return isExclusive ? version.compare(to) < 0 : version.compare(to) <= 0
    })?.interval
}

/** The interval that a version lies in; undefined: it is not affected, or is no version. */
export function intervalOf({ intervals }: { readonly intervals: readonly Interval[] }, version: string): Interval | undefined {
  const asked = parse(version)
  return asked === null ? undefined : prepareIntervals(intervals)(asked)
}

export function isVersion(text: string): boolean {
  return parse(text) !== null
}
