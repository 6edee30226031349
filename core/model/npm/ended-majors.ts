import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'

/** Majors that a range is tried with; later ones are as good as the last. */
const LAST_TRIED = 40
const MAX_RANGE = 200

/** A major version that gets no fixes any more, and its last day (ISO 8601). */
export interface EndedMajor {
  readonly major: number
  readonly ended: string
}

/**
 * Judges a version or a range on a day: its newest major, where all that it allows have ended. `lastDayOf` tells the last day of a major; one without
 * is alive. Undefined: one is alive, or it is no range.
 */
export function endedMajorOf(
  range: string,
  day: string,
  lastDayOf: (major: number) => string | undefined,
): EndedMajor | undefined {
  if (range.length > MAX_RANGE || validRange(range) === null) return undefined
  let newest: EndedMajor | undefined
  for (let major = 0; major <= LAST_TRIED; major++) {
    // prereleases of a major are not what a range up to its first version means
    if (!intersects(range, `>=${major}.0.0 <${major + 1}.0.0-0`)) continue
    const ended = lastDayOf(major)
    if (ended === undefined || day.slice(0, 10) <= ended) return undefined
    newest = { major, ended }
  }
  return newest
}

/** Milliseconds. */
const HALF_A_YEAR = 183 * 86_400_000

/** Whether it got fixes until less than half a year before a day (ISO 8601): what was found since then hardly adds up. */
export function hasEndedRecently({ ended }: EndedMajor, day: string): boolean {
  return Date.parse(day) - Date.parse(ended) < HALF_A_YEAR
}
