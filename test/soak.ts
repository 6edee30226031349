/**
 * Runs of a property test: the whole number with `SOAK=1` (npm run soak), a tenth otherwise; a smaller share where each run is a whole scan.
 */
export function runs(whole: number, share = 10): number {
  return process.env['SOAK'] === undefined ? Math.ceil(whole / share) : whole
}

/**
 * One of each `share` items of a list, the first included; all of them with `SOAK=1`. `turn`: callers that count it up draw other items each, so that
 * `share` of them draw every item.
 */
export function drawn<Item>(list: readonly Item[], share = 10, turn = 0): Item[] {
  return process.env['SOAK'] === undefined ? list.filter((_, index) => (index + turn) % share === 0) : [...list]
}
