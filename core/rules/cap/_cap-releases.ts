import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'

/** The day from which a major version gets no fixes: the second next one is out, and two months have gone. A major that is not here is alive.
 *  Facts: capire, "CAP Releases" (months of the majors) and "Release Schedule" (the former major gets critical fixes only), read 2026-11. */
const ENDS: Readonly<Record<'node' | 'java', ReadonlyMap<number, string>>> = {
  node: new Map([
    [0, '2020-04-30'],
    [1, '2020-04-30'],
    [2, '2021-07-31'],
    [3, '2021-07-31'],
    [4, '2022-08-31'],
    [5, '2023-08-31'],
    [6, '2024-08-31'],
    [7, '2025-07-31'],
    [8, '2026-08-31'],
  ]),
  java: new Map([
    [0, '2022-08-31'],
    [1, '2024-08-31'],
    [2, '2025-07-31'],
    [3, '2026-08-31'],
  ]),
}

const LAST_TRIED = 30

export interface EndedCap {
  readonly major: number
  readonly ended: string
}

/** Judges a version or a range on a day: its newest major, where all that it allows have ended. Undefined: one is alive, or it is no range. */
export function endedCapOf(runtime: 'node' | 'java', range: string, day: string): EndedCap | undefined {
  if (range.length > 200 || validRange(range) === null) return undefined
  let newest: EndedCap | undefined
  for (let major = 0; major <= LAST_TRIED; major++) {
    if (!intersects(range, `>=${major}.0.0-0 <${major + 1}.0.0-0`)) continue
    const ended = ENDS[runtime].get(major)
    if (ended === undefined || day.slice(0, 10) <= ended) return undefined
    newest = { major, ended }
  }
  return newest
}
