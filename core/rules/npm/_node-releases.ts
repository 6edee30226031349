import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'

/** Last day of each major version of Node.js (nodejs/Release, schedule; read 2026-11). A major that is not here is younger than this table. */
export const NODE_ENDS: ReadonlyMap<number, string> = new Map([
  [0, '2016-12-31'],
  [4, '2018-04-30'],
  [5, '2016-06-30'],
  [6, '2019-04-30'],
  [7, '2017-06-30'],
  [8, '2019-12-31'],
  [9, '2018-06-30'],
  [10, '2021-04-30'],
  [11, '2019-06-01'],
  [12, '2022-04-30'],
  [13, '2020-06-01'],
  [14, '2023-04-30'],
  [15, '2021-06-01'],
  [16, '2023-09-11'],
  [17, '2022-06-01'],
  [18, '2025-04-30'],
  [19, '2023-06-01'],
  [20, '2026-04-30'],
  [21, '2024-06-01'],
  [22, '2027-04-30'],
  [23, '2025-06-01'],
  [24, '2028-04-30'],
  [25, '2026-06-01'],
])

/** Names of the lines with long-term support, as .nvmrc writes them: `lts/hydrogen`. */
const CODE_NAMES: ReadonlyMap<string, number> = new Map(
  ['argon', 'boron', 'carbon', 'dubnium', 'erbium', 'fermium', 'gallium', 'hydrogen', 'iron', 'jod', 'krypton'].map(
    (name, index) => [name, 4 + 2 * index],
  ),
)

/** Majors that a range is tried with; later ones are as good as the last. */
const LAST_TRIED = 40
const MAX_RANGE = 200

/** What an ended Node.js line is: its highest major among those allowed, and its last day (ISO 8601). */
export interface EndedNode {
  readonly major: number
  readonly ended: string
}

/** Judges a range on a day: the newest line that it allows, where all of them have ended. Undefined: a line is alive, or it is no range. */
export function endedNodeOf(range: string, day: string): EndedNode | undefined {
  if (range.length > MAX_RANGE || validRange(range) === null) return undefined
  let newest: EndedNode | undefined
  for (let major = 0; major <= LAST_TRIED; major++) {
    if (!intersects(range, `>=${major}.0.0-0 <${major + 1}.0.0-0`)) continue
    const ended = NODE_ENDS.get(major) ?? (major < 4 ? '2016-12-31' : undefined)
    if (ended === undefined || day.slice(0, 10) <= ended) return undefined
    newest = { major, ended }
  }
  return newest
}

/** `v18.17.0`, `18`, `lts/hydrogen` of .nvmrc and `18-alpine` of an image to a range; undefined: a name that moves (`lts/*`, `current`). */
export function toNodeRange(version: string): string | undefined {
  const codeName = CODE_NAMES.get(
    version
      .toLowerCase()
      .replace(/^lts[/-]/, '')
      .split('-')[0] ?? '',
  )
  if (codeName !== undefined) return String(codeName)
  return /^v?(\d{1,3}(?:\.\d{1,5}){0,2})(?:\.x|(?![\d.]))/.exec(version)?.[1]
}
