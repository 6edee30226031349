import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

/** Versions from `introduced` (`0`: from the first one, prereleases included) up to `fixed` (exclusive) or `lastAffected`; without an end: all later ones. */
export interface Interval {
  readonly introduced: string
  readonly fixed?: string
  readonly lastAffected?: string
}

/** The interval that a version lies in, by semver's order; undefined: it is not affected, or is no version. */
export function intervalOf({ intervals }: { readonly intervals: readonly Interval[] }, version: string): Interval | undefined {
  const asked = parse(version)
  if (asked === null) return undefined
  return intervals.find(({ introduced, fixed, lastAffected }) => {
    // bounds from outside may be no versions: then nothing can be told
    if (introduced !== '0' && !(isVersion(introduced) && compare(asked, introduced) >= 0)) return false
    if (fixed !== undefined) return isVersion(fixed) && compare(asked, fixed) < 0
    return lastAffected === undefined || (isVersion(lastAffected) && compare(asked, lastAffected) <= 0)
  })
}

export function isVersion(text: string): boolean {
  return parse(text) !== null
}
