import { endedMajorOf, type EndedMajor } from './ended-majors.ts'

/** Last day of each major version of Node.js (nodejs/Release, schedule; read 2026-11). A major that is not here is younger than this table. */
const NODE_ENDS: ReadonlyMap<number, string> = new Map([
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

/** The newest line of the table with long-term support: what advice names. Lines with an even number get it. */
export const NODE_TARGET: string = String(Math.max(...[...NODE_ENDS.keys()].filter((major) => major % 2 === 0)))

/** Names of the lines with long-term support, as .nvmrc writes them: `lts/hydrogen`. */
const CODE_NAMES: ReadonlyMap<string, number> = new Map(
  ['argon', 'boron', 'carbon', 'dubnium', 'erbium', 'fermium', 'gallium', 'hydrogen', 'iron', 'jod', 'krypton'].map(
    (name, index) => [name, 4 + 2 * index],
  ),
)

/** Judges a range on a day: the newest line that it allows, where all of them have ended. */
export function endedNodeOf(range: string, day: string): EndedMajor | undefined {
  return endedMajorOf(range, day, (major) => NODE_ENDS.get(major) ?? (major < 4 ? '2016-12-31' : undefined))
}

/**
 * `v18.17.0`, `18`, `lts/hydrogen` of .nvmrc, `18-alpine` of an image, and `4-node16` of one with a version of its own, to a range; undefined: a name that
 * moves (`lts/*`, `current`).
 */
export function toNodeRange(version: string): string | undefined {
  const codeName = CODE_NAMES.get(
    version
      .toLowerCase()
      .replace(/^lts[/-]/, '')
      .split('-')[0] ?? '',
  )
  if (codeName !== undefined) return String(codeName)
  const behind = /-node-?(\d{1,3}(?:\.\d{1,5}){0,2})(?![\d.])/.exec(version)?.[1]
  return behind ?? /^v?(\d{1,3}(?:\.\d{1,5}){0,2})(?:\.x|(?![\d.]))/.exec(version)?.[1]
}
